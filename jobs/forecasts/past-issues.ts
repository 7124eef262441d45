/** Past issues: for each market day, the instant at which all inputs of its forecast were known, and the history known then. */
import { type DayNumber, dayNumber, marketDay } from '../../models/calendar.ts'
import { type History, historyAt, type PriceRecord } from '../../models/history.ts'
import type { ForecastAsset } from '../../models/model.ts'
import { forecastInputs } from '../../src/market/forecast-scope.ts'
import { startOfMarketDay } from '../../src/market/market-day.ts'
import { earlierOf, isBefore, laterOf } from '../../src/market/time-order.ts'

export interface PastIssue<Known = History> {
  info: DayNumber
  history: Known
}

/** Histories are built one at a time during iteration: together they would not fit in the memory of a refit. */
export interface PastIssues<Known = History> extends Iterable<PastIssue<Known>> {
  /** Same as for an array. */
  slice(start: number): PastIssues<Known>
}

/**
 * Returns an issue for each market day from `first` to `last` whose price became known. It is as of the instant at which that price and the
 * other inputs of its forecast were known, before the next day's price was. A day that became known after a later one is skipped: its issue
 * would have been the later day's.
 */
export function pastIssues(record: PriceRecord, asset: ForecastAsset, first: DayNumber, last: DayNumber): PastIssues {
  const firstKnown = firstKnownDays(record, asset)
  const inputs = forecastInputs(asset).map((input) => ({ ...input, known: firstKnownDays(record, input.asset) }))
  const inOrder: [DayNumber, Temporal.Instant][] = []
  let earliestLater: Temporal.Instant | undefined
  for (const [info, knownAt] of [...firstKnown].sort(([a], [b]) => b - a)) {
    if (info < first || (earliestLater !== undefined && !isBefore(knownAt, earliestLater))) continue
    const inputsKnownAt = inputs.flatMap(({ known, delayDays }) => known.get(info - delayDays) ?? [])
    const nextDay = startOfMarketDay(marketDay(info + 1))
    const end = earlierOf(earliestLater ?? nextDay, nextDay)
    if (info <= last) inOrder.unshift([info, lastBefore(end, knownAt, inputsKnownAt)])
    earliestLater = knownAt
  }
  return issuesOf(record, inOrder)
}

function firstKnownDays(record: PriceRecord, asset: ForecastAsset): Map<DayNumber, Temporal.Instant> {
  const firstKnown = new Map<DayNumber, Temporal.Instant>()
  for (const { day, knownAt } of record.revisions[asset]) {
    const number = dayNumber(day)
    const known = firstKnown.get(number)
    if (known === undefined || isBefore(knownAt, known)) firstKnown.set(number, knownAt)
  }
  return firstKnown
}

/** Returns the last instant before `end`, or `first` if none of the others is before it. */
function lastBefore(end: Temporal.Instant, first: Temporal.Instant, others: readonly Temporal.Instant[]) {
  return others.filter((one) => isBefore(one, end)).reduce((last, one) => laterOf(last, one), first)
}

function issuesOf(record: PriceRecord, dates: readonly [DayNumber, Temporal.Instant][]): PastIssues {
  return {
    slice: (start) => issuesOf(record, dates.slice(start)),
    *[Symbol.iterator]() {
      for (const [info, knownAt] of dates) yield { info, history: historyAt(record, knownAt) }
    },
  }
}
