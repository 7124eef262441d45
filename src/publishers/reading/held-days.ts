/**
 * Days that are still being read. Rows of one day need not stand together, so a day is held until the document ends or until
 * `HELD_DAYS_MAX` others have been begun after it; that bounds memory however long the document is.
 */
import { UnreadableDocument } from '../faults.ts'
import type { DocumentFault } from '../observations.ts'

/** Nearly three years: a yearly file sorted by hour or by zone still comes out in whole days. */
export const HELD_DAYS_MAX = 1_000

const IMPOSSIBLE_DATES_MAX = 100

export class HeldDays<Day> {
  readonly #days = new Map<string, Day>()
  readonly #impossibleDates = new Set<string>()
  readonly #faults: DocumentFault[] = []
  readonly #overdue: Day[] = []

  get(key: string): Day | undefined {
    return this.#days.get(key)
  }

  hold(key: string, day: Day): void {
    this.#days.set(key, day)
    if (this.#days.size <= HELD_DAYS_MAX) return
    const [oldestKey, oldest] = this.#days.entries().next().value as [string, Day]
    this.#days.delete(oldestKey)
    this.#overdue.push(oldest)
  }

  /** A row that belongs to no day: each text is reported once. Gives up on a document that has nothing else. */
  reportImpossibleDate(place: string, detail: string): void {
    if (this.#impossibleDates.has(detail)) return
    if (this.#impossibleDates.size >= IMPOSSIBLE_DATES_MAX) {
      throw new UnreadableDocument(place, `more than ${IMPOSSIBLE_DATES_MAX} rows belong to no day, reading stops here`)
    }
    this.#impossibleDates.add(detail)
    this.#faults.push({ kind: 'document-fault', fault: { code: 'impossible_date', place, detail } })
  }

  /** Those reported since it was last asked. */
  takeFaults(): DocumentFault[] {
    return this.#faults.splice(0)
  }

  /** Days that have been held long enough, in the order in which they began. */
  takeOverdue(): Day[] {
    return this.#overdue.splice(0)
  }

  /** Everything that is left. */
  takeAll(): Day[] {
    const all = [...this.takeOverdue(), ...this.#days.values()]
    this.#days.clear()
    return all
  }
}
