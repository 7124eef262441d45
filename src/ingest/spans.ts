/** Groups days into spans of one request each. */
import type { MarketDay } from '../market/market-day.ts'
import type { DaySpan } from '../publishers/fetch-days.ts'

/**
 * Spans of at most so many days, newest first. A span includes unrequested days in between, mostly weekends: one more request costs a
 * publisher more than a few rows.
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
