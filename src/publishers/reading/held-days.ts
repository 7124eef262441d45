/**
 * Days that are still being read. Rows of one day need not stand together, so a day is held until the document ends or until
 * `HELD_DAYS_MAX` others have been begun after it; that bounds memory however long the document is.
 */

/** Nearly three years: a yearly file sorted by hour or by zone still comes out in whole days. */
export const HELD_DAYS_MAX = 1_000

export class HeldDays<Day> {
  readonly #days = new Map<string, Day>()
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
