/** Quantile of sorted values by linear interpolation between order statistics (type 7 of Hyndman and Fan); NaN if there are none. */
export function sortedQuantile(sorted: ArrayLike<number>, probability: number): number {
  if (sorted.length === 0) return Number.NaN
  const position = probability * (sorted.length - 1)
  const below = Math.floor(position)
  const low = sorted[below] as number
  const high = sorted[Math.min(below + 1, sorted.length - 1)] as number
  return low + (position - below) * (high - low)
}

/** Quantile of values in any order, which are not modified. */
export function quantile(values: ArrayLike<number>, probability: number): number {
  return sortedQuantile(Float64Array.from(values).sort(), probability)
}

export function median(values: ArrayLike<number>): number {
  return quantile(values, 0.5)
}
