/**
 * The first handler of every request. A request for a URL that was served before bypasses Express and goes straight to its handler; others
 * go through Express, which also writes every error.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { type Logger, lineWriter, redactUrl } from '../../platform/log.ts'
import { requestCounts } from '../../platform/metrics/metrics.ts'
import { withRequestId } from '../../platform/request-id.ts'
import { ApiError, invalidParameter } from '../contract/errors.ts'
import type { IsCanonical } from './canonical-host.ts'
import { endpointName } from './endpoint.ts'
import type { ParsedRequestCache, Serve } from './parsed-request-cache.ts'
import { contextOf, startContext } from './request-context.ts'

/** Repeated headers are ambiguous: Node's parser keeps the first, a proxy in front perhaps the last. */
const SINGLE_HEADERS = ['Host', 'Authorization']
const CONTINUE = '100-continue'

interface FastPathOptions {
  express: RequestListener
  known: ParsedRequestCache
  isCanonical: IsCanonical
  log: Logger
}

export function fastPath({ express, known, isCanonical, log }: FastPathOptions): RequestListener {
  const logRequest = accessLog(log)
  function onClose(this: ServerResponse): void {
    logRequest(this.req, this)
  }

  return (req, res) => {
    const context = startContext(req, res)
    res.on('close', onClose)
    try {
      refuseAmbiguousHeaders(req)
      const serve: Serve = (isRead(req) && isCanonical(req) && known.find(req)) || express
      const answered = withRequestId(context.id, serve, req, res)
      if (answered instanceof Promise) answered.catch((err) => refuse(err, req, res))
    } catch (err) {
      refuse(err, req, res)
    }
  }

  /** Express writes the error. */
  function refuse(err: unknown, req: IncomingMessage, res: ServerResponse): void {
    const context = contextOf(res)
    context.thrown = err
    withRequestId(context.id, express, req, res)
  }
}

function isRead({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Refuses a request whose headers do not determine one service and one caller. RFC 9110, 7.2, 10.1.1 and 11.6.2; RFC 9112, 3.2. */
function refuseAmbiguousHeaders(req: IncomingMessage): void {
  const repeated = SINGLE_HEADERS.find((name) => countOf(req.rawHeaders, name) > 1)
  if (repeated !== undefined) throw invalidParameter(repeated, 'must be sent only once')
  if (req.headers.host === undefined && req.httpVersion === '1.1') throw invalidParameter('Host', 'is missing')
  if (hasUnsupportedExpect(req)) {
    const message = `Expect may only be ${CONTINUE}.`
    throw new ApiError('invalid_parameter', message, { status: 417, param: 'Expect' })
  }
}

/** `rawHeaders` lists name, value, name, value, …; the length rules out most names. */
function countOf(rawHeaders: readonly string[], name: string): number {
  const lowerCase = name.toLowerCase()
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const header = rawHeaders[i]
    if (header?.length === name.length && header.toLowerCase() === lowerCase) count += 1
  }
  return count
}

function hasUnsupportedExpect({ headers: { expect } }: IncomingMessage): boolean {
  return expect !== undefined && expect.toLowerCase() !== CONTINUE
}

/**
 * Logs and counts a request once its response has ended. The level of the log line depends on the status, so that internal
 * errors stand out.
 */
function accessLog(log: Logger): (req: IncomingMessage, res: ServerResponse) => void {
  const write = lineWriter(log)
  return (req, res) => {
    const context = contextOf(res)
    const { statusCode: status } = res
    for (const act of context.afterResponse) act(context.countsAs ?? status)
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

/** Only URLs contain characters that JSON escapes; Node's parser refuses non-ASCII ones. */
function jsonOf(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text)
}

const PLAIN = /^[\w/.?&=:,%+~-]*$/

/** The client disconnected before it had received everything. */
const ABORTED = ',"aborted":true'

function fieldOf(name: string, value: string | undefined): string {
  return value === undefined ? '' : `,"${name}":"${value}"`
}

/** Returns the original URL, because Express strips the mount path of a router from `url`. */
function requestedAddress(req: IncomingMessage & { originalUrl?: string }): string {
  return req.originalUrl ?? req.url ?? ''
}

/** Expected outcomes, such as a value not published yet, are not errors although their status is 503. */
function levelOf(status: number, isExpected = false): 'info' | 'warn' | 'error' {
  if (status >= 500 && !isExpected) return 'error'
  return status >= 400 ? 'warn' : 'info'
}
