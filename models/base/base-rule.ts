/**
 * The base: a level times a weekday factor, without drift. The level is the mean of the last seven days for PUN, which swings from
 * day to day, and the last value for gas, which does not. It learns nothing, so it is always available.
 */
import { weekday } from '../calendar.ts'
import type { KnownPrices } from '../known-prices.ts'
import { type MedianRule, memoisePath } from '../median-path.ts'
import { weekdayFactors } from './weekday-factors.ts'

const WEEK = 7

export const baseRule: MedianRule = (known) => {
  if (known.asset === 'TTF') return (origin) => () => lastLevel(known, origin)
  const factorsAt = weekdayFactors(known)
  return memoisePath((origin) => {
    const factors = factorsAt(origin)
    const level =
      known.asset === 'PUN' ? weekLevel(known, origin) : lastLevel(known, origin) - factorOf(factors, origin)
    return (target) => level + factorOf(factors, target)
  })
}

/** Mean of the seven days up to `origin` on the models' scale, gaps filled. */
function weekLevel({ filled, firstDay }: KnownPrices, origin: number): number {
  let sum = 0
  for (let day = origin - WEEK + 1; day <= origin; day++) sum += filled[day - firstDay] ?? Number.NaN
  return sum / WEEK
}

function lastLevel({ filled, firstDay }: KnownPrices, origin: number): number {
  return filled[origin - firstDay] ?? Number.NaN
}

function factorOf(factors: Float64Array, day: number): number {
  return factors[weekday(day)] as number
}
