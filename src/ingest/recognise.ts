/** Finds a document's form, publisher and parser by trying each publisher's forms in turn. A file's name is never trusted. */

import { isUtf8 } from 'node:buffer'
import type { DocumentForm, DocumentHints, Parse, TextHead } from '../publishers/documents.ts'
import { NothingPublished, UnreadableDocument } from '../publishers/faults.ts'
import { GENERIC_DOCUMENTS, PUBLISHERS } from '../publishers/index.ts'
import { readWorkbook } from '../publishers/reading/workbook.ts'

/** Enough for the longest header line and for an XML prolog with comments. */
export const HEAD_CHARACTERS = 64 * 1024

export interface Recognised extends Pick<DocumentForm, 'kind' | 'daysAfterName'> {
  /** Id of the publisher; absent if the form belongs to no particular one. */
  source?: string
  parse: Parse
}

/** Fails with UnreadableDocument, naming what was found, for anything that is not imported. */
export function recognise(head: string, fileName: string, hints: DocumentHints): Recognised {
  const text = headOf(head, fileName, hints)
  const recognised = firstMatch((form) => form.ofText?.(text))
  if (recognised !== undefined) return recognised
  if (text.json !== undefined) throw new UnreadableDocument('document', 'is JSON of no known publisher')
  if (text.root !== undefined) {
    throw new UnreadableDocument('document', `is XML with the root <${text.root}>, of no known publisher`)
  }
  for (const form of GENERIC_DOCUMENTS) {
    const parse = form.ofText?.(text)
    if (parse !== undefined) return { kind: form.kind, parse }
  }
  throw new UnreadableDocument('document', 'is text of no known publisher')
}

/** Recognises a workbook by its sheets. The returned parser has them already and ignores its input. */
export async function recogniseWorkbook(bytes: Uint8Array): Promise<Recognised> {
  const sheets = await readWorkbook(bytes)
  const recognised = firstMatch((form) => form.ofWorkbook?.(sheets))
  if (recognised !== undefined) return recognised
  const names = sheets.slice(0, 5).map(({ name }) => JSON.stringify(name))
  throw new UnreadableDocument(
    'workbook',
    `is a workbook without a table of a known publisher (sheets ${names.join(', ')}), which is not imported: save the sheet as CSV`,
  )
}

/** Returns the form that matches the document; at most one does (`test/unit/publishers/conformity.test.ts`). */
function firstMatch(matchForm: (form: DocumentForm) => Parse | undefined): Recognised | undefined {
  for (const { id: source, documents } of PUBLISHERS) {
    for (const form of documents) {
      const parse = matchForm(form)
      if (parse !== undefined) return { ...form, source, parse }
    }
  }
  return undefined
}

/** Classifies the beginning of a text as XML, JSON or lines. Throws UnreadableDocument if no form could match it. */
export function headOf(head: string, fileName: string, hints: DocumentHints): TextHead {
  const text = head.trimStart()
  if (text === '') throw new UnreadableDocument('document', 'is empty')
  if (/^\[\s*\]\s*$/.test(text)) throw new NothingPublished('document', 'is an empty list')
  if (text.startsWith('<')) return { ...xmlHead(text), fileName, hints }
  if (/^[[{]/.test(text)) return { json: text, fileName, hints }
  return { firstLine: firstLine(head), fileName, hints }
}

function xmlHead(text: string): Required<Pick<TextHead, 'xml' | 'root'>> {
  const xml = text.replace(/^(?:\s+|<\?[\s\S]*?\?>|<!--[\s\S]*?-->)+/, '')
  if (/^<!DOCTYPE/i.test(xml)) {
    throw new UnreadableDocument(
      'document',
      'has a document type declaration (DOCTYPE), which is refused: entities are never expanded',
    )
  }
  return { xml, root: /^<(?:[\w.-]+:)?([\w.-]+)/.exec(xml)?.[1] ?? '' }
}

function firstLine(head: string): string {
  const end = head.search(/\r?\n/)
  if (end < 0 && head.length >= HEAD_CHARACTERS) {
    throw new UnreadableDocument('document', 'is neither XML nor CSV: its first line does not end')
  }
  return end < 0 ? head : head.slice(0, end)
}

// Bytes to text. UTF-8 only, except for documents known to use another encoding: a wrong guess would go unnoticed until a sign or a
// name is garbled.

const LINE_FEED = 0x0a
/** First lines of the documents that are known to exist in Windows-1252. */
const WINDOWS_1252 = PUBLISHERS.flatMap(({ documents }) => documents.flatMap(({ windows1252 }) => windows1252 ?? []))

/** Drops a byte-order mark; fails with UnreadableDocument at a byte that is not UTF-8. */
export async function* decodeText(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  let decoder = new TextDecoder('utf-8', { fatal: true })
  let bytes = 0
  for await (const chunk of chunks) {
    if (bytes === 0) refuseNonText(chunk)
    if (bytes === 0 && isKnownInWindows1252(chunk)) decoder = new TextDecoder('windows-1252')
    yield decode(decoder, bytes, chunk)
    bytes += chunk.length
  }
  yield decode(decoder, bytes)
}

/** Refuses UTF-16, which spreadsheets save as "Unicode text", and binary files. Both start with zero bytes, UTF-8 text does not. */
function refuseNonText(firstChunk: Uint8Array): void {
  const head = firstChunk.subarray(0, 4)
  const isMarked = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)
  if (isMarked) throw new UnreadableDocument('document', 'is UTF-16 text, which is not read: save it as UTF-8')
  if (head.includes(0)) throw new UnreadableDocument('document', 'is UTF-16 text or no text at all: only UTF-8 is read')
}

/** An edition is in Windows-1252 only if its first line is not UTF-8. */
function isKnownInWindows1252(firstChunk: Uint8Array): boolean {
  const firstLine = firstChunk.subarray(0, firstChunk.indexOf(LINE_FEED) + 1)
  const text = Buffer.from(firstLine).toString('latin1')
  return WINDOWS_1252.some((beginning) => text.startsWith(beginning)) && !isUtf8(firstLine)
}

function decode(decoder: TextDecoder, offset: number, chunk?: Uint8Array): string {
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true })
  } catch (err) {
    if (!(err instanceof TypeError)) throw err
    throw new UnreadableDocument(`byte ${offset} or later`, 'is not UTF-8 text')
  }
}

interface PeekedText {
  /** At least the first `atLeast` characters, or the whole text if it is shorter. */
  head: string
  /** The whole text, the head included. */
  all: AsyncIterable<string>
}

/** Reads enough of the text to recognise it. If reading fails before that, `all` yields the text read so far and then fails. */
export async function peek(text: AsyncGenerator<string, void, undefined>, atLeast: number): Promise<PeekedText> {
  let head = ''
  try {
    while (head.length < atLeast) {
      const next = await text.next()
      if (next.done) break
      head += next.value
    }
  } catch (err) {
    if (head === '') throw err
    return { head, all: headFollowedBy(head, failing(err)) }
  }
  return { head, all: headFollowedBy(head, text) }
}

async function* headFollowedBy(head: string, rest: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  yield head
  yield* rest
}

// biome-ignore lint/correctness/useYield: a text of no characters that ends in the failure
async function* failing(err: unknown): AsyncGenerator<string, void, undefined> {
  throw err
}
