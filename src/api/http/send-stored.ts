import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Awaitable, thenSync } from '../../platform/awaitable.ts'
import { changedSince, excludesEtag, matchesEtag } from './conditional.ts'
import type { HeaderList } from './headers.ts'
import { preferredEncoding } from './negotiate.ts'
import { send } from './send.ts'
import type { StoredAnswer } from './stored-answer.ts'

/** Sends a stored answer in the encoding the client prefers: whole, or 304 if the client already has it. `also`: further headers. */
export function sendStored(
  stored: StoredAnswer,
  req: IncomingMessage,
  res: ServerResponse,
  extraHeaders: HeaderList = [],
  status = 200,
): Awaitable<void> {
  return thenSync(stored.variant(preferredEncoding(req.headers['accept-encoding'])), (variant) => {
    const isRead = req.method === 'GET' || req.method === 'HEAD'
    if (isRead && excludesEtag(req.headers['if-match'], variant.etag)) throw changedSince(variant.etag)
    if (isRead && matchesEtag(req.headers['if-none-match'], variant.etag))
      send(res, 304, variant.notModifiedHeaders, undefined, extraHeaders)
    else send(res, status, variant.headers, variant.body, extraHeaders)
  })
}
