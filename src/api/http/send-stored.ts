import type { IncomingMessage, ServerResponse } from 'node:http'
import { matchesEtag } from './conditional.ts'
import type { HeaderList } from './headers.ts'
import { preferredEncoding } from './negotiate.ts'
import { send } from './send.ts'
import type { StoredAnswer } from './stored-answer.ts'

/** Sends a stored answer in the encoding the client prefers: whole, or 304 where a reader has it already. `also`: further headers. */
export async function sendStored(
  stored: StoredAnswer,
  req: IncomingMessage,
  res: ServerResponse,
  also: HeaderList = [],
): Promise<void> {
  const found = stored.variant(preferredEncoding(req.headers['accept-encoding']))
  const variant = found instanceof Promise ? await found : found
  const isRead = req.method === 'GET' || req.method === 'HEAD'
  if (isRead && matchesEtag(req.headers['if-none-match'], variant.etag))
    send(res, 304, also.length === 0 ? variant.notModifiedHeaders : [...variant.notModifiedHeaders, ...also])
  else send(res, 200, also.length === 0 ? variant.headers : [...variant.headers, ...also], variant.body)
}
