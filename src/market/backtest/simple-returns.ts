/** Returns of a price since the day before it, by day; none on the first, which is 0. `[100, 110]` gives `[0, 0.1]`. */
export function simpleReturns(prices: Float64Array): Float64Array {
  const returns = new Float64Array(prices.length)
  for (let day = 1; day < prices.length; day++) {
    returns[day] = (prices[day] as number) / (prices[day - 1] as number) - 1
  }
  return returns
}
