/** One line per request, when its response is over. The level follows the status: trouble of ours stands out. */
import type { RequestHandler } from 'express'
import { type Logger, redactUrl, withoutRedaction, withRequestId } from '../log.ts'
import { requestSeconds, requests } from '../metrics/metrics.ts'
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
        durationMs: Math.round((performance.now() - context.startedMs) * 100) / 100,
        bytes: req.method === 'HEAD' ? 0 : (context.bodyBytes ?? Number(res.getHeader('Content-Length') ?? 0)),
        /** The client went away before it had everything. */
        aborted: res.writableFinished ? undefined : true,
      }
      lines[levelOf(res.statusCode)](facts, 'request')
      const endpoint = facts.endpoint ?? 'none'
      requests.add({ endpoint, plan: context.plan ?? 'none', status: `${Math.floor(res.statusCode / 100)}xx` })
      requestSeconds.observe({ endpoint }, facts.durationMs / 1_000)
    })
    withRequestId(context.id, next)
  }
}

function levelOf(status: number): 'info' | 'warn' | 'error' {
  if (status >= 500) return 'error'
  return status >= 400 ? 'warn' : 'info'
}
