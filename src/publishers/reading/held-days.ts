/**
 * Days that are still being read. Rows of one day need not be adjacent, so a day is held until the document ends or until
 * `HELD_DAYS_MAX` others have been begun after it; that bounds memory however long the document is.
 */
import { UnreadableDocument } from '../faults.ts'
import type { DocumentFault } from '../observations.ts'

/** Nearly three years: a yearly file sorted by hour or by zone still comes out in whole days. */
const HELD_DAYS_MAX = 1_000

const IMPOSSIBLE_DATES_MAX = 100
const NOTHING: readonly never[] = []

/** `itemsOf` gives the items of a day; `isBroken` where the document breaks off in that day. */
export abstract class HeldDays<Day, Item> {
  readonly #days = new Map<string, Day>()
  readonly #impossibleDates = new Set<string>()
  readonly #faults: DocumentFault[] = []
  readonly #overdue: Day[] = []
  /** The day of the row that was read last. */
  protected current: Day | undefined

  protected abstract itemsOf(day: Day, isBroken: boolean): Item[]

  /** The day under that key, begun where it is new; undefined where it cannot be. */
  protected held<Begun extends Day | undefined>(key: string, begin: () => Begun): Day | Begun {
    const known = this.#days.get(key)
    const day = known ?? begin()
    if (day === undefined) return day
    if (known === undefined) this.#hold(key, day)
    this.current = day
    return day
  }

  #hold(key: string, day: Day): void {
    this.#days.set(key, day)
    if (this.#days.size <= HELD_DAYS_MAX) return
    const [oldestKey, oldest] = this.#days.entries().next().value as [string, Day]
    this.#days.delete(oldestKey)
    this.#overdue.push(oldest)
  }

  /** A row without a valid day: each text is reported once. Throws on a document with no other rows. */
  reportImpossibleDate(place: string, detail: string): void {
    if (this.#impossibleDates.has(detail)) return
    if (this.#impossibleDates.size >= IMPOSSIBLE_DATES_MAX) {
      throw new UnreadableDocument(place, `more than ${IMPOSSIBLE_DATES_MAX} rows belong to no day, reading stops here`)
    }
    this.#impossibleDates.add(detail)
    this.#faults.push({ kind: 'document-fault', fault: { code: 'impossible_date', place, detail } })
  }

  /** The days of a document that `read` parses in parts: each when it has been held long enough, the rest at the end or where the document breaks off. */
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

  /** Reports so far, and days that have been held long enough; without regular calls, days are held until the end. */
  takeOverdue(): readonly (Item | DocumentFault)[] {
    if (this.#faults.length + this.#overdue.length === 0) return NOTHING
    return [...this.#faults.splice(0), ...this.#overdue.splice(0).flatMap((day) => this.itemsOf(day, false))]
  }

  /** Everything that is left, at the end of the document. */
  takeAll(): (Item | DocumentFault)[] {
    return this.#takeLeft({ afterBreak: false })
  }

  #takeLeft({ afterBreak }: { afterBreak: boolean }): (Item | DocumentFault)[] {
    const left = [...this.#days.values()]
    this.#days.clear()
    return [...this.takeOverdue(), ...left.flatMap((day) => this.itemsOf(day, afterBreak && day === this.current))]
  }
}
