/**
 * The next day's band from the errors of earlier forecasts, on the models' scale. Each error is divided by the usual one of the 28 days before it;
 * the band takes quantiles of a year of these, with a share outside that adapts to how many prices left it.
 */
import { adaptShares, bandsAfter, ErrorScales, initialShares } from '../bands/error-shares.ts'
import type { DayNumber } from '../calendar.ts'
import type { KnownPrices } from '../known-prices.ts'

/** Out-of-sample medians of past targets, on the models' scale. */
export type Trail = ReadonlyMap<DayNumber, number>

/** Offsets from the median on the models' scale: `below` ≤ 0 ≤ `above`. */
export interface NextDayBand {
  below: number
  above: number
}

export const CALIBRATION_DAYS = 365
/** Days of the trail from which the share outside the band is learned. */
const ADAPTATION_DAYS = 182
/** Lower bound of the error scale: half a percent. */
const SCALE_MIN = 0.005

/** Returns undefined if fewer than 60 targets of the last year were forecast. */
export function nextDayBand(trail: Trail, { scaled, firstDay, lastDay }: KnownPrices): NextDayBand | undefined {
  const first = lastDay - CALIBRATION_DAYS + 1
  const values = Float64Array.from({ length: CALIBRATION_DAYS }, (_, at) => {
    return (scaled[first + at - firstDay] ?? Number.NaN) - (trail.get(first + at) ?? Number.NaN)
  })
  const measure = { poolDays: CALIBRATION_DAYS, scaleMin: SCALE_MIN }
  const errors = new ErrorScales({ firstDay: first, cells: 1, values }, 1, measure)
  const shares = adaptShares(errors, initialShares(1), { from: lastDay - ADAPTATION_DAYS + 1, to: lastDay })
  const band = bandsAfter(errors, lastDay, shares)
  return band && { below: band.below[0] as number, above: band.above[0] as number }
}
