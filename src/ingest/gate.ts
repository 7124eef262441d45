/**
 * The gate checks every day from any publisher before it is stored. Pure: its inputs are the day and the market's price limits. A day
 * is accepted whole or not at all; a refused day is quarantined with all its reasons. Fundamentals may have gaps, since some intervals
 * are never published; the values present are stored.
 */

import { fundamentalOf } from '../market/fundamentals.ts'
import { intervalsInMarketDay, type MarketDay, type ResolutionMinutes } from '../market/market-day.ts'
import { NATIONAL_ZONE } from '../market/zones.ts'
import type { Fault } from '../publishers/faults.ts'
import type { DailyPrice, FundamentalDay, ZoneDay } from '../publishers/observations.ts'
import { contradictedZeroRuns } from './zero-runs.ts'

interface GateContext {
  /** In the unit of the prices, inclusive; `since`: the first day that can have prices. */
  priceLimits: { min: number; max: number; since?: MarketDay }
  /** The last day that can have known prices by now; undefined means no limit. */
  lastDay?: MarketDay
}

export type Verdict = { accepted: true } | { accepted: false; faults: Fault[] }

/** Power is auctioned on the day before delivery. */
export const POWER_DAYS_AHEAD = 1
/** No publisher forecasts load or weather by interval further ahead than this. */
const FORECAST_DAYS_AHEAD = 366
const NOT_YET_KNOWN = 'exactly 0, which publishers write for a price not yet known'
/** How many intervals or prices a message lists. */
const NAMED_MAX = 10

/** Accepts a zone-day that has a finite price within limits for every interval, and no zeros contradicted by its other prices. */
export function gateZoneDay(zoneDay: ZoneDay, context: GateContext): Verdict {
  return toVerdict([
    ...zoneDay.faults,
    ...dayFaults(placeOf(zoneDay), zoneDay.day, { first: context.priceLimits.since, last: context.lastDay }),
    ...intervalCountFaults(zoneDay),
    ...limitFaults(zoneDay, context),
    ...contradictedZeroRuns(zoneDay).map((run): Fault => {
      const many = run.last > run.first
      const which = many
        ? `${intervalName(zoneDay)}s ${run.first} to ${run.last} are`
        : `${intervalName(zoneDay)} ${run.first} is`
      return {
        code: 'zero_run',
        place: placeOf(zoneDay),
        detail: zoneDay.prices.every((price) => price === 0)
          ? `all prices are ${NOT_YET_KNOWN}`
          : `${which} exactly 0, which the other prices of the day contradict`,
      }
    }),
  ])
}

/** Accepts a finite daily price within limits. Exactly 0 is valid for the PUN only; elsewhere publishers write it for "not yet known". */
export function gateDailyPrice(daily: DailyPrice, context: GateContext): Verdict {
  const { asset, day, price } = daily
  const { priceLimits } = context
  const place = `${asset} ${day}`
  const faults = [...daily.faults, ...dayFaults(place, day, { first: priceLimits.since, last: context.lastDay })]
  if (price === undefined) {
    if (faults.length === 0) faults.push({ code: 'not_a_number', place, detail: 'has no price' })
  } else if (!isWithin(price, priceLimits)) {
    faults.push(outOfLimits(place, String(price), priceLimits))
  } else if (price === 0 && asset !== 'PUN') {
    faults.push({ code: 'zero_run', place, detail: `is ${NOT_YET_KNOWN}` })
  }
  return toVerdict(faults)
}

/** Accepts a day with all values within the limits of its series; gaps are allowed. `first` and `today`, if given, bound the day. */
export function gateFundamentalDay(item: FundamentalDay, today?: MarketDay, first?: MarketDay): Verdict {
  const { limits, unit, known } = fundamentalOf(item.series)
  const { min, max } = limits
  const place = `${item.series} ${item.area} ${item.day}`
  const isMetered = known.days > 0
  const daysAhead = isMetered ? 0 : unit === '€/MWh' ? POWER_DAYS_AHEAD : FORECAST_DAYS_AHEAD
  return toVerdict([
    ...item.faults,
    ...dayFaults(place, item.day, { first, last: today?.add({ days: daysAhead }) }),
    ...excessIntervalFaults(item.values.length, item, place),
    ...outOfLimitsFaults(item.values, { min, max }, item, place),
  ])
}

