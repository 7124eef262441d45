/** Sums of products of a table's columns: all that a linear regression needs from the rows. */
export interface Table {
  rows: number
  columns: number
  /** Row by row. */
  cells: Float64Array
}

/** XᵀX, columns × columns. */
export function gram({ columns, cells }: Table): Float64Array {
  const sums = new Float64Array((columns + 1) * columns)
  addSquares(sums, columns, cells)
  for (let i = 0; i < columns; i++) {
    for (let j = 0; j < i; j++) sums[j * columns + i] = sums[i * columns + j] as number
  }
  return sums.subarray(0, columns ** 2)
}

/** Adds XᵀX of rows of `columns` cells to the lower triangle of `sums`, which has a spare row to pair with the last column. */
export function addSquares(sums: Float64Array, columns: number, cells: Float64Array): void {
  const nothing = new Float64Array(columns)
  const rowAt = (start: number) => (start < cells.length ? cells.subarray(start, start + columns) : nothing)
  for (let start = 0; start < cells.length; start += 4 * columns)
    addFour(sums, rowAt(start), rowAt(start + columns), rowAt(start + 2 * columns), rowAt(start + 3 * columns))
}

/**
 * Four rows and two columns at a time: each sum is read and written once for all rows, each cell read once for both columns. Unrolled by
 * hand, because arrays would be allocated a billion times.
 */
function addFour(sums: Float64Array, a: Float64Array, b: Float64Array, c: Float64Array, d: Float64Array): void {
  const columns = a.length
  for (let i = 0; i < columns; i += 2) {
    const ai = a[i] as number
    const bi = b[i] as number
    const ci = c[i] as number
    const di = d[i] as number
    const ak = a[i + 1] as number
    const bk = b[i + 1] as number
    const ck = c[i + 1] as number
    const dk = d[i + 1] as number
    const first = i * columns
    const second = first + columns
    for (let j = 0; j <= i + 1; j++) {
      const aj = a[j] as number
      const bj = b[j] as number
      const cj = c[j] as number
      const dj = d[j] as number
      sums[first + j] = (sums[first + j] as number) + ai * aj + bi * bj + ci * cj + di * dj
      sums[second + j] = (sums[second + j] as number) + ak * aj + bk * bj + ck * cj + dk * dj
    }
  }
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
