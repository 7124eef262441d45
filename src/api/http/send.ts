import type { Response } from 'express'
import { REQUEST_ID } from '../contract/headers.ts'
import type { HeaderList } from './headers.ts'
import { contextOf } from './request-context.ts'

/** Text is sent in one piece with the headers, a buffer in two; `bytes` is the length of either in UTF-8. */
export interface Body {
  content: string | Buffer
  bytes: number
}

export function textBody(content: string): Body {
  return { content, bytes: Buffer.byteLength(content) }
}

const EMPTY = textBody('')

/** Writes a whole answer at once: the given headers, the request id, and the body, which Node omits for HEAD. */
export function send(res: Response, status: number, headers: HeaderList, body: Body = EMPTY): void {
  const context = contextOf(res)
  context.bodyBytes = body.bytes
  // 204 and 304 have no body; any other answer states its length, or Node would send it in chunks.
  const isBodiless = status === 204 || status === 304
  const own = isBodiless ? [REQUEST_ID, context.id] : [REQUEST_ID, context.id, 'Content-Length', String(body.bytes)]
  res.writeHead(status, [...headers, ...context.limitHeaders(status), ...own])
  res.end(body.content)
}
