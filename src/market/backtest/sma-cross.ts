import type { Positions, Strategy } from './price-history.ts'

interface SmaCrossParameters {
  /** Lengths of the two moving averages in days; fast < slow. */
  fast: number
  slow: number
}

/** Minimum relative distance of the fast average above the slow one; anything less is floating-point noise. */
const NOISE = 1e-9

/** Long while the fast moving average is above the slow one, else out of the market. */
export function smaCross({ fast, slow }: SmaCrossParameters): Strategy {
  return ({ prices }): Positions => {
    const asset = new Float64Array(prices.length)
    let fastSum = 0
    let slowSum = 0
    for (let day = 0; day < prices.length; day++) {
      if (day >= slow) asset[day] = fastSum / fast > (slowSum / slow) * (1 + NOISE) ? 1 : 0
      const price = prices[day] as number
      fastSum += price - (day >= fast ? (prices[day - fast] as number) : 0)
      slowSum += price - (day >= slow ? (prices[day - slow] as number) : 0)
    }
    return { firstDay: slow, asset, hedge: undefined }
  }
}
