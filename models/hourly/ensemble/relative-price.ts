/**
 * Prices relative to the level of the days before them, so that 2020, 2022 and 2025 share one scale. It is nearly linear around the
 * level and logarithmic far from it; prices of 0 and −500 €/MWh need no special case.
 */

/** Lower bound of the level, €/MWh: after days of free power, the mean is too close to zero to divide by. */
const LEVEL_MIN = 10
/** The scale turns from linear to logarithmic at a distance of a third of the level. */
const CURVATURE = 3

export function levelOf(mean: number): number {
  return Math.max(LEVEL_MIN, mean)
}

export function toRelative(price: number, level: number): number {
  return Math.asinh(CURVATURE * (price / level - 1)) / CURVATURE
}

/** The inverse of `toRelative`, €/MWh. */
export function fromRelative(value: number, level: number): number {
  return level * (1 + Math.sinh(CURVATURE * value) / CURVATURE)
}
