/**
 * Prices against the level of the days before them, so that 2020, 2022 and 2025 share one scale: nearly linear about the level,
 * logarithmic far from it, and a price of 0 or −500 €/MWh is a value like any other.
 */

/** €/MWh: days of free power are no level to compare with. */
const LEVEL_MIN = 10
/** The scale turns from linear to logarithmic at a third of the level from it. */
const CURVATURE = 3

export function levelOf(mean: number): number {
  return Math.max(LEVEL_MIN, mean)
}

export function toRelative(price: number, level: number): number {
  return Math.asinh(CURVATURE * (price / level - 1)) / CURVATURE
}

/** The inverse, €/MWh. */
export function fromRelative(value: number, level: number): number {
  return level * (1 + Math.sinh(CURVATURE * value) / CURVATURE)
}
