/** How far gas and CO2 may move: log changes up (≥ 0) and down (≤ 0) over 90 days, widened with the square root of time. */
import type { DailyValue } from './months.ts'

export const BAND_DAYS = 90
/** Days after which a driver moves no further. */
const DAYS_MAX = 365
/** Band of a driver with too little history. */
const DEFAULT_BAND: DriverBand = { up: Math.log(1.15), down: -Math.log(1.15) }
const CHANGES_NEEDED = 100

export interface DriverBand {
  up: number
  down: number
}

/** From a forecast's quantiles at about 90 days. A lower bound at or below 0 has no logarithm: the mirrored upper one replaces it. */
export function bandOfForecast({ p10, p50, p90 }: { p10: number; p50: number; p90: number }): DriverBand {
  if (p50 <= 0) return DEFAULT_BAND
  const up = Math.log(p90 / p50)
  return { up, down: p10 > 0 ? Math.log(p10 / p50) : -up }
}

/** From a price's own changes over 90 days: their 10 % and 90 % quantiles, each limited to its side of 0. */
export function bandOfHistory(days: readonly DailyValue[]): DriverBand {
  const known = days.filter(({ price }) => price > 0)
  const changes: number[] = []
  let later = 0
  for (const { date, price } of known) {
    const due = Temporal.PlainDate.from(date).add({ days: BAND_DAYS }).toString()
    while (later < known.length && (known[later] as DailyValue).date < due) later++
    const end = known[later]
    if (end === undefined) break
    changes.push(Math.log(end.price / price))
  }
  if (changes.length < CHANGES_NEEDED) return DEFAULT_BAND
  changes.sort((a, b) => a - b)
  const at = (share: number) => changes[Math.round(share * (changes.length - 1))] as number
  return { up: Math.max(0, at(0.9)), down: Math.min(0, at(0.1)) }
}

/** The band for another number of days: `scaledBand(band, 360)` is twice as wide. */
export function scaledBand({ up, down }: DriverBand, days: number): DriverBand {
  const scale = Math.sqrt(Math.min(Math.max(days, 0), DAYS_MAX) / BAND_DAYS)
  return { up: up * scale, down: down * scale }
}
