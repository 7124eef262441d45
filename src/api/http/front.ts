/**
 * What a request meets first. One for an address that was served before goes past the framework, straight to what serves it; every
 * other goes through Express, which also words every error.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Logger } from '../../platform/log.ts'
import { withRequestId } from '../../platform/request-id.ts'
import { accessLog } from './access-log.ts'
import { refuseAmbiguousHeaders } from './ambiguous-headers.ts'
import type { IsCanonical } from './canonical-host.ts'
import type { KnownAddresses } from './known-addresses.ts'
import { startContext } from './request-context.ts'

interface FrontOptions {
  express: RequestListener
  known: KnownAddresses
  isCanonical: IsCanonical
  log: Logger
}

export function front({ express, known, isCanonical, log }: FrontOptions): RequestListener {
  const logRequest = accessLog(log)

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const context = startContext(req, res)
    res.on('close', () => logRequest(req, res))
    try {
      refuseAmbiguousHeaders(req)
      const serve = isRead(req) && isCanonical(req) ? known.find(req) : undefined
      if (serve !== undefined) return await withRequestId(context.id, () => serve(req, res))
    } catch (err) {
      context.thrown = err
    }
    withRequestId(context.id, () => express(req, res))
  }

  return answer
}

function isRead({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD'
}
