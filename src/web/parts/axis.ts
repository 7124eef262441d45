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
  const least = Math.min(0, ...values)
  const most = Math.max(0, ...values)
  const step = roundStep((most - least || 1) / STEPS_WANTED)
  const first = Math.floor(least / step)
  const last = Math.max(first + 1, Math.ceil(most / step))
  const ticks = Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step)
  return { low: first * step, high: last * step, ticks }
}

function roundStep(atLeast: number): number {
  const power = 10 ** Math.floor(Math.log10(atLeast))
  const factor = STEPS.find((one) => one * power >= atLeast) ?? 10
  return factor * power
}
