/** Reads and decompresses the whole body of a response, within a size limit both before and after decompression. */
import { pipeline, type Readable, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { SourceUnreachable } from './outcomes.ts'

/** The encodings that requests accept. */
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br'

/** Rejects with SourceUnreachable if the body is too large, broken, or in an encoding that was not accepted. */
export async function readBody(body: Readable, encoding: string | undefined, maxBytes: number): Promise<Buffer> {
  const stages = [body, sizeLimit(maxBytes), ...decompressor(encoding, body), sizeLimit(maxBytes)]
  const last = stages.at(-1) as Readable
  // A failure of any stage destroys all of them and surfaces when the last one is read.
  pipeline(stages as unknown as NodeJS.ReadWriteStream[], () => {})
  try {
    return Buffer.concat(await last.toArray())
  } catch (err) {
    discard(body)
    if ((err as NodeJS.ErrnoException).code?.startsWith('Z_') || /brotli/i.test(String((err as Error).message))) {
      throw new SourceUnreachable(`sends a body that is not sound ${encoding}`, { retryable: true })
    }
    throw err
  }
}

/** Returns the beginning of a body as text, for error messages; the rest is not read. */
export async function readBeginning(body: Readable, maxBytes: number): Promise<string> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of body) {
    pieces.push(piece)
    bytes += piece.length
    if (bytes >= maxBytes) break
  }
  discard(body)
  return Buffer.concat(pieces).subarray(0, maxBytes).toString('utf8')
}

/** Leaves the rest of a body unread. The error that undici then reports is ignored. */
export function discard(body: Readable): void {
  body.on('error', () => {}).destroy()
}

function decompressor(encoding: string | undefined, body: Readable): Transform[] {
  switch (encoding?.trim().toLowerCase() || 'identity') {
    case 'identity':
      return []
    case 'gzip':
    case 'x-gzip':
      return [createGunzip()]
    case 'deflate':
      return [createInflate()]
    case 'br':
      return [createBrotliDecompress()]
    default:
      discard(body)
      throw new SourceUnreachable(`sends a body in the encoding ${encoding}, which was not accepted`, {
        retryable: false,
      })
  }
}

function sizeLimit(maxBytes: number): Transform {
  let bytes = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes <= maxBytes) done(undefined, chunk)
      else done(new SourceUnreachable(`sends more than ${maxBytes} bytes`, { retryable: false }))
    },
  })
}
