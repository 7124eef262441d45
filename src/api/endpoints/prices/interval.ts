import type { MarketDay } from '../../../market/market-day.ts'
import { invalidParameter } from '../../contract/errors.ts'

const DEFAULT_DAYS = 30

export interface Interval {
  from: MarketDay
  to: MarketDay
}

/**
 * The requested days; by default the 30 days up to today. A `to` alone, in the past, gets the 30 days before it. Throws
 * `invalid_parameter` where `from` is after `to`.
 */
export function resolveInterval(asked: Partial<Interval>, today: MarketDay): Interval {
  const to = asked.to ?? today
  const from = asked.from ?? earlier(to, today).subtract({ days: DEFAULT_DAYS })
  if (Temporal.PlainDate.compare(from, to) <= 0) return { from, to }
  throw invalidParameter('from', `must not be after to (${to.toString()}); got "${from.toString()}"`)
}

function earlier(a: MarketDay, b: MarketDay): MarketDay {
  return Temporal.PlainDate.compare(a, b) < 0 ? a : b
}
