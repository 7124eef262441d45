/** Horizons, in days, at which bands and corrections are estimated; the days between are interpolated in the logarithm of the horizon. */
export const KNOTS = [1, 2, 3, 5, 7, 10, 14, 21, 30, 45, 60, 90, 120, 150, 180] as const

/** The value at a horizon from the values at the knots. */
export function betweenKnots(values: ArrayLike<number>, horizonDays: number): number {
  const upper = KNOTS.findIndex((knot) => knot >= horizonDays)
  if (upper === -1) return values[KNOTS.length - 1] as number
  const high = values[upper] as number
  if (KNOTS[upper] === horizonDays || upper === 0) return high
  const low = values[upper - 1] as number
  const from = Math.log(KNOTS[upper - 1] as number)
  const share = (Math.log(horizonDays) - from) / (Math.log(KNOTS[upper] as number) - from)
  return low + share * (high - low)
}
