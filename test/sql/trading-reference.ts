/**
 * The trading indicators, implemented from their definitions as simply as possible, to check the SQL implementation.
 * Days are `YYYY-MM-DD`.
 */
export interface Bar {
  high: number
  low: number
  close: number
}

/** Wilder's Average True Range; undefined if there are fewer true ranges than periods. */
export function referenceAtr(bars: Bar[], periods: number): number | undefined {
  const ranges = bars.slice(1).map(({ high, low }, i) => {
    const before = (bars[i] as Bar).close
    return Math.max(high - low, Math.abs(high - before), Math.abs(low - before))
  })
  if (ranges.length < periods) return undefined
  const first = ranges.slice(0, periods).reduce((sum, range) => sum + range, 0) / periods
  return ranges.slice(periods).reduce((average, range) => (average * (periods - 1) + range) / periods, first)
}

/** Pearson correlation of the returns of two series over their common days from `first` to `last`. */
export function referenceCorrelation(
  a: ReadonlyMap<string, number>,
  b: ReadonlyMap<string, number>,
  first: string,
  last: string,
): { returns: number; correlation: number } {
  const days = [...a.keys()].filter((day) => b.has(day) && day >= first && day <= last).sort()
  const pairs: [number, number][] = []
  for (let i = 1; i < days.length; i++) {
    const [beforeA, beforeB] = [a.get(days[i - 1] as string) as number, b.get(days[i - 1] as string) as number]
    const [nowA, nowB] = [a.get(days[i] as string) as number, b.get(days[i] as string) as number]
    if (beforeA > 0 && beforeB > 0) pairs.push([(nowA - beforeA) / beforeA, (nowB - beforeB) / beforeB])
  }
  const mean = (index: 0 | 1) => pairs.reduce((sum, pair) => sum + pair[index], 0) / pairs.length
  const [meanA, meanB] = [mean(0), mean(1)]
  let [covariance, varianceA, varianceB] = [0, 0, 0]
  for (const [x, y] of pairs) {
    covariance += (x - meanA) * (y - meanB)
    varianceA += (x - meanA) ** 2
    varianceB += (y - meanB) ** 2
  }
  return { returns: pairs.length, correlation: covariance / Math.sqrt(varianceA * varianceB) }
}
