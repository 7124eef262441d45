/**
 * The first handler of every request. A request for an address that was served before bypasses Express and goes straight to its handler; all others
 * go through Express, which also writes every error.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Logger } from '../../platform/log.ts'
import { withRequestId } from '../../platform/request-id.ts'
import { accessLog } from './access-log.ts'
import { refuseAmbiguousHeaders } from './ambiguous-headers.ts'
import type { IsCanonical } from './canonical-host.ts'
import type { ParsedRequestCache, Serve } from './parsed-request-cache.ts'
import { contextOf, startContext } from './request-context.ts'

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
