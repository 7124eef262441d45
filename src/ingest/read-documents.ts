/**
 * The documents of a file and what they state, one after another, in flat memory:
 *
 *     for await (const document of readDocuments(path)) {
 *       for await (const item of document.parsed) await session.add(item, …)
 *     }
 *
 * Whatever is wrong with a document comes as a `document-fault` among its items, after all that was valid and complete before it;
 * only system failures (no such file, disk error) are thrown.
 */
import type { DocumentHints } from '../publishers/documents.ts'
import { NothingPublished, UnreadableDocument } from '../publishers/faults.ts'
import type { Items, Parsed } from '../publishers/observations.ts'
import { type UnpackedDocument, unpack } from './archives.ts'
import { contradictCompanionZeros } from './companion-zeros.ts'
import { decodeText, peek } from './document-text.ts'
import { isEnvelope, openEnvelope } from './envelope.ts'
import { refuseWrongDay } from './named-day.ts'
import { READ_LIMITS, type ReadLimits } from './read-limits.ts'
import { HEAD_CHARACTERS, type Recognised, recognise, recogniseWorkbook } from './recognise.ts'
import { openSourceFile, type SourceFile, sourceFileFromBytes } from './source-file.ts'

export interface SourceDocument {
  /** Base name of the file; of an archive's entry `archive.zip!entry.xml`. */
  name: string
  /** Hash of the file as found: for an entry, of its archive. */
  sha256: string
  /** Size of the file as found. */
  bytes: number
  /** Of the form it has, or `unreadable`. */
  kind: string
  /** Id of the publisher, where the document's own form says whose it is. */
  source?: string
  /** To be read once, before the next document is requested; what is left unread is skipped. */
  parsed: AsyncIterable<Parsed>
}

type SourceDocuments = AsyncGenerator<SourceDocument, void, undefined>

export interface ReadOptions extends DocumentHints {
  /** Called after each chunk with the number of bytes of the file read so far, out of `bytesTotal`. */
  onProgress?(bytesRead: number, bytesTotal: number): void
  limits?: ReadLimits
}

/** Reads a file from disk. */
export async function* readDocuments(path: string, options: ReadOptions = {}): SourceDocuments {
  await using file = await openSourceFile(path)
  yield* readDocumentsIn(file, options)
}

/** Reads a file that is open, or was fetched. */
export async function* readDocumentsIn(file: SourceFile, options: ReadOptions = {}): SourceDocuments {
  let bytesRead = 0
  const onBytesRead = (bytes: number) => {
    bytesRead += bytes
    options.onProgress?.(bytesRead, file.bytes)
  }
  try {
    for await (const unpacked of unpack(file, { limits: options.limits ?? READ_LIMITS, onBytesRead })) {
      yield* unpacked.form === 'workbook' ? readWorkbook(unpacked, file) : readDocument(unpacked, file, options)
    }
  } catch (err) {
    yield unreadable(file.name, file, err)
  }
}

async function* readDocument(unpacked: UnpackedDocument, file: SourceFile, options: ReadOptions): SourceDocuments {
  const { name } = unpacked
  const text = decodeText(unpacked.chunks)
  try {
    const { head, all } = await peek(text, HEAD_CHARACTERS)
    if (isEnvelope(head)) {
      if (name !== file.name)
        throw new UnreadableDocument('document', 'is an archive inside an archive, which is not opened')
      return yield* readEnvelope(await openEnvelope(all), file, options)
    }
    const recognised = recognise(head, name, options)
    const parsed = withFaults(checked(recognised, all, name))
    const { kind, source } = recognised
    yield { name, sha256: file.sha256, bytes: file.bytes, kind, source, parsed }
  } catch (err) {
    yield unreadable(name, file, err)
  } finally {
    await text.return()
  }
}

/** The documents of the file that an answer carries inside. */
async function* readEnvelope(content: Buffer, file: SourceFile, options: ReadOptions): SourceDocuments {
  const inner = await sourceFileFromBytes(`${file.name}!content`, content)
  for await (const unpacked of unpack(inner, { limits: options.limits ?? READ_LIMITS, onBytesRead: () => {} })) {
    yield* readDocument(unpacked, file, options)
  }
}

async function* readWorkbook({ name, chunks }: UnpackedDocument, file: SourceFile): SourceDocuments {
  try {
    const { kind, source, parse } = await recogniseWorkbook(Buffer.concat(await Array.fromAsync(chunks)))
    yield { name, sha256: file.sha256, bytes: file.bytes, kind, source, parsed: withFaults(parse(nothing())) }
  } catch (err) {
    yield unreadable(name, file, err)
  }
}

async function* nothing(): AsyncGenerator<string, void, undefined> {}

/** The document's items with the faults that only its items together, or its name, can show. */
function checked(
  { parse, daysAfterName }: Recognised,
  text: AsyncIterable<string>,
  name: string,
): AsyncIterable<Parsed> {
  const parsed = contradictCompanionZeros(parse(text))
  return daysAfterName === undefined ? parsed : refuseWrongDay(parsed, name, daysAfterName)
}

async function* withFaults(parsed: AsyncIterable<Parsed>): Items {
  try {
    yield* parsed
  } catch (err) {
    yield documentFault(err)
  }
}

function unreadable(name: string, file: SourceFile, err: unknown): SourceDocument {
  const fault = documentFault(err)
  const parsed = (async function* () {
    yield fault
  })()
  return { name, sha256: file.sha256, bytes: file.bytes, kind: 'unreadable', parsed }
}

/** Only faults of documents become items; any other failure is rethrown. */
function documentFault(err: unknown): Parsed {
  if (err instanceof NothingPublished) return { kind: 'document-fault', fault: err.fault, nothingPublished: true }
  if (err instanceof UnreadableDocument) return { kind: 'document-fault', fault: err.fault }
  throw err
}
