/** Cuts days into the spans that are asked for at once. */
import type { MarketDay } from '../market/market-day.ts'
import type { DaySpan } from '../publishers/fetch-days.ts'

/**
 * The days, newest first, as spans of at most so many days, newest first. A span reaches over days between that are not asked for,
 * weekends above all: one request more costs a publisher more than a few rows.
 */
export function spansOf(days: readonly MarketDay[], maxDays: number): DaySpan[] {
  const spans: DaySpan[] = []
  for (const day of days.toSorted((a, b) => Temporal.PlainDate.compare(b, a))) {
    const span = spans.at(-1)
    if (span !== undefined && day.until(span.to).days < maxDays) span.from = day
    else spans.push({ from: day, to: day })
  }
  return spans
}
