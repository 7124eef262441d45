import type { KnownPrices } from '../known-prices.ts'

const RECENT_DAYS = 30

/** How restless the last 30 days were against the last `usualDays`: mean absolute daily change of one over the other; 1 if unknown. */
export function volatilityRatio({ filled }: KnownPrices, usualDays: number): number {
  const ratio = meanChange(filled, RECENT_DAYS) / meanChange(filled, usualDays)
  return Number.isFinite(ratio) && ratio > 0 ? ratio : 1
}

function meanChange(filled: Float64Array, days: number): number {
  let [sum, count] = [0, 0]
  for (let index = Math.max(1, filled.length - days); index < filled.length; index++) {
    const change = Math.abs((filled[index] as number) - (filled[index - 1] as number))
    if (Number.isNaN(change)) continue
    sum += change
    count++
  }
  return sum / count
}
