/**
 * Streams the `<offerta>` elements of the free-market XML, each as a small tree. A day has 20 MB, with kilobytes of free text per
 * offer, of which only the beginning is kept. No document type, no foreign entity, nothing deep: anything else is refused.
 */
import { SaxesParser } from 'saxes'
import { UnreadableDocument } from '../faults.ts'
import { OFFER, ROOT } from './codes.ts'

const DEPTH_MAX = 16
const ELEMENTS_PER_OFFER_MAX = 20_000
/** Characters without a tag beginning or ending; the longest descriptions have some thousands. */
const TAGLESS_MAX = 1024 * 1024
const TEXT_KEPT_MAX = 200

export interface OfferElement {
  name: string
  /** Trimmed; cut after 200 characters. Empty elements have none. */
  text: string
  children: OfferElement[]
  /** Line of the end tag. */
  line: number
}

/** Yields every offer; then fails with UnreadableDocument where the text breaks off or is not such a document. */
export async function* readOffers(text: AsyncIterable<string>): AsyncGenerator<OfferElement, void, undefined> {
  const reader = new OfferReader()
  for await (const chunk of text) {
    reader.read(chunk)
    yield* reader.takeOffers()
  }
  reader.end()
}

class OfferReader {
  readonly #parser = new SaxesParser({ xmlns: false })
  /** Open elements below the root, the offer first. */
  readonly #open: OfferElement[] = []
  #depth = 0
  #elements = 0
  #offers: OfferElement[] = []
  #charactersSinceTag = 0

  constructor() {
    const parser = this.#parser
    parser.on('error', (err) => {
      throw this.#unreadable(`cut off or not well-formed (${err.message.replace(/^\d+:\d+: /, '')})`)
    })
    parser.on('doctype', () => {
      throw this.#unreadable('has a document type declaration (DOCTYPE), which is refused: entities are never expanded')
    })
    parser.on('opentag', ({ name }) => this.#enter(withoutPrefix(name)))
    parser.on('closetag', () => this.#leave())
    parser.on('text', (text) => this.#addText(text))
    parser.on('cdata', (text) => this.#addText(text))
  }

  read(chunk: string): void {
    this.#charactersSinceTag += chunk.length
    this.#parser.write(chunk)
    if (this.#charactersSinceTag > TAGLESS_MAX + chunk.length) throw this.#unreadable('more than 1 MiB without a tag')
  }

  end(): void {
    this.#parser.close()
  }

  takeOffers(): OfferElement[] {
    const offers = this.#offers
    this.#offers = []
    return offers
  }

  #enter(name: string): void {
    this.#charactersSinceTag = 0
    this.#depth += 1
    this.#elements += 1
    if (this.#depth === 1 && name !== ROOT) throw this.#unreadable(`begins with <${name}>, not with <${ROOT}>`)
    if (this.#depth > DEPTH_MAX) throw this.#unreadable(`nests more than ${DEPTH_MAX} elements`)
    if (this.#elements > ELEMENTS_PER_OFFER_MAX) {
      throw this.#unreadable(`an offer has more than ${ELEMENTS_PER_OFFER_MAX} elements`)
    }
    if (this.#depth === 1) return
    if (this.#depth === 2 && name !== OFFER) throw this.#unreadable(`holds <${name}> where <${OFFER}> belongs`)
    const element: OfferElement = { name, text: '', children: [], line: 0 }
    this.#open.at(-1)?.children.push(element)
    this.#open.push(element)
  }

  #leave(): void {
    this.#charactersSinceTag = 0
    this.#depth -= 1
    const element = this.#open.pop()
    if (element === undefined) return
    element.text = element.text.trim()
    element.line = this.#parser.line
    if (this.#open.length > 0) return
    this.#offers.push(element)
    this.#elements = 0
  }

  #addText(text: string): void {
    const element = this.#open.at(-1)
    if (element === undefined || element.text.length >= TEXT_KEPT_MAX) return
    element.text += element.text === '' ? text.trimStart().slice(0, TEXT_KEPT_MAX) : text.slice(0, TEXT_KEPT_MAX)
  }

  #unreadable(detail: string): UnreadableDocument {
    return new UnreadableDocument(`line ${this.#parser.line}`, detail)
  }
}

function withoutPrefix(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
