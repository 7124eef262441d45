/**
 * Reads untrusted XML as a stream of items. Refuses document type declarations, entities other than the five predefined ones, and input
 * beyond limits of depth and length; nothing is expanded. Each format is a subclass that handles entering and leaving an element.
 */
import { SaxesParser } from 'saxes'
import { UnreadableDocument } from '../faults.ts'

interface XmlLimits {
  /** Names that the root may have, the expected one first. */
  roots: readonly string[]
  depthMax: number
  /** Maximum number of characters without a tag. */
  taglessMax: number
}

export abstract class GuardedXmlReader<Item> {
  /** Names of the open elements without their prefix, the root first. */
  protected readonly path: string[] = []
  readonly #parser = new SaxesParser()
  readonly #taglessMax: number
  #items: Item[] = []
  #charactersSinceTag = 0

  constructor({ roots, depthMax, taglessMax }: XmlLimits) {
    this.#taglessMax = taglessMax
    const parser = this.#parser
    parser.on('error', (err) => {
      throw this.unreadable(`cut off or not well-formed (${err.message.replace(/^\d+:\d+: /, '')})`)
    })
    parser.on('doctype', () => {
      throw this.unreadable('has a document type declaration (DOCTYPE), which is refused: entities are never expanded')
    })
    parser.on('opentag', (tag) => {
      const name = tag.name.slice(tag.name.indexOf(':') + 1)
      this.#charactersSinceTag = 0
      this.path.push(name)
      if (this.path.length === 1 && !roots.includes(name))
        throw this.unreadable(`begins with <${name}>, not with <${roots[0]}>`)
      if (this.path.length > depthMax) throw this.unreadable(`nests more than ${depthMax} elements`)
      this.enter(name)
    })
    parser.on('closetag', () => {
      this.#charactersSinceTag = 0
      this.leave(this.path.at(-1) ?? '')
      this.path.pop()
    })
    parser.on('text', (text) => this.addText(text))
    parser.on('cdata', (text) => this.addText(text))
  }

  /** Yields each item once it is read; then fails with UnreadableDocument if the text is truncated or is not such a document. */
  async *read(text: AsyncIterable<string>): AsyncGenerator<Item, void, undefined> {
    for await (const chunk of text) yield* this.#itemsOf(() => this.#write(chunk))
    yield* this.#itemsOf(() => this.#parser.close())
  }

  /** Called when the element has been added to the path. */
  protected abstract enter(name: string): void
  /** Called while the element is still on the path. */
  protected abstract leave(name: string): void
  protected abstract addText(text: string): void

  protected emit(item: Item): void {
    this.#items.push(item)
  }

  protected get line(): number {
    return this.#parser.line
  }

  protected unreadable(detail: string): UnreadableDocument {
    return new UnreadableDocument(`line ${this.line}`, detail)
  }

  #write(chunk: string): void {
    this.#charactersSinceTag += chunk.length
    this.#parser.write(chunk)
    if (this.#charactersSinceTag > this.#taglessMax + chunk.length)
      throw this.unreadable(`more than ${this.#taglessMax / 1024} KiB without a tag`)
  }

  *#itemsOf(step: () => void): Generator<Item, void, undefined> {
    let failure: UnreadableDocument | undefined
    try {
      step()
    } catch (err) {
      if (!(err instanceof UnreadableDocument)) throw err
      failure = err
    }
    const items = this.#items
    this.#items = []
    yield* items
    if (failure) throw failure
  }
}
