/** One scored forecast: its quantiles and the actual price, €/MWh. */
export interface Scored {
  p10: number
  p50: number
  p90: number
  actual: number
}

/** Mean over the items, NaN where there are none: a score of nothing is not 0. */
export function meanOf<T>(items: readonly T[], value: (item: T) => number): number {
  let sum = 0
  for (const item of items) sum += value(item)
  return items.length === 0 ? Number.NaN : sum / items.length
}
