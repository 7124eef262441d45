/**
 * Bytes to text. UTF-8 only, but for documents that are known to come otherwise: a wrong guess of the encoding would pass unnoticed
 * until a sign or a name is wrong.
 */
import { isUtf8 } from 'node:buffer'
import { NGP_BEGINNING } from '../publishers/eex-ttf/codes.ts'
import { UnreadableDocument } from '../publishers/faults.ts'

const LINE_FEED = 0x0a

/** A byte-order mark is dropped; a byte that is not UTF-8 fails with UnreadableDocument. */
export async function* decodeText(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  let decoder = new TextDecoder('utf-8', { fatal: true })
  let bytes = 0
  for await (const chunk of chunks) {
    if (bytes === 0 && isKnownInWindows1252(chunk)) decoder = new TextDecoder('windows-1252')
    yield decode(decoder, bytes, chunk)
    bytes += chunk.length
  }
  yield decode(decoder, bytes)
}

/** The neutral gas price's header has a euro sign, which some editions write in Windows-1252; it is all that is not ASCII in them. */
function isKnownInWindows1252(firstChunk: Uint8Array): boolean {
  const firstLine = firstChunk.subarray(0, firstChunk.indexOf(LINE_FEED) + 1)
  return Buffer.from(firstLine).toString('latin1').startsWith(NGP_BEGINNING) && !isUtf8(firstLine)
}

function decode(decoder: TextDecoder, offset: number, chunk?: Uint8Array): string {
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true })
  } catch (err) {
    if (!(err instanceof TypeError)) throw err
    throw new UnreadableDocument(`byte ${offset} or later`, 'is not UTF-8 text')
  }
}

export interface PeekedText {
  /** The first characters: `atLeast`, or the whole text where it is shorter. */
  head: string
  /** The whole text, the head included. */
  all: AsyncIterable<string>
}

/** Reads far enough into the text to see what it is. Where it breaks off before that, the failure waits behind what was read. */
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
