/** The issues of the past: when each market day's price became known, and what was known then. */
import { type DayNumber, dayNumber } from '../../models/calendar.ts'
import { type History, historyAt, lastDay, type PriceRecord } from '../../models/history.ts'
import type { ForecastAsset } from '../../models/model.ts'

export interface PastIssue {
  info: DayNumber
  history: History
}

/**
 * One for each market day from `first` to `last` whose price became known, as of that instant. A day that became known after a later
 * one is passed over: its issue would have been the later day's.
 */
export function* pastIssues(
  record: PriceRecord,
  asset: ForecastAsset,
  first: DayNumber,
  last: DayNumber,
): Generator<PastIssue> {
  const firstKnown = new Map<DayNumber, Temporal.Instant>()
  for (const { day, knownAt } of record.revisions[asset]) {
    const number = dayNumber(day)
    if (number < first || number > last) continue
    const known = firstKnown.get(number)
    if (known === undefined || Temporal.Instant.compare(knownAt, known) < 0) firstKnown.set(number, knownAt)
  }
  for (const [info, knownAt] of [...firstKnown].sort(([a], [b]) => a - b)) {
    const history = historyAt(record, knownAt)
    if (lastDay(history.series[asset]) === info) yield { info, history }
  }
}
