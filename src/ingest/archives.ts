/**
 * Finds the documents in a file: the file itself, the content of a gzip, or each entry of a ZIP. The type is detected from the first
 * bytes, never from the name. An archive inside an archive is not opened. A workbook is one document, although XLSX is a ZIP as well.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { crc32, createGunzip, createInflateRaw } from 'node:zlib'
import type { Entry, ZipFile } from 'yauzl'
import { NothingPublished, UnreadableDocument } from '../publishers/faults.ts'
import { throughTransform } from '../publishers/reading/through-transform.ts'
import type { SourceFile } from './source-file.ts'

const MIB = 1024 * 1024

/** Limits for one imported file. Sizes are counted while inflating: an archive's header is not trusted. */
export interface ReadLimits {
  /** Size of a gzip or ZIP file as found. */
  compressedFileBytes: number
  /** Size of one document, after decompression. */
  documentBytes: number
  /** Size of all documents of one archive together, after decompression. */
  archiveBytes: number
  /** Compression ratio, checked once a document exceeds `ratioFreeBytes`. GME's repetitive XML stays below 60. */
  ratio: number
  ratioFreeBytes: number
  /** Size of a workbook, both as found and decompressed: it is held in memory whole. A yearly report has 0.6 MiB. */
  workbookBytes: number
  /** Entries of one ZIP. */
  entries: number
}

export const READ_LIMITS: Readonly<ReadLimits> = {
  compressedFileBytes: 64 * MIB,
  documentBytes: 256 * MIB,
  archiveBytes: 1024 * MIB,
  ratio: 200,
  ratioFreeBytes: MIB,
  workbookBytes: 16 * MIB,
  entries: 5_000,
}

/** For messages: `64 MiB`, `1.5 KiB`, `12 bytes`. */
function readableSize(bytes: number): string {
  if (bytes >= MIB) return `${+(bytes / MIB).toFixed(1)} MiB`
  return bytes >= 1024 ? `${+(bytes / 1024).toFixed(1)} KiB` : `${bytes} bytes`
}

/** `compound`: the container of XLS and of older office documents. */
type ContainerFormat = 'gzip' | 'zip' | 'compound'

const COMPOUND_MAGIC = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]

export interface UnpackedDocument {
  /** The file's name; for a ZIP entry, followed by `!` and the entry's name: `archive.zip!20260114MGPPrezzi.xml`. */
  name: string
  /** A workbook is passed on unchanged; its unpacked size has been checked against the limits. */
  form: 'text' | 'workbook'
  /** Decompressed bytes; can be read once. Fails with UnreadableDocument if they are truncated or exceed a limit. */
  chunks: AsyncIterable<Uint8Array>
}

interface UnpackOptions {
  limits: ReadLimits
  /** Called with the number of bytes of the original file just read. */
  onBytesRead(bytes: number): void
}

/** Yields the documents one after another; each must be read before the next is requested. Fails with UnreadableDocument. */
export async function* unpack(
  file: SourceFile,
  options: UnpackOptions,
): AsyncGenerator<UnpackedDocument, void, undefined> {
  const packing = detectFormat(await firstBytes(file))
  const { limits, onBytesRead } = options
  if (packing === 'compound') refuseLargeWorkbook(file.bytes, limits)
  else if (packing !== undefined) refuseLargeArchive(file, limits)
  if (packing === 'zip') return yield* unpackZip(file, options)

  const bytes = observe(file.chunks(), onBytesRead)
  if (packing === 'gzip') {
    const inflated = inflate(bytes, 'gzip', limits, { bytesLeft: limits.archiveBytes })
    yield { name: file.name, form: 'text', chunks: refuseArchive(inflated) }
  } else if (packing === 'compound') {
    yield { name: file.name, form: 'workbook', chunks: bytes }
  } else if (file.bytes > limits.documentBytes) {
    throw new UnreadableDocument(
      'document',
      `too large: ${readableSize(file.bytes)}, a document may have ${readableSize(limits.documentBytes)}`,
    )
  } else {
    yield { name: file.name, form: 'text', chunks: bytes }
  }
}

