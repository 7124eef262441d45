import type { MarketDay } from '../../../market/market-day.ts'
import { earlierOf } from '../../../market/time-order.ts'
import { tierRequired } from '../../contract/errors.ts'
import { refuseReversed } from '../../contract/parameters.ts'
import { lowestPlan, type PlanName } from '../../contract/plans.ts'
import type { Caller } from '../../http/caller.ts'

const DEFAULT_DAYS = 30

export interface Interval {
  from: MarketDay
  to: MarketDay
}

/**
 * Returns the requested days; by default the 30 days up to today, or up to `to` if only that is given and it is in the past.
 * Throws `invalid_parameter` if `from` is after `to`.
 */
export function resolveInterval(asked: Partial<Interval>, today: MarketDay): Interval {
  const to = asked.to ?? today
  const from = asked.from ?? earlierOf(to, today).subtract({ days: DEFAULT_DAYS })
  refuseReversed(from, to)
  return { from, to }
}

/** An interval truncated to the plan's history, never silently. Spec: "History depth depends on the plan". Decisions: "Series". */
export interface TruncatedInterval extends Interval {
  /** The plan that includes the whole interval; undefined if nothing was truncated. */
  requiredTier: PlanName | undefined
}

/** Truncates the interval to the history of the caller's plan. Throws `tier_required` if nothing remains. */
export function truncateToPlan(
  asked: Interval,
  caller: Pick<Caller, 'historyDepthDays'>,
  today: MarketDay,
): TruncatedInterval {
  const first = firstDay(caller.historyDepthDays, today)
  if (first === undefined || Temporal.PlainDate.compare(asked.from, first) >= 0)
    return { ...asked, requiredTier: undefined }
  const requiredTier = planReaching(asked.from, today)
  if (Temporal.PlainDate.compare(asked.to, first) < 0) throw tierRequired(requiredTier, `History before ${first}`)
  return { from: first, to: asked.to, requiredTier }
}

function planReaching(day: MarketDay, today: MarketDay): PlanName {
  return lowestPlan(({ historyDepthDays }) => {
    const first = firstDay(historyDepthDays, today)
    return first === undefined || Temporal.PlainDate.compare(first, day) <= 0
  })
}

function firstDay(depth: Caller['historyDepthDays'], today: MarketDay): MarketDay | undefined {
  return depth === 'complete' ? undefined : today.subtract({ days: depth })
}