function toVerdict(faults: Fault[]): Verdict {
  return faults.length === 0 ? { accepted: true } : { accepted: false, faults }
}

/**
 * A price before its auction, or output before its metering, has a wrong date and would pass for the latest value. A price from before
 * the market existed would extend the history back to it.
 */
function dayFaults(place: string, day: MarketDay, { first, last }: { first?: MarketDay; last?: MarketDay }): Fault[] {
  if (first !== undefined && Temporal.PlainDate.compare(day, first) < 0)
    return [{ code: 'past_day', place, detail: `is before ${first}, the first day that can have a value` }]
  if (last === undefined || Temporal.PlainDate.compare(day, last) <= 0) return []
  return [{ code: 'future_day', place, detail: `is after ${last}, the last day that can be known by now` }]
}

function intervalCountFaults(zoneDay: ZoneDay): Fault[] {
  const expected = intervalsInMarketDay(zoneDay.day, zoneDay.resolutionMinutes)
  const place = placeOf(zoneDay)
  const faults = excessIntervalFaults(zoneDay.prices.length, zoneDay, place)
  const missing = ordinals(expected).filter((ordinal) => zoneDay.prices[ordinal - 1] === undefined)
  if (missing.length > 0) {
    const detail = `${missingText(missing, intervalName(zoneDay))} (${expected - missing.length} of ${expected})`
    faults.push({ code: 'incomplete_day', place, detail })
  }
  return faults
}

/** `hour 25 is missing`, `quarters 3, 4 are missing`. */
function missingText(missing: number[], interval: string): string {
  if (missing.length === 1) return `${interval} ${missing[0]} is missing`
  const rest = missing.length > NAMED_MAX ? ` and ${missing.length - NAMED_MAX} more` : ''
  return `${interval}s ${missing.slice(0, NAMED_MAX).join(', ')}${rest} are missing`
}

function excessIntervalFaults(count: number, day: DayOfIntervals, place: string): Fault[] {
  const expected = intervalsInMarketDay(day.day, day.resolutionMinutes)
  if (count <= expected) return []
  return [{ code: 'interval_out_of_day', place, detail: `has ${count} ${intervalName(day)}s, the day has ${expected}` }]
}

function limitFaults(zoneDay: ZoneDay, { priceLimits }: GateContext): Fault[] {
  return outOfLimitsFaults(zoneDay.prices, priceLimits, zoneDay, placeOf(zoneDay))
}

function outOfLimitsFaults(
  values: readonly (number | undefined)[],
  limits: GateContext['priceLimits'],
  day: DayOfIntervals,
  place: string,
): Fault[] {
  const beyond = values.flatMap((value, index) =>
    value === undefined || isWithin(value, limits) ? [] : [`${value} in ${intervalName(day)} ${index + 1}`],
  )
  return beyond.length === 0 ? [] : [outOfLimits(place, beyond.slice(0, NAMED_MAX).join(', '), limits)]
}

/** False for NaN and the infinities, regardless of the limits. */
function isWithin(price: number, { min, max }: GateContext['priceLimits']): boolean {
  return Number.isFinite(price) && price >= min && price <= max
}

function outOfLimits(place: string, prices: string, { min, max }: GateContext['priceLimits']): Fault {
  return { code: 'price_out_of_limits', place, detail: `${prices}: outside the limits of ${min} to ${max}` }
}

function ordinals(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1)
}

const INTERVAL_NAMES: Record<ResolutionMinutes, string> = { 15: 'quarter', 30: 'half-hour', 60: 'hour' }

type DayOfIntervals = Pick<ZoneDay, 'day' | 'resolutionMinutes'>

function intervalName({ resolutionMinutes }: DayOfIntervals): string {
  return INTERVAL_NAMES[resolutionMinutes]
}

function placeOf({ zone, day }: ZoneDay): string {
  return `${zone === NATIONAL_ZONE ? 'PUN' : zone} ${day}`
}
