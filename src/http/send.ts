import type { Response } from 'express'
import { REQUEST_ID } from '../contract/headers.ts'
import type { HeaderList } from './headers.ts'
import { contextOf } from './request-context.ts'

/** Writes a whole answer at once: the given headers, the request id, and the body, which HEAD and 304 leave out by themselves. */
export function send(res: Response, status: number, headers: HeaderList, body?: Buffer | string): void {
  const context = contextOf(res)
  context.bodyBytes = body === undefined ? 0 : Buffer.byteLength(body)
  const length = hasBody(status) ? ['Content-Length', String(context.bodyBytes)] : []
  res.writeHead(status, [...headers, ...length, REQUEST_ID, context.id])
  res.end(body)
}

function hasBody(status: number): boolean {
  return status !== 204 && status !== 304
}
