import { quantile } from '../quantile.ts'
import { round } from '../rounding.ts'
import type { Positions, PriceHistory, Strategy } from './price-history.ts'

interface ThresholdParameters {
  /** In the unit of the prices; buyBelow <= sellAbove. */
  buyBelow: number
  sellAbove: number
  /** Index of the first day on which the asset may be held; the price of the day before decides. */
  firstDay?: number
}

/** Number of prices from which quartiles are computed if no thresholds are given. */
export const QUARTILE_DAYS = 60
const PRICE_DECIMALS = 2

/** Long from the first day below one price until the first day above another. */
export function threshold({ buyBelow, sellAbove, firstDay = 1 }: ThresholdParameters): Strategy {
  return ({ prices }): Positions => {
    const asset = new Float64Array(prices.length)
    let held = 0
    for (let day = firstDay; day < prices.length; day++) {
      const before = prices[day - 1] as number
      if (before < buyBelow) held = 1
      else if (before > sellAbove) held = 0
      asset[day] = held
    }
    return { firstDay, asset, hedge: undefined }
  }
}

/** Quartiles of the first `QUARTILE_DAYS` prices, as thresholds for the days after them; undefined if there are no such days. */
export function quartileThresholds({ prices }: PriceHistory): Required<ThresholdParameters> | undefined {
  if (prices.length <= QUARTILE_DAYS) return undefined
  const sorted = prices.slice(0, QUARTILE_DAYS).sort()
  const quartile = (share: number) => round(quantile(sorted, share), PRICE_DECIMALS)
  return { buyBelow: quartile(0.25), sellAbove: quartile(0.75), firstDay: QUARTILE_DAYS }
}
