/**
 * Buffers days while they are being read. Rows of a day need not be adjacent, so a day is held until the document ends or until
 * `BUFFERED_DAYS_MAX` later days have begun; this bounds memory for documents of any length.
 */
import { UnreadableDocument } from '../faults.ts'
import type { DocumentFault } from '../observations.ts'

/** Nearly three years: a yearly file sorted by hour or by zone still yields whole days. */
const BUFFERED_DAYS_MAX = 1_000

const IMPOSSIBLE_DATES_MAX = 100
const NOTHING: readonly never[] = []

/** `itemsOf` returns the items of a day; `isTruncated` is true if the document breaks off in that day. */
export abstract class DayBuffer<Day, Item> {
  readonly #days = new Map<string, Day>()
  readonly #impossibleDates = new Set<string>()
  readonly #faults: DocumentFault[] = []
  readonly #overdue: Day[] = []
  /** The day of the row that was read last. */
  protected current: Day | undefined

  protected abstract itemsOf(day: Day, isTruncated: boolean): Item[]

  /** Returns the day under that key, created by `begin` if it is new; undefined if it cannot be created. */
  protected getOrCreate<Begun extends Day | undefined>(key: string, begin: () => Begun): Day | Begun {
    const known = this.#days.get(key)
    const day = known ?? begin()
    if (day === undefined) return day
    if (known === undefined) this.#hold(key, day)
    this.current = day
    return day
  }

  #hold(key: string, day: Day): void {
    this.#days.set(key, day)
    if (this.#days.size <= BUFFERED_DAYS_MAX) return
    const [oldestKey, oldest] = this.#days.entries().next().value as [string, Day]
    this.#days.delete(oldestKey)
    this.#overdue.push(oldest)
  }

  /** Reports a row without a valid day, once per `detail`. Throws if more than `IMPOSSIBLE_DATES_MAX` differ. */
  reportImpossibleDate(place: string, detail: string): void {
    if (this.#impossibleDates.has(detail)) return
    if (this.#impossibleDates.size >= IMPOSSIBLE_DATES_MAX) {
      throw new UnreadableDocument(place, `more than ${IMPOSSIBLE_DATES_MAX} rows belong to no day, reading stops here`)
    }
    this.#impossibleDates.add(detail)
    this.#faults.push({ kind: 'document-fault', fault: { code: 'impossible_date', place, detail } })
  }

  /** Yields the days of a document that `read` parses in parts: overdue days between parts, the rest at the end or before an error. */
  async *itemsFrom<Part>(
    parts: AsyncIterable<Part>,
    read: (part: Part) => void,
  ): AsyncGenerator<Item | DocumentFault, void, undefined> {
    try {
      for await (const part of parts) {
        read(part)
        yield* this.takeOverdue()
      }
    } catch (err) {
      yield* this.#takeLeft({ afterBreak: true })
      throw err
    }
    yield* this.takeAll()
  }

  /** Returns pending reports, and days held long enough. Call it regularly, or all days are held until the end. */
  takeOverdue(): readonly (Item | DocumentFault)[] {
    if (this.#faults.length + this.#overdue.length === 0) return NOTHING
    return [...this.#faults.splice(0), ...this.#overdue.splice(0).flatMap((day) => this.itemsOf(day, false))]
  }

  /** Returns everything that is left at the end of the document. */
  takeAll(): (Item | DocumentFault)[] {
    return this.#takeLeft({ afterBreak: false })
  }

  #takeLeft({ afterBreak }: { afterBreak: boolean }): (Item | DocumentFault)[] {
    const left = [...this.#days.values()]
    this.#days.clear()
    return [...this.takeOverdue(), ...left.flatMap((day) => this.itemsOf(day, afterBreak && day === this.current))]
  }
}
