import type { Positions, Strategy } from './price-history.ts'

interface RollingHedgeParameters {
  /** Number of returns from which beta is estimated. */
  window: number
  /** Share of beta that is hedged; 1: all of it. */
  hedgeRatio: number
}

/** Long the asset, and short the hedge times its beta over the returns up to the day before. */
export function rollingHedge({ window, hedgeRatio }: RollingHedgeParameters): Strategy {
  return ({ prices, hedgePrices }): Positions => {
    if (hedgePrices === undefined) throw new TypeError('a rolling hedge needs the prices of the hedge')
    const assetReturns = simpleReturns(prices)
    const hedgeReturns = simpleReturns(hedgePrices)
    const firstDay = window + 1 // the first day has no return
    const asset = new Float64Array(prices.length).fill(1, Math.min(firstDay, prices.length))
    const hedge = new Float64Array(prices.length)
    for (let day = firstDay; day < prices.length; day++) {
      hedge[day] = -hedgeRatio * beta(assetReturns, hedgeReturns, day - window, day)
    }
    return { firstDay, asset, hedge }
  }
}

/**
 * Slope of the ordinary least squares line of y on x, with intercept, over the days `from` to `end` (exclusive). Returns 0 if x
 * does not vary. The means are subtracted first, since sums of squares would lose small variances.
 */
function beta(y: Float64Array, x: Float64Array, from: number, end: number): number {
  let sumX = 0
  let sumY = 0
  for (let day = from; day < end; day++) {
    sumX += x[day] as number
    sumY += y[day] as number
  }
  const meanX = sumX / (end - from)
  const meanY = sumY / (end - from)
  let covariance = 0
  let variance = 0
  for (let day = from; day < end; day++) {
    const dx = (x[day] as number) - meanX
    covariance += dx * ((y[day] as number) - meanY)
    variance += dx * dx
  }
  return variance > 0 ? covariance / variance : 0
}

/** Simple returns of a price from day to day; 0 on the first day. `[100, 110]` gives `[0, 0.1]`. */
export function simpleReturns(prices: Float64Array): Float64Array {
  const returns = new Float64Array(prices.length)
  for (let day = 1; day < prices.length; day++) {
    returns[day] = (prices[day] as number) / (prices[day - 1] as number) - 1
  }
  return returns
}
