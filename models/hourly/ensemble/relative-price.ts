/**
 * Prices against the level of the week before them, so that 2020, 2022 and 2025 share one scale: nearly linear about the level,
 * logarithmic far from it, and a price of 0 or −500 €/MWh is a value like any other.
 */

/** €/MWh: a week of free power is no level to compare with. */
const LEVEL_MIN = 10

export function levelOf(weekMean: number): number {
  return Math.max(LEVEL_MIN, weekMean)
}

export function toRelative(price: number, level: number): number {
  return Math.asinh(2 * (price / level - 1)) / 2
}

/** The inverse, €/MWh. */
export function fromRelative(value: number, level: number): number {
  return level * (1 + Math.sinh(2 * value) / 2)
}
