/** Parameters that bring columns, and later rows, to mean 0 and deviation 1; extremes are then squashed. */
export interface Standard {
  means: Float64Array
  /** 1 where a column never changes. */
  deviations: Float64Array
}

/** Nearly linear within ±1 deviation, logarithmic beyond it, so that one extreme day does not distort a fit. */
const SQUASH = 3
const DEVIATION_MIN = 1e-9

/** NaN cells are left out. */
export function standardOf(rows: readonly Float64Array[], columns: number): Standard {
  const means = new Float64Array(columns)
  const deviations = new Float64Array(columns).fill(1)
  for (let column = 0; column < columns; column++) {
    let [sum, squares, count] = [0, 0, 0]
    for (const row of rows) {
      const value = row[column] as number
      if (Number.isNaN(value)) continue
      sum += value
      count++
    }
    if (count === 0) continue
    const mean = sum / count
    for (const row of rows) {
      const value = row[column] as number
      if (!Number.isNaN(value)) squares += (value - mean) ** 2
    }
    means[column] = mean
    const deviation = Math.sqrt(squares / count)
    if (deviation > DEVIATION_MIN) deviations[column] = deviation
  }
  return { means, deviations }
}

/** Standardises and squashes a row; NaN becomes 0, the mean. */
export function standardised({ means, deviations }: Standard, row: Float64Array): Float64Array {
  return row.map((value, column) => {
    const score = (value - (means[column] as number)) / (deviations[column] as number)
    return Number.isNaN(score) ? 0 : SQUASH * Math.asinh(score / SQUASH)
  })
}
