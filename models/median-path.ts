/** A rule that gives medians without training: for an origin, the median of any later day, on the models' scale. */
import type { DayNumber } from './calendar.ts'
import type { History } from './history.ts'
import type { KnownPrices } from './known-prices.ts'

/** NaN for an origin from which the rule cannot predict. */
export type MedianPath = (origin: DayNumber) => (target: DayNumber) => number

/** Uses days up to the origin only, whatever `known` contains beyond it. */
export type MedianRule = (known: KnownPrices, history: History) => MedianPath

/** Caches the path of each origin: every horizon uses the same ones. */
export function memoisePath(path: MedianPath): MedianPath {
  const paths = new Map<DayNumber, (target: DayNumber) => number>()
  return (origin) => {
    const found = paths.get(origin)
    if (found) return found
    const made = path(origin)
    paths.set(origin, made)
    return made
  }
}