/** `gzip`, `zip` and `compound` by their magic numbers, undefined for anything else. */
export function detectFormat(head: Uint8Array): ContainerFormat | undefined {
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip'
  if (COMPOUND_MAGIC.every((byte, index) => head[index] === byte)) return 'compound'
  const [p, k, third, fourth] = head
  if (p !== 0x50 || k !== 0x4b) return undefined
  // PK 3 4 starts an entry; PK 5 6 is the end record, which comes first in an archive without entries.
  return (third === 3 && fourth === 4) || (third === 5 && fourth === 6) ? 'zip' : undefined
}

async function firstBytes(file: SourceFile): Promise<Uint8Array> {
  for await (const chunk of file.chunks()) return chunk
  throw new UnreadableDocument('document', 'is empty (0 bytes)')
}

function refuseLargeArchive(file: SourceFile, limits: ReadLimits): void {
  if (file.bytes <= limits.compressedFileBytes) return
  throw new UnreadableDocument(
    'archive',
    `too large: ${readableSize(file.bytes)}, a compressed file may have ${readableSize(limits.compressedFileBytes)}`,
  )
}

function refuseLargeWorkbook(bytes: number, limits: ReadLimits): void {
  if (bytes <= limits.workbookBytes) return
  throw new UnreadableDocument(
    'workbook',
    `too large: ${readableSize(bytes)}, a workbook may have ${readableSize(limits.workbookBytes)}`,
  )
}

async function* unpackZip(file: SourceFile, options: UnpackOptions): AsyncGenerator<UnpackedDocument, void, undefined> {
  const { limits } = options
  const zip = await orUnreadable(file.zip())
  if (zip.entryCount > limits.entries) {
    throw new UnreadableDocument('archive', `has ${zip.entryCount} entries, at most ${limits.entries} are read`)
  }
  const entries = (await Array.fromAsync(entriesOf(zip))).filter((entry) => !entry.fileName.endsWith('/'))
  if (entries.length === 0) throw new NothingPublished('archive', 'holds no file')
  if (entries.some((entry) => entry.fileName.includes('\0')))
    throw new UnreadableDocument('archive', 'has an entry with a NUL byte in its name')
  if (entries.some((entry) => entry.fileName === '[Content_Types].xml')) {
    refuseLargeWorkbook(file.bytes, limits)
    await checkWorkbook(zip, entries, options)
    yield { name: file.name, form: 'workbook', chunks: file.chunks() }
    return
  }
  const archive: ArchiveBudget = { bytesLeft: limits.archiveBytes }
  // In order of name, like the files of a folder, so that the hours and quarter-hours of a day are adjacent.
  const byName = (a: Entry, b: Entry) => Number(a.fileName > b.fileName) - Number(a.fileName < b.fileName)
  for (const entry of entries.toSorted(byName)) {
    const chunks = refuseArchive(readEntry(zip, entry, options, archive))
    yield { name: `${file.name}!${entry.fileName}`, form: 'text', chunks }
    if (archive.bytesLeft < 0) return
  }
}

/** Inflates every part once to check its size and checksum: the workbook reader itself has no limits. */
async function checkWorkbook(zip: ZipFile, entries: Entry[], options: UnpackOptions): Promise<void> {
  if (!entries.some((entry) => entry.fileName === 'xl/workbook.xml')) {
    throw new UnreadableDocument('archive', 'is an office document but no workbook (XLSX), which is not imported')
  }
  const { workbookBytes } = options.limits
  const limits = { ...options.limits, documentBytes: workbookBytes, archiveBytes: workbookBytes }
  const budget: ArchiveBudget = { bytesLeft: workbookBytes }
  for (const entry of entries) {
    for await (const _ of readEntry(zip, entry, { ...options, limits }, budget)) {
      // reading counts and checks the bytes
    }
  }
}

