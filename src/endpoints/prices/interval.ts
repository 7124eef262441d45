import { invalidParameter, tierRequired } from '../../contract/errors.ts'
import type { MarketDay } from '../../domain/market-day.ts'
import type { Caller } from '../../http/caller.ts'

const DEFAULT_DAYS = 30

export interface Interval {
  from: MarketDay
  to: MarketDay
}

/** The days asked for: by default from 30 days ago to today. Throws `invalid_parameter` where `from` is after `to`. */
export function resolveInterval(asked: Partial<Interval>, today: MarketDay): Interval {
  const to = asked.to ?? today
  const from = asked.from ?? earlier(to, today).subtract({ days: DEFAULT_DAYS })
  if (Temporal.PlainDate.compare(from, to) > 0) {
    throw invalidParameter('from', `must not be after to; got ${from.toString()} and ${to.toString()}`)
  }
  return { from, to }
}
