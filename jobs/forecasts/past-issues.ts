/** The issues of the past: when each market day's price became known, and what was known then. */
import { type DayNumber, dayNumber } from '../../models/calendar.ts'
import { type History, historyAt, type PriceRecord } from '../../models/history.ts'
import type { ForecastAsset } from '../../models/model.ts'

export interface PastIssue {
  info: DayNumber
  history: History
}

/** Histories are made one at a time, each time they are walked through: together they would not fit into the memory of a refit. */
export interface PastIssues extends Iterable<PastIssue> {
  length: number
  /** The last so many of them. */
  last(count: number): PastIssues
}

/**
 * One for each market day from `first` to `last` whose price became known, as of that instant. A day that became known after a later
 * one is passed over: its issue would have been the later day's.
 */
export function pastIssues(record: PriceRecord, asset: ForecastAsset, first: DayNumber, last: DayNumber): PastIssues {
  const firstKnown = new Map<DayNumber, Temporal.Instant>()
  for (const { day, knownAt } of record.revisions[asset]) {
    const number = dayNumber(day)
    const known = firstKnown.get(number)
    if (number >= first && (known === undefined || Temporal.Instant.compare(knownAt, known) < 0))
      firstKnown.set(number, knownAt)
  }
  const inOrder: [DayNumber, Temporal.Instant][] = []
  let earliestLater: Temporal.Instant | undefined
  for (const [info, knownAt] of [...firstKnown].sort(([a], [b]) => b - a)) {
    if (earliestLater !== undefined && Temporal.Instant.compare(earliestLater, knownAt) <= 0) continue
    earliestLater = knownAt
    if (info <= last) inOrder.unshift([info, knownAt])
  }
  return issuesOf(record, inOrder)
}

function issuesOf(record: PriceRecord, dates: readonly [DayNumber, Temporal.Instant][]): PastIssues {
  return {
    length: dates.length,
    last: (count) => issuesOf(record, dates.slice(-count)),
    *[Symbol.iterator]() {
      for (const [info, knownAt] of dates) yield { info, history: historyAt(record, knownAt) }
    },
  }
}
