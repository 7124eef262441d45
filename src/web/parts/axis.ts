/** Round figures for an axis. */

const STEPS = [1, 2, 2.5, 5, 10]
const STEPS_WANTED = 4

interface Axis {
  low: number
  high: number
  /** Evenly spaced, from low to high. */
  ticks: number[]
}

/** An axis that holds zero and all values in about four steps: of 12 to 131 it goes from 0 to 150 by 50. */
export function axisOf(values: readonly number[]): Axis {
  return axisFrom(Math.min(0, ...values), Math.max(0, ...values))
}

/** An axis for lines, which need not begin at zero: of 90 to 131 it goes from 80 to 140 by 20. Zero is on it if that costs less than a third of its height. */
export function closeAxisOf(values: readonly number[]): Axis {
  const [least, most] = [Math.min(...values), Math.max(...values)]
  return least < most / 3 ? axisOf(values) : axisFrom(least, most)
}

function axisFrom(least: number, most: number): Axis {
  const step = roundStep((most - least || 1) / STEPS_WANTED)
  const first = Math.floor(least / step)
  const last = Math.max(first + 1, Math.ceil(most / step))
  const ticks = Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step)
  return { low: first * step, high: last * step, ticks }
}

/** Of a drawing with an axis at its side, in its own units. */
export const HEIGHT = 100

/** Where a value is on a drawing of that height, from its top. */
export function heightOn({ low, high }: Axis): (value: number) => number {
  return (value) => hundredths(((high - value) / (high - low)) * HEIGHT)
}

/** Finer than any screen shows. */
export function hundredths(length: number): number {
  return Math.round(length * 100) / 100
}

function roundStep(atLeast: number): number {
  const power = 10 ** Math.floor(Math.log10(atLeast))
  const factor = STEPS.find((one) => one * power >= atLeast) ?? 10
  return factor * power
}
