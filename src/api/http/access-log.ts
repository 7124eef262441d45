/** Logs one line per request when its response has ended. The level follows the status, so that internal errors stand out. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Logger, lineWriter, redactUrl } from '../../platform/log.ts'
import { requestCounts } from '../../platform/metrics/metrics.ts'
import { endpointName } from './endpoint.ts'
import { contextOf } from './request-context.ts'

/** What is to be done when the response of a request, which has its context, is over: it is logged and counted. */
export function accessLog(log: Logger): (req: IncomingMessage, res: ServerResponse) => void {
  const write = lineWriter(log)
  return (req, res) => {
    const context = contextOf(res)
    const { statusCode: status } = res
    for (const act of context.afterwards) act(context.countsAs ?? status)
    const endpoint = context.endpoint && endpointName(context.endpoint)
    const durationMs = Math.round((performance.now() - context.startedMs) * 100) / 100
    const bytes = req.method === 'HEAD' ? 0 : (context.bodyBytes ?? Number(res.getHeader('Content-Length') ?? 0))
    write(
      levelOf(status, context.error?.expected),
      `"requestId":"${context.id}","method":"${req.method}"${fieldOf('endpoint', endpoint)}${fieldOf('plan', context.plan)}` +
        `,"url":${jsonOf(redactUrl(requestedAddress(req)))},"status":${status}${fieldOf('error', context.error?.code)}` +
        `,"durationMs":${durationMs},"bytes":${bytes}${res.writableFinished ? '' : ABORTED},"msg":"request"`,
    )
    requestCounts.count(endpoint ?? 'none', context.plan ?? 'none', status, durationMs / 1_000)
  }
}

/** Only addresses have characters that JSON escapes; those that are not ASCII Node's parser refuses. */
function jsonOf(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text)
}

const PLAIN = /^[\w/.?&=:,%+~-]*$/

/** The client disconnected before it had received everything. */
const ABORTED = ',"aborted":true'

function fieldOf(name: string, value: string | undefined): string {
  return value === undefined ? '' : `,"${name}":"${value}"`
}

/** Express shortens `url` for the routers below a path. */
function requestedAddress(req: IncomingMessage & { originalUrl?: string }): string {
  return req.originalUrl ?? req.url ?? ''
}

/** Expected outcomes, such as a value not published yet, are not errors although their status is 503. */
function levelOf(status: number, isExpected = false): 'info' | 'warn' | 'error' {
  if (status >= 500 && !isExpected) return 'error'
  return status >= 400 ? 'warn' : 'info'
}
