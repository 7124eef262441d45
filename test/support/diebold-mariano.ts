/** Tests whether one forecast is significantly more accurate than another on the same days (Diebold and Mariano 1995). */

/** Errors of neighbouring days are correlated, up to this lag. */
const LAGS_DAYS = 7

/**
 * One-sided p-value: the probability of such differences if the first forecast is not better. Losses are daily absolute errors; the
 * variance is the Newey-West estimate.
 */
export function dieboldMariano(own: ArrayLike<number>, other: ArrayLike<number>): number {
  const differences = Float64Array.from(
    { length: own.length },
    (_, day) => (own[day] as number) - (other[day] as number),
  )
  const mean = differences.reduce((sum, one) => sum + one, 0) / differences.length
  const covariance = (lag: number) => {
    let sum = 0
    for (let day = lag; day < differences.length; day++)
      sum += ((differences[day] as number) - mean) * ((differences[day - lag] as number) - mean)
    return sum / differences.length
  }
  let variance = covariance(0)
  for (let lag = 1; lag <= LAGS_DAYS; lag++) variance += 2 * (1 - lag / (LAGS_DAYS + 1)) * covariance(lag)
  return variance <= 0 ? Number(mean >= 0) : normalCdf(mean / Math.sqrt(variance / differences.length))
}

/** The standard normal distribution function, to 7 digits (Abramowitz and Stegun 26.2.17). */
export function normalCdf(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z))
  const series = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  const tail = (series * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI)
  return z < 0 ? tail : 1 - tail
}