async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry, void, undefined> {
  const entries = zip.eachEntry()
  for (;;) {
    const next = await orUnreadable(entries.next())
    if (next.done) return
    yield next.value
  }
}

async function* refuseArchive(chunks: AsyncIterable<Uint8Array>): Chunks {
  let first = true
  for await (const chunk of chunks) {
    const packing = first ? detectFormat(chunk) : undefined
    if (packing !== undefined) {
      const what = packing === 'compound' ? 'a workbook' : 'an archive'
      throw new UnreadableDocument('document', `is ${what} inside an archive, which is not opened`)
    }
    first = false
    yield chunk
  }
}

/** The entry's bytes, inflated here and not by yauzl, so that gzip and ZIP have the same limits. */
async function* readEntry(
  zip: ZipFile,
  entry: Entry,
  { limits, onBytesRead }: UnpackOptions,
  archive: ArchiveBudget,
): Chunks {
  const stored = entry.compressionMethod === 0
  if (entry.isEncrypted()) throw new UnreadableDocument('archive', 'the entry is encrypted')
  if (!stored && entry.compressionMethod !== 8) {
    throw new UnreadableDocument(
      'archive',
      `the entry is compressed by method ${entry.compressionMethod}; only deflate is read`,
    )
  }
  const stream = await orUnreadable(zip.openReadStreamPromise(entry, { decodeFileData: false }))
  const raw = observe(zipBytes(stream), onBytesRead)
  const chunks = stored ? measured(raw, limits, archive) : inflate(raw, 'deflate-raw', limits, archive)
  let checksum = 0
  for await (const chunk of chunks) {
    checksum = crc32(chunk, checksum)
    yield chunk
  }
  if (checksum !== entry.crc32)
    throw new UnreadableDocument('archive', 'the entry is damaged: its checksum does not fit its content')
}

async function* measured(chunks: AsyncIterable<Uint8Array>, limits: ReadLimits, archive: ArchiveBudget): Chunks {
  const guard = sizeGuard(limits, archive)
  for await (const chunk of chunks) {
    guard.in(chunk.length)
    guard.out(chunk.length)
    yield chunk
  }
}

async function* zipBytes(stream: AsyncIterable<Uint8Array>): Chunks {
  const chunks = stream[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await orUnreadable(chunks.next())
      if (next.done) return
      yield next.value
    }
  } finally {
    await chunks.return?.()
  }
}

/** Converts yauzl's plain errors, which mean damage; rethrows file-system errors unchanged. */
async function orUnreadable<Value>(pending: Promise<Value>): Promise<Value> {
  try {
    return await pending
  } catch (err) {
    if (!(err instanceof Error) || 'syscall' in err) throw err
    throw new UnreadableDocument('archive', `not a sound ZIP file (${err.message})`)
  }
}

type Chunks = AsyncGenerator<Uint8Array, void, undefined>

const INFLATERS = { gzip: createGunzip, 'deflate-raw': createInflateRaw }

/** Decompressed bytes still allowed for all documents of one archive together. */
interface ArchiveBudget {
  bytesLeft: number
}

/** Yields the decompressed bytes; fails with UnreadableDocument at a limit, or where the data is damaged or truncated. */
async function* inflate(
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
        await nextTurn() // a chunk may hold thousands of rows; let the event loop serve the database and requests in between
      }
    }
  } catch (err) {
    if (isZlibError(err)) throw new UnreadableDocument('compressed data', `damaged or cut off (${err.message})`)
    throw err
  }
}

/** Passes chunks through and reports the size of each. */
async function* observe(chunks: AsyncIterable<Uint8Array>, onBytes: (bytes: number) => void): Chunks {
  for await (const chunk of chunks) {
    onBytes(chunk.length)
    yield chunk
  }
}

/** Counts bytes in and out of one document and throws UnreadableDocument at a limit. */
function sizeGuard(limits: ReadLimits, archive: ArchiveBudget) {
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
