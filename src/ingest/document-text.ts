/**
 * Bytes to text. UTF-8 only, except for documents known to use another encoding: a wrong guess would go unnoticed until a sign or a
 * name is garbled.
 */
import { isUtf8 } from 'node:buffer'
import { UnreadableDocument } from '../publishers/faults.ts'
import { PUBLISHERS } from '../publishers/index.ts'

const LINE_FEED = 0x0a
/** First lines of the documents that are known to exist in Windows-1252. */
const WINDOWS_1252 = PUBLISHERS.flatMap(({ documents }) => documents.flatMap(({ windows1252 }) => windows1252 ?? []))

/** A byte-order mark is dropped; a byte that is not UTF-8 fails with UnreadableDocument. */
export async function* decodeText(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  let decoder = new TextDecoder('utf-8', { fatal: true })
  let bytes = 0
  for await (const chunk of chunks) {
    if (bytes === 0) refuseOtherThanText(chunk)
    if (bytes === 0 && isKnownInWindows1252(chunk)) decoder = new TextDecoder('windows-1252')
    yield decode(decoder, bytes, chunk)
    bytes += chunk.length
  }
  yield decode(decoder, bytes)
}

/** Spreadsheets save UTF-16 as "Unicode text": every other byte of its first letters is 0, as in many binary files, and in UTF-8 none. */
function refuseOtherThanText(firstChunk: Uint8Array): void {
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
  /** The first characters: `atLeast`, or the whole text where it is shorter. */
  head: string
  /** The whole text, the head included. */
  all: AsyncIterable<string>
}

/** Reads enough of the text to recognise it. Where it breaks off before that, the failure follows what was read. */
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
    return { head, all: followedBy(head, failing(err)) }
  }
  return { head, all: followedBy(head, text) }
}

async function* followedBy(head: string, rest: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  yield head
  yield* rest
}

// biome-ignore lint/correctness/useYield: a text of no characters that ends in the failure
async function* failing(err: unknown): AsyncGenerator<string, void, undefined> {
  throw err
}
