/**
 * Reads the documents of a file and their items one after another, in constant memory:
 *
 *     for await (const document of readDocuments(path)) {
 *       for await (const item of document.parsed) await session.add(item, …)
 *     }
 *
 * Any problem with a document is yielded as a `document-fault` item, after the valid and complete items before it. Only system failures
 * (no such file, disk error) are thrown.
 */

import { type MarketDay, parseCompactDay } from '../market/market-day.ts'
import type { DocumentHints } from '../publishers/documents.ts'
import { NothingPublished, UnreadableDocument } from '../publishers/faults.ts'
import type { Items, Parsed } from '../publishers/observations.ts'
import { isRecord, type JsonRecord, readJson } from '../publishers/reading/json-document.ts'
import { READ_LIMITS, type ReadLimits, type UnpackedDocument, unpack } from './archives.ts'
import { decodeText, HEAD_CHARACTERS, peek, type Recognised, recognise, recogniseWorkbook } from './recognise.ts'
import { openSourceFile, type SourceFile, sourceFileFromBytes } from './source-file.ts'
import { contradictCompanionZeros } from './zero-runs.ts'

export interface SourceDocument {
  /** Base name of the file; for an archive entry, `archive.zip!entry.xml`. */
  name: string
  /** Hash of the file as found; for an entry, the hash of its archive. */
  sha256: string
  /** Size of the file as found. */
  bytes: number
  /** Format of the document, or `unreadable`. */
  kind: string
  /** Id of the publisher, if the form of the document identifies it. */
  source?: string
  /** Can be read once, before the next document is requested; unread items are skipped. */
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

/** Reads an open or fetched file. */
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
    const parsed = catchFaults(crossCheck(recognised, all, name))
    const { kind, source } = recognised
    yield { name, sha256: file.sha256, bytes: file.bytes, kind, source, parsed }
  } catch (err) {
    yield unreadable(name, file, err)
  } finally {
    await text.return()
  }
}

/** Reads the documents of a file that is embedded in an API response. */
async function* readEnvelope(content: Buffer, file: SourceFile, options: ReadOptions): SourceDocuments {
  const inner = await sourceFileFromBytes(`${file.name}!content`, content)
  for await (const unpacked of unpack(inner, { limits: options.limits ?? READ_LIMITS, onBytesRead: () => {} })) {
    yield* readDocument(unpacked, file, options)
  }
}

async function* readWorkbook({ name, chunks }: UnpackedDocument, file: SourceFile): SourceDocuments {
  try {
    const { kind, source, parse } = await recogniseWorkbook(Buffer.concat(await Array.fromAsync(chunks)))
    yield { name, sha256: file.sha256, bytes: file.bytes, kind, source, parsed: catchFaults(parse(emptyText())) }
  } catch (err) {
    yield unreadable(name, file, err)
  }
}

async function* emptyText(): AsyncGenerator<string, void, undefined> {}

/** Adds the faults that only a comparison between items, or with the file name, can show. */
function crossCheck(
  { parse, daysAfterName }: Recognised,
  text: AsyncIterable<string>,
  name: string,
): AsyncIterable<Parsed> {
  const parsed = contradictCompanionZeros(parse(text))
  return daysAfterName === undefined ? parsed : refuseWrongDay(parsed, name, daysAfterName)
}

async function* catchFaults(parsed: AsyncIterable<Parsed>): Items {
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

/** Converts a fault of the document to an item; rethrows any other error. */
function documentFault(err: unknown): Parsed {
  if (err instanceof NothingPublished) return { kind: 'document-fault', fault: err.fault, nothingPublished: true }
  if (err instanceof UnreadableDocument) return { kind: 'document-fault', fault: err.fault }
  throw err
}

// Responses of GME's API embed a file: `{"contentResponse": "<base64 of a ZIP>", "formatType": …, "resultRequest": null}`. An error is
// text in `resultRequest`, possibly with HTTP 200. The field names are reported in different spellings.

const CONTENT = 'contentresponse'
const RESULT = 'resultrequest'
/** Likely wordings for "no data for the requested days"; none has been observed. */
const NO_DATA = /\b(no (data|results?|records?)|not (available|found|published)|nessun)/i
const REASON_CHARACTERS_MAX = 300

/** Whether the first characters of a document are those of such a response. */
function isEnvelope(head: string): boolean {
  return head.trimStart().startsWith('{') && new RegExp(`"(?:${CONTENT}|${RESULT})"\\s*:`, 'i').test(head)
}

/** Returns the embedded file. Fails with UnreadableDocument if there is none, quoting the publisher's reason if it gives one. */
async function openEnvelope(text: AsyncIterable<string>): Promise<Buffer> {
  const body = await readJson(text)
  if (!isRecord(body)) throw new UnreadableDocument('document', 'is no answer of the API')
  const content = fieldOf(body, CONTENT)
  if (typeof content !== 'string' || content === '') {
    const result = fieldOf(body, RESULT)
    if (typeof result !== 'string' || result === '' || NO_DATA.test(result)) {
      throw new NothingPublished('document', `the publisher answers without data (${result || 'no reason is given'})`)
    }
    throw new UnreadableDocument(
      'document',
      `the publisher answers without data (${result.slice(0, REASON_CHARACTERS_MAX)})`,
    )
  }
  if (!/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(content)) {
    throw new UnreadableDocument('document', 'the content of the answer is not base64')
  }
  return Buffer.from(content, 'base64')
}

function fieldOf(body: JsonRecord, lowerCaseName: string): unknown {
  return Object.entries(body).find(([name]) => name.toLowerCase() === lowerCaseName)?.[1]
}

// GME's file names begin with a day: for electricity the market day, for gas the day of the session, which is one day before delivery.
// A file that holds only one day is refused if its name states another.

/** `20260114MGPPrezzi.xml` names 2026-01-14, also as an entry `x.zip!prices/20260114MGPPrezzi.xml`; undefined if no day is named. */
export function dayInFileName(fileName: string): MarketDay | undefined {
  const baseName = fileName.split(/[!/\\]/).at(-1) ?? ''
  return parseCompactDay(/^\d{8}(?!\d)/.exec(baseName)?.[0] ?? '')
}

/**
 * Passes items through. If all are of one day and the file name states another, each gets the fault `wrong_day`. The expected day is
 * `daysAfterName` days after the one in the name.
 */
async function* refuseWrongDay(parsed: AsyncIterable<Parsed>, fileName: string, daysAfterName = 0): Items {
  const named = dayInFileName(fileName)?.add({ days: daysAfterName })
  if (named === undefined) return yield* parsed

  // Buffers the items of the first day until a second day shows that the document covers several.
  let buffered: Parsed[] | undefined = []
  try {
    for await (const item of parsed) {
      buffered?.push(item)
      if (buffered === undefined) yield item
      else if (daysOf(buffered).size > 1) {
        yield* buffered
        buffered = undefined
      }
    }
  } catch (err) {
    yield* withWrongDay(buffered ?? [], named)
    throw err
  }
  yield* withWrongDay(buffered ?? [], named)
}

function daysOf(items: Parsed[]): Set<string> {
  return new Set(items.flatMap((item) => ('day' in item ? [item.day.toString()] : [])))
}

function withWrongDay(items: Parsed[], named: MarketDay): Parsed[] {
  for (const item of items) {
    if (item.kind === 'document-fault' || item.day.equals(named)) continue
    item.faults.push({ code: 'wrong_day', place: 'document', detail: `holds ${item.day}, but its name says ${named}` })
  }
  return items
}
