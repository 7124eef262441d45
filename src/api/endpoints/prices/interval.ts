import type { MarketDay } from '../../../market/market-day.ts'
import { earlierOf, isBefore } from '../../../market/time-order.ts'
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
  const from = asked.from ?? earlierOf(to, today).subtract({ days: DEFAULT_DAYS })
  if (isBefore(to, from)) throw invalidParameter('from', `must not be after to (${to}); got "${from}"`)
  return { from, to }
}
