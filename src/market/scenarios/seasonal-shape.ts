/**
 * The seasonal shape of a price: for each calendar month the median, over the years, of its mean's log distance from the mean of the
 * twelve months around it. With few years the shape is reduced; no month deviates by more than 15 % before centring.
 */
import { mean, monthAfter } from './months.ts'

const BOUND = Math.log(1.15)
/** Weight, in years, of the prior assumption that there is no seasonal shape. */
const PRIOR_YEARS = 2

/** Twelve log factors, January first, that sum to 0. `means` are the means of consecutive months by `YYYY-MM`. */
export function seasonalShape(means: ReadonlyMap<string, number>): number[] {
  const raw = Array.from({ length: 12 }, (_, month) => {
    const distances = [...means.keys()]
      .filter((key) => Number(key.slice(5)) === month + 1)
      .flatMap((key) => distanceFromYear(means, key) ?? [])
    const trust = distances.length / (distances.length + PRIOR_YEARS)
    return distances.length === 0 ? 0 : bounded(trust * median(distances))
  })
  const level = mean(raw)
  return raw.map((value) => value - level)
}

/** Log distance of a month from the mean of the twelve around it, the outermost two at half weight; undefined if one is missing or not above 0. */
function distanceFromYear(means: ReadonlyMap<string, number>, key: string): number | undefined {
  let sum = 0
  for (let step = -6; step <= 6; step++) {
    const value = means.get(monthAfter(key, step))
    if (value === undefined || value <= 0) return undefined
    sum += Math.abs(step) === 6 ? value / 2 : value
  }
  return Math.log((means.get(key) as number) / (sum / 12))
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2
}

function bounded(value: number): number {
  return Math.min(BOUND, Math.max(-BOUND, value))
}
