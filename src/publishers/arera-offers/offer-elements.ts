/**
 * Streams the `<offerta>` elements of the free-market XML, each as a small tree. A day has 20 MB, with kilobytes of free text per
 * offer; only the beginning of each text is kept.
 */
import { GuardedXmlReader } from '../reading/guarded-xml.ts'
import { OFFER, ROOT } from './codes.ts'

/** The longest descriptions have a few thousand characters. */
const LIMITS = { roots: [ROOT], depthMax: 16, taglessMax: 1024 * 1024 }
const ELEMENTS_PER_OFFER_MAX = 20_000
const TEXT_KEPT_MAX = 200

export interface OfferElement {
  name: string
  /** Trimmed, and truncated some time after 200 characters; empty for empty elements. */
  text: string
  children: OfferElement[]
  /** Line of the end tag. */
  line: number
}

/** Yields every offer; then fails with UnreadableDocument if the text is truncated or is not such a document. */
export function readOffers(text: AsyncIterable<string>): AsyncGenerator<OfferElement, void, undefined> {
  return new OfferReader(LIMITS).read(text)
}

class OfferReader extends GuardedXmlReader<OfferElement> {
  /** Open elements below the root, the offer first. */
  readonly #open: OfferElement[] = []
  #elements = 0

  protected enter(name: string): void {
    this.#elements += 1
    if (this.#elements > ELEMENTS_PER_OFFER_MAX) {
      throw this.unreadable(`an offer has more than ${ELEMENTS_PER_OFFER_MAX} elements`)
    }
    if (this.path.length === 1) return
    if (this.path.length === 2 && name !== OFFER) throw this.unreadable(`holds <${name}> where <${OFFER}> belongs`)
    const element: OfferElement = { name, text: '', children: [], line: 0 }
    this.#open.at(-1)?.children.push(element)
    this.#open.push(element)
  }

  protected leave(): void {
    const element = this.#open.pop()
    if (element === undefined) return
    element.text = element.text.trim()
    element.line = this.line
    if (this.#open.length > 0) return
    this.emit(element)
    this.#elements = 0
  }

  protected addText(text: string): void {
    const element = this.#open.at(-1)
    if (element === undefined || element.text.length >= TEXT_KEPT_MAX) return
    element.text += element.text === '' ? text.trimStart().slice(0, TEXT_KEPT_MAX) : text.slice(0, TEXT_KEPT_MAX)
  }
}
