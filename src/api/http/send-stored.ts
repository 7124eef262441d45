import type { Request, Response } from 'express'
import { matchesEtag } from './conditional.ts'
import { preferredEncoding } from './negotiate.ts'
import { send } from './send.ts'
import type { StoredAnswer } from './stored-answer.ts'

/** Sends a stored answer in the encoding the client prefers: whole, or 304 where a reader has it already. */
export async function sendStored(stored: StoredAnswer, req: Request, res: Response): Promise<void> {
  const variant = await stored.variant(preferredEncoding(req.headers['accept-encoding']))
  const isRead = req.method === 'GET' || req.method === 'HEAD'
  if (isRead && matchesEtag(req.headers['if-none-match'], variant.etag)) send(res, 304, variant.notModifiedHeaders)
  else send(res, 200, variant.headers, variant.body)
}
