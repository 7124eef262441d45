/** Calendar months as text, `YYYY-MM`. */

/** A daily price; the date is YYYY-MM-DD. */
export interface DailyValue {
  date: string
  price: number
}

/** `monthAfter('2026-11', 2)` is 2027-01; a negative number goes back. */
export function monthAfter(month: string, months: number): string {
  return Temporal.PlainYearMonth.from(month).add({ months }).toString()
}

export function monthOf(date: string): string {
  return date.slice(0, 7)
}

/** Mean of each month that has at least `daysNeeded` days, in order. */
export function monthlyMeans(days: readonly DailyValue[], daysNeeded: number): Map<string, number> {
  const byMonth = Map.groupBy(days, ({ date }) => monthOf(date))
  const complete = [...byMonth].filter(([, group]) => group.length >= daysNeeded).sort(([a], [b]) => (a < b ? -1 : 1))
  return new Map(complete.map(([month, group]) => [month, mean(group.map(({ price }) => price))]))
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
