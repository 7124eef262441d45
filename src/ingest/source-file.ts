/** A file or response as received: its bytes, its hash, and two ways of reading it (sequentially, or as a ZIP). */
import { createHash } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import yauzl, { type ZipFile } from 'yauzl'

const CHUNK_BYTES = 64 * 1024

export interface SourceFile extends AsyncDisposable {
  /** Base name, for messages and for the day at the start of GME's file names. */
  name: string
  /** SHA-256 of the bytes before any unpacking; 64 lowercase hexadecimal digits. */
  sha256: string
  bytes: number
  /** The bytes from the start; can be read again. */
  chunks(): AsyncIterable<Uint8Array>
  zip(): Promise<ZipFile>
}

/** The path cannot be read: it is not a regular file, or the operating system reports an error. */
export class UnreadableFile extends Error {
  override name = 'UnreadableFile'
  readonly reason: string
  constructor(path: string, reason: string, options?: ErrorOptions) {
    super(`${path}: ${reason}`, options)
    this.reason = reason
  }
}

/**
 * Opens the file and reads it once to hash it. Later reads use the same handle, so a file replaced meanwhile is never read under this hash.
 * Fails with UnreadableFile.
 */
export async function openSourceFile(path: string): Promise<SourceFile> {
  try {
    return await openAndHash(path)
  } catch (err) {
    throw unreadable(path, err) ?? err
  }
}

/** Converts a file-system error; returns undefined for any other error. */
export function unreadable(path: string, err: unknown): UnreadableFile | undefined {
  if (!(err instanceof Error) || !('syscall' in err)) return undefined
  const { code = '' } = err as NodeJS.ErrnoException
  return new UnreadableFile(path, REASONS[code] ?? `cannot be read (${code})`, { cause: err })
}

const REASONS: Record<string, string> = {
  EACCES: 'may not be opened',
  ELOOP: 'is a symbolic link that leads back to itself',
  ENOENT: 'there is no such file',
}

async function openAndHash(path: string): Promise<SourceFile> {
  refuseIrregular(path, await stat(path)) // before opening: that can trigger an action of a device
  // O_NONBLOCK: if the path has become a pipe meanwhile, open() does not wait for a writer.
  const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    refuseIrregular(path, await handle.stat())
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

function refuseIrregular(path: string, found: Stats): void {
  if (found.isFile()) return
  const kind = found.isFIFO() ? 'named pipe' : found.isSocket() ? 'socket' : found.isDirectory() ? 'folder' : 'device'
  throw new UnreadableFile(path, `is a ${kind}, not a regular file`)
}

/** Makes a SourceFile from bytes in memory, such as a fetched response. */
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

/** Uses positional reads: a stream would close the handle when its iteration ends early. */
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
