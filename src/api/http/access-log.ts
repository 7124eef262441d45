/** Logs one line per request when its response has ended. The level follows the status, so that internal errors stand out. */
import type { RequestHandler } from 'express'
import { type Logger, redactUrl, withoutRedaction } from '../../platform/log.ts'
import { requestSeconds, requests } from '../../platform/metrics/metrics.ts'
import { withRequestId } from '../../platform/request-id.ts'
import { endpointName } from './endpoint.ts'
import { startContext } from './request-context.ts'

/** Gives the request its context and its id, logs and counts it at its end. The first middleware. */
export function accessLog(log: Logger): RequestHandler {
  const lines = withoutRedaction(log)
  return (req, res, next) => {
    const context = startContext(res, req.headers['x-request-id'])
    res.on('close', () => {
      for (const act of context.afterwards) act(res.statusCode)
      const facts = {
        requestId: context.id,
        method: req.method,
        endpoint: context.endpoint && endpointName(context.endpoint),
        plan: context.plan,
        url: redactUrl(req.originalUrl),
        status: res.statusCode,
        error: context.error?.code,
        durationMs: Math.round((performance.now() - context.startedMs) * 100) / 100,
        bytes: req.method === 'HEAD' ? 0 : (context.bodyBytes ?? Number(res.getHeader('Content-Length') ?? 0)),
        /** The client disconnected before it had received everything. */
        aborted: res.writableFinished ? undefined : true,
      }
      lines[levelOf(res.statusCode, context.error?.expected)](facts, 'request')
      const endpoint = facts.endpoint ?? 'none'
      const plan = context.plan ?? 'none'
      requests.inc({ endpoint, plan, status: `${Math.floor(res.statusCode / 100)}xx` })
      requestSeconds.observe({ endpoint, plan }, facts.durationMs / 1_000)
    })
    withRequestId(context.id, next)
  }
}

/** Expected outcomes, such as a value not published yet, are not errors although their status is 503. */
function levelOf(status: number, isExpected = false): 'info' | 'warn' | 'error' {
  if (status >= 500 && !isExpected) return 'error'
  return status >= 400 ? 'warn' : 'info'
}
