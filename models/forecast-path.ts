/** Converts medians and offsets to forecasts in €/MWh, one for every market day up to the reach. */
import { type BandOffsets, interpolateKnots } from './bands/residual-bands.ts'
import { type DayNumber, hasMarket, marketDay } from './calendar.ts'
import type { KnownPrices } from './known-prices.ts'
import { FORECAST_REACH_DAYS, type Forecast } from './model.ts'
import { fromScale } from './scale.ts'

/** `median` returns a day's median on the models' scale; the offsets cover at least the knots up to the reach. */
export function forecastPath(
  { asset, lastDay }: KnownPrices,
  median: (target: DayNumber) => number,
  { below, above }: BandOffsets,
  reachDays = FORECAST_REACH_DAYS,
): Forecast[] {
  const forecasts: Forecast[] = []
  for (let horizonDays = 1; horizonDays <= reachDays; horizonDays++) {
    const target = lastDay + horizonDays
    if (!hasMarket(asset, target)) continue
    const middle = median(target)
    const p50 = fromScale(asset, middle)
    const p10 = Math.min(p50, fromScale(asset, middle + interpolateKnots(below, horizonDays)))
    const p90 = Math.max(p50, fromScale(asset, middle + interpolateKnots(above, horizonDays)))
    if (![p10, p50, p90].every(Number.isFinite))
      throw new RangeError(`${asset} for ${marketDay(target)} is not a number`)
    forecasts.push({ targetDate: marketDay(target), horizonDays, p10, p50, p90 })
  }
  return forecasts
}
