import type { ServerResponse } from 'node:http'
import { REQUEST_ID } from '../contract/headers.ts'
import type { HeaderList } from './headers.ts'
import { limitHeaders } from './limit-headers.ts'
import { PreparedResponse } from './prepared-response.ts'
import { contextOf } from './request-context.ts'

/**
 * A body in the form that is sent fastest: a short one as a Latin-1 string, one character per byte, which is sent together with the
 * head and not encoded again; a long one as a buffer, which is not copied.
 */
export interface Body {
  content: string | Buffer
  bytes: number
}

const IN_ONE_PIECE_MAX = 16_384

export function bodyOf(bytes: Buffer): Body {
  const content = bytes.length <= IN_ONE_PIECE_MAX ? bytes.toString('latin1') : bytes
  return { content, bytes: bytes.length }
}

export function textBody(text: string): Body {
  return bodyOf(Buffer.from(text))
}

const EMPTY = textBody('')

/**
 * Writes a whole response at once: the `given` headers, which other responses may share, its own headers, the request id, and the
 * body, which Node omits for HEAD.
 */
export function send(
  res: ServerResponse,
  status: number,
  given: HeaderList,
  body: Body = EMPTY,
  extraHeaders: HeaderList = [],
): void {
  const context = contextOf(res)
  context.bodyBytes = body.bytes
  const limits = limitHeaders(context, status)
  // 204 and 304 have no body; any other answer states its length, or Node would send it in chunks.
  const own =
    status === 204 || status === 304
      ? [...extraHeaders, ...limits, REQUEST_ID, context.id]
      : [...extraHeaders, ...limits, REQUEST_ID, context.id, 'Content-Length', String(body.bytes)]
  if (res instanceof PreparedResponse && res.isPlain) res.writePrepared(status, given, own)
  else res.writeHead(status, [...given, ...own])
  res.end(body.content, 'latin1')
}
