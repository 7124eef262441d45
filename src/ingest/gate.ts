/**
 * The gate every day passes before it is stored, whoever published it. Pure: it knows the day itself and the market's price limits.
 * A day is accepted whole or not at all; what fails is quarantined with all its reasons.
 */

import { intervalsInMarketDay, type ResolutionMinutes } from '../market/market-day.ts'
import { NATIONAL_ZONE } from '../market/zones.ts'
import type { Fault } from '../publishers/faults.ts'
import type { DailyPrice, ZoneDay } from '../publishers/observations.ts'
import { contradictedZeroRuns } from './zero-runs.ts'

interface GateContext {
  /** In the unit of the prices, inclusive. */
  priceLimits: { min: number; max: number }
}

export type Verdict = { accepted: true } | { accepted: false; faults: Fault[] }

/** How many intervals or prices a message lists. */
const NAMED_MAX = 10

/** Accepts a zone-day with a finite price within limits for each of the day's intervals, and no zeros that its prices contradict. */
export function gateZoneDay(zoneDay: ZoneDay, context: GateContext): Verdict {
  return verdict([
    ...zoneDay.faults,
    ...countFaults(zoneDay),
    ...limitFaults(zoneDay, context),
    ...contradictedZeroRuns(zoneDay).map((run): Fault => {
      const many = run.last > run.first
      const which = many
        ? `${intervalName(zoneDay)}s ${run.first} to ${run.last} are`
        : `${intervalName(zoneDay)} ${run.first} is`
      return {
        code: 'zero_run',
        place: placeOf(zoneDay),
        detail: `${which} exactly 0, which the other prices of the day contradict`,
      }
    }),
  ])
}

/** Accepts a finite daily price within limits; exactly 0 only for the PUN, elsewhere publishers write it for "not yet known". */
export function gateDailyPrice(daily: DailyPrice, { priceLimits }: GateContext): Verdict {
  const { asset, day, price } = daily
  const place = `${asset} ${day}`
  const faults = [...daily.faults]
  if (price === undefined) {
    if (faults.length === 0) faults.push({ code: 'not_a_number', place, detail: 'has no price' })
  } else if (!isWithin(price, priceLimits)) {
    faults.push(outOfLimits(place, String(price), priceLimits))
  } else if (price === 0 && asset !== 'PUN') {
    faults.push({ code: 'zero_run', place, detail: 'is exactly 0, which publishers write for a price not yet known' })
  }
  return verdict(faults)
}

function verdict(faults: Fault[]): Verdict {
  return faults.length === 0 ? { accepted: true } : { accepted: false, faults }
}

function countFaults(zoneDay: ZoneDay): Fault[] {
  const expected = intervalsInMarketDay(zoneDay.day, zoneDay.resolutionMinutes)
  const place = placeOf(zoneDay)
  const faults: Fault[] = []
  if (zoneDay.prices.length > expected) {
    const detail = `has ${zoneDay.prices.length} ${intervalName(zoneDay)}s, the day has ${expected}`
    faults.push({ code: 'interval_out_of_day', place, detail })
  }
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

function limitFaults(zoneDay: ZoneDay, { priceLimits }: GateContext): Fault[] {
  const beyond = zoneDay.prices.flatMap((price, index) =>
    price === undefined || isWithin(price, priceLimits) ? [] : [`${price} in ${intervalName(zoneDay)} ${index + 1}`],
  )
  if (beyond.length === 0) return []
  return [outOfLimits(placeOf(zoneDay), beyond.slice(0, NAMED_MAX).join(', '), priceLimits)]
}

/** False for NaN and the infinities, whatever the limits. */
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

function intervalName({ resolutionMinutes }: ZoneDay): string {
  return INTERVAL_NAMES[resolutionMinutes]
}

function placeOf({ zone, day }: ZoneDay): string {
  return `${zone === NATIONAL_ZONE ? 'PUN' : zone} ${day}`
}
