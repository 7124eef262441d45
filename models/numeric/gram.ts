/** Sums of products of the columns of a table of numbers, from which a linear regression needs nothing else of the rows. */
export interface Table {
  rows: number
  columns: number
  /** Row by row. */
  cells: Float64Array
}

/** XᵀX, columns × columns. */
export function gram({ rows, columns, cells }: Table): Float64Array {
  const sums = new Float64Array(columns * columns)
  for (let row = 0; row < rows; row++) {
    const start = row * columns
    for (let i = 0; i < columns; i++) {
      const left = cells[start + i] as number
      if (left === 0) continue
      for (let j = 0; j <= i; j++)
        sums[i * columns + j] = (sums[i * columns + j] as number) + left * (cells[start + j] as number)
    }
  }
  for (let i = 0; i < columns; i++) {
    for (let j = 0; j < i; j++) sums[j * columns + i] = sums[i * columns + j] as number
  }
  return sums
}

/** Xᵀy. */
export function moments({ rows, columns, cells }: Table, targets: ArrayLike<number>): Float64Array {
  const sums = new Float64Array(columns)
  for (let row = 0; row < rows; row++) {
    const target = targets[row] as number
    for (let i = 0; i < columns; i++) sums[i] = (sums[i] as number) + target * (cells[row * columns + i] as number)
  }
  return sums
}
