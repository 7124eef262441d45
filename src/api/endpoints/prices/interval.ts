import type { MarketDay } from '../../../market/market-day.ts'
import { earlierOf, isBefore } from '../../../market/time-order.ts'
import { invalidParameter, tierRequired } from '../../contract/errors.ts'
import { lowestPlan, type PlanName } from '../../contract/plans.ts'
import type { Caller } from '../../http/caller.ts'

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

/** How far back a plan's history reaches. Spec: "History depth depends on the plan". Decisions: "Series": cut, but never silently. */
export interface CutInterval extends Interval {
  /** The plan that would have given all of it; undefined where nothing was cut. */
  requiredTier: PlanName | undefined
}

/** The part of the interval that the caller's plan includes. Throws `tier_required` where that is nothing. */
export function cutToPlan(asked: Interval, caller: Pick<Caller, 'historyDepthDays'>, today: MarketDay): CutInterval {
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
