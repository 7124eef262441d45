/** Decompression safe against bombs: output is counted as it arrives and stopped at the limits. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createGunzip, createInflateRaw } from 'node:zlib'
import { UnreadableDocument } from '../publishers/faults.ts'
import { throughTransform } from '../publishers/reading/through-transform.ts'
import { type ReadLimits, readableSize } from './read-limits.ts'

export type Chunks = AsyncGenerator<Uint8Array, void, undefined>

const INFLATERS = { gzip: createGunzip, 'deflate-raw': createInflateRaw }

/** Bytes out are counted against the document, and against the archive where the document is one of several. */
export interface ArchiveBudget {
  bytesLeft: number
}

/** The decompressed bytes; fails with UnreadableDocument at a limit, or where the data are damaged or cut off, after what was sound. */
export async function* inflate(
  compressed: AsyncIterable<Uint8Array>,
  format: keyof typeof INFLATERS,
  limits: ReadLimits,
  archive: ArchiveBudget,
): Chunks {
  const inflater = INFLATERS[format]()
  const guard = sizeGuard(limits, archive)
  const counted = observe(compressed, (bytes) => guard.in(bytes))
  try {
    const inflated = throughTransform<Uint8Array, Buffer>(inflater, counted, (piece) => guard.out(piece.length))
    for await (const pieces of inflated) {
      for (const piece of pieces) {
        yield piece
        await nextTurn() // a chunk may hold thousands of rows: the database and other requests are served between them
      }
    }
  } catch (err) {
    if (isZlibError(err)) throw new UnreadableDocument('compressed data', `damaged or cut off (${err.message})`)
    throw err
  }
}

/** Passes chunks on and reports the size of each. */
export async function* observe(chunks: AsyncIterable<Uint8Array>, onBytes: (bytes: number) => void): Chunks {
  for await (const chunk of chunks) {
    onBytes(chunk.length)
    yield chunk
  }
}

/** Counts bytes in and out of one document and throws UnreadableDocument at a limit. */
export function sizeGuard(limits: ReadLimits, archive: ArchiveBudget) {
  let bytesIn = 0
  let bytesOut = 0
  return {
    in(bytes: number): void {
      bytesIn += bytes
    },
    out(bytes: number): void {
      bytesOut += bytes
      archive.bytesLeft -= bytes
      if (bytesOut > limits.documentBytes) throw tooLarge(`a document may have ${readableSize(limits.documentBytes)}`)
      if (archive.bytesLeft < 0)
        throw tooLarge(`the documents of an archive may have ${readableSize(limits.archiveBytes)} together`)
      if (bytesOut > limits.ratioFreeBytes && bytesOut > bytesIn * limits.ratio) {
        throw tooLarge(`it grows to more than ${limits.ratio} times its compressed size, as no price file does`)
      }
    },
  }
}

function tooLarge(rule: string): UnreadableDocument {
  return new UnreadableDocument('document', `too large when decompressed: ${rule}`)
}

function isZlibError(err: unknown): err is NodeJS.ErrnoException {
  return err instanceof Error && 'code' in err && String(err.code).startsWith('Z_')
}
