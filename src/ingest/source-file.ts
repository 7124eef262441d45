/** A file or response as it was found: its bytes, its hash, and the two ways of reading it (from the start, or as a ZIP). */
import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { basename } from 'node:path'
import yauzl, { type ZipFile } from 'yauzl'

const CHUNK_BYTES = 64 * 1024

export interface SourceFile extends AsyncDisposable {
  /** Base name, for messages and for the day GME writes at its front. */
  name: string
  /** Of the bytes as found, before any unpacking; 64 lowercase hexadecimal digits. */
  sha256: string
  bytes: number
  /** The bytes from the start; can be read again. */
  chunks(): AsyncIterable<Uint8Array>
  zip(): Promise<ZipFile>
}

/** Reads the file once for its hash. One handle serves all later reading, so a file replaced meanwhile cannot slip in under the hash. */
export async function openSourceFile(path: string): Promise<SourceFile> {
  const handle = await open(path)
  try {
    if (!(await handle.stat()).isFile()) throw new Error(`${path} is not a regular file`)
    const { sha256, bytes } = await hashOf(chunksOf(handle))
    return {
      name: basename(path),
      sha256,
      bytes,
      chunks: () => chunksOf(handle),
      zip: () => yauzl.fromFdPromise(handle.fd, { autoClose: false, lazyEntries: true }),
      [Symbol.asyncDispose]: () => handle.close(),
    }
  } catch (err) {
    await handle.close()
    throw err
  }
}

/** The same for bytes already in memory, such as a fetched response. */
export async function sourceFileFromBytes(name: string, bytes: Buffer): Promise<SourceFile> {
  const { sha256 } = await hashOf([bytes])
  return {
    name,
    sha256,
    bytes: bytes.length,
    chunks: async function* () {
      for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES)
    },
    zip: () => yauzl.fromBufferPromise(bytes, { lazyEntries: true }),
    [Symbol.asyncDispose]: async () => {},
  }
}

/** Positional reads: a stream over the handle would close it when it is left early. */
async function* chunksOf(handle: FileHandle): AsyncGenerator<Uint8Array, void, undefined> {
  for (let position = 0; ; ) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, position)
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

async function hashOf(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of chunks) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { sha256: hash.digest('hex'), bytes }
}
