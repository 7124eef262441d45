/** Spread of returns below which they count as equal: noise of binary arithmetic. */
const DEVIATION_MIN = 1e-12

/**
 * Mean over sample standard deviation of daily returns, annualised by the square root of the days in a year; the riskless rate is
 * taken as 0. Undefined where the returns do not vary, as those of a strategy that never bought.
 */
export function sharpeRatio(returns: ArrayLike<number>, daysPerYear: number): number | undefined {
  const count = returns.length
  if (count < 2) return undefined
  let sum = 0
  for (let i = 0; i < count; i++) sum += returns[i] as number
  const mean = sum / count
  let squares = 0
  for (let i = 0; i < count; i++) squares += ((returns[i] as number) - mean) ** 2
  const deviation = Math.sqrt(squares / (count - 1))
  return deviation > DEVIATION_MIN ? (mean / deviation) * Math.sqrt(daysPerYear) : undefined
}
