/** Forecasts an hour as the same hour a week earlier: the naive forecast of hours, and the fallback if no model can forecast. */
import { HIGH, LOW } from '../../bands/eighty-percent.ts'
import { type DayNumber, marketDay } from '../../calendar.ts'
import {
  assertArtefactOf,
  type HourlyArtefact,
  type HourlyModel,
  hoursOf,
  type Quantiles,
  TooLittleHistory,
} from '../../model.ts'
import { sortedQuantile } from '../../numeric/quantile.ts'
import { countDays, HOURS, type HourlyHistory, type HourlyPrices, hourOn, lastPricedDay } from '../history.ts'

const WEEK = 7
/** Weeks searched for an hour; one that is missing in all of them is unknown. */
const WEEKS_BACK = 5
/** Days of errors from which the band is made. */
const BAND_DAYS = 180
const DAYS_NEEDED = 35

export const sameHour: HourlyModel = {
  id: 'same-hour',
  version: '1',
  isBaseline: true,
  description: 'The price of the same hour in the last known week, with the quantiles of its own errors over 180 days.',
  daysNeeded: DAYS_NEEDED,
  steps: ['prices-only'],

  async train({ prices, zone }, { seed = 0 } = {}) {
    const last = infoDay(prices, zone)
    const span = { from: marketDay(prices.firstDay).toString(), to: marketDay(last).toString() }
    return {
      ...{ model: this.id, version: this.version, asset: hoursOf(zone), span, backend: 'none' as const, seed },
      ...{ metrics: {}, state: null, arrays: {} },
    } satisfies HourlyArtefact
  },

  forecast(artefact, { prices, zone }, { days }) {
    assertArtefactOf(this, artefact, [hoursOf(zone)])
    const last = infoDay(prices, zone)
    return Array.from({ length: days }, (_, i) => {
      const target = last + 1 + i
      const offsets = bandOffsets(prices, last, i + 1)
      const hours = Array.from({ length: HOURS }, (_, hour) => {
        const p50 = sameHourBefore(prices, last, target, hour)
        const { below, above } = offsets[hour] as Offsets
        if (Number.isNaN(p50 + below)) throw new TooLittleHistory(hoursOf(zone), DAYS_NEEDED, countDays(prices))
        return { p10: p50 + below, p50, p90: p50 + above } satisfies Quantiles
      })
      return { day: marketDay(target), hours }
    })
  },
}

/** @throws TooLittleHistory */
function infoDay(prices: HourlyPrices, zone: HourlyHistory['zone']): DayNumber {
  const known = countDays(prices)
  const last = lastPricedDay(prices)
  if (last === undefined || known < DAYS_NEEDED) throw new TooLittleHistory(hoursOf(zone), DAYS_NEEDED, known)
  return last
}

/** Price on the latest day up to the origin that is a whole number of weeks before the target and has the hour. */
function sameHourBefore(prices: HourlyPrices, origin: DayNumber, target: DayNumber, hour: number): number {
  const first = Math.ceil((target - origin) / WEEK)
  for (let weeks = first; weeks < first + WEEKS_BACK; weeks++) {
    const price = hourOn(prices, target - weeks * WEEK, hour)
    if (!Number.isNaN(price)) return price
  }
  return Number.NaN
}

interface Offsets {
  below: number
  above: number
}

/** Quantiles of past errors the same number of days ahead, for each hour, pooled with the hours before and after it. */
function bandOffsets(prices: HourlyPrices, last: DayNumber, daysAhead: number): Offsets[] {
  const errors: number[][] = Array.from({ length: HOURS }, () => [])
  for (let day = last; day > last - BAND_DAYS; day--) {
    for (let hour = 0; hour < HOURS; hour++) {
      const error = hourOn(prices, day, hour) - sameHourBefore(prices, day - daysAhead, day, hour)
      if (!Number.isNaN(error)) (errors[hour] as number[]).push(error)
    }
  }
  return errors.map((own, hour) => {
    const pooled = Float64Array.from([...(errors[hour - 1] ?? []), ...own, ...(errors[hour + 1] ?? [])]).sort()
    return { below: Math.min(0, sortedQuantile(pooled, LOW)), above: Math.max(0, sortedQuantile(pooled, HIGH)) }
  })
}
