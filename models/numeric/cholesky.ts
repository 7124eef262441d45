/**
 * Solves A x = b for a symmetric positive definite A, given row by row in `matrix` (its lower triangle is overwritten with the
 * factor).
 * @throws RangeError if A is not positive definite, as with a duplicate column and no penalty
 */
export function solveSymmetric(matrix: Float64Array, right: ArrayLike<number>): Float64Array {
  return solveLeadingSymmetric(matrix, Float64Array.from(right), 1, [right.length])[0] as Float64Array
}

/**
 * Solves for several right-hand sides at once, with the leading submatrix of A of each size in `sizes`; all share one factor. `right` has one
 * row per row of A and one cell per side, and is overwritten.
 */
export function solveLeadingSymmetric(
  matrix: Float64Array,
  right: Float64Array,
  sides: number,
  sizes: readonly number[],
): Float64Array[] {
  const size = right.length / sides
  factorise(matrix, size)
  solveForward(matrix, right, sides)
  return sizes.map((leading) => {
    const solution = right.slice(0, leading * sides)
    solveBackward(matrix, size, solution, sides)
    return solution
  })
}

function solveForward(factor: Float64Array, right: Float64Array, sides: number): void {
  const size = right.length / sides
  for (let row = 0; row < size; row++) {
    for (let k = 0; k < row; k++) subtract(right, row, k, sides, factor[row * size + k] as number)
    divide(right, row, sides, factor[row * size + row] as number)
  }
}

/** `width` is the size of the factor; the solution may use only its leading part. */
function solveBackward(factor: Float64Array, width: number, right: Float64Array, sides: number): void {
  const size = right.length / sides
  for (let row = size - 1; row >= 0; row--) {
    for (let k = row + 1; k < size; k++) subtract(right, row, k, sides, factor[k * width + row] as number)
    divide(right, row, sides, factor[row * width + row] as number)
  }
}

function subtract(cells: Float64Array, row: number, other: number, sides: number, factor: number): void {
  const [to, from] = [row * sides, other * sides]
  for (let side = 0; side < sides; side++)
    cells[to + side] = (cells[to + side] as number) - factor * (cells[from + side] as number)
}

function divide(cells: Float64Array, row: number, sides: number, divisor: number): void {
  const start = row * sides
  for (let side = 0; side < sides; side++) cells[start + side] = (cells[start + side] as number) / divisor
}

/** Works column by column, four rows at a time, so that the processor can compute their sums in parallel. */
function factorise(matrix: Float64Array, size: number): void {
  for (let column = 0; column < size; column++) {
    const own = column * size
    const square = reduced(matrix, own, own, column)
    if (!(square > 0)) throw new RangeError('the matrix is not positive definite')
    const root = Math.sqrt(square)
    matrix[own + column] = root
    let row = column + 1
    for (; row + 4 <= size; row += 4) {
      const first = row * size
      const second = first + size
      const third = second + size
      const fourth = third + size
      let a = matrix[first + column] as number
      let b = matrix[second + column] as number
      let c = matrix[third + column] as number
      let d = matrix[fourth + column] as number
      for (let k = 0; k < column; k++) {
        const factor = matrix[own + k] as number
        a -= (matrix[first + k] as number) * factor
        b -= (matrix[second + k] as number) * factor
        c -= (matrix[third + k] as number) * factor
        d -= (matrix[fourth + k] as number) * factor
      }
      matrix[first + column] = a / root
      matrix[second + column] = b / root
      matrix[third + column] = c / root
      matrix[fourth + column] = d / root
    }
    for (; row < size; row++) matrix[row * size + column] = reduced(matrix, row * size, own, column) / root
  }
}

/** Returns a cell minus the dot product of the factored parts of its row and of row `other`. */
function reduced(matrix: Float64Array, row: number, other: number, column: number): number {
  let value = matrix[row + column] as number
  for (let k = 0; k < column; k++) value -= (matrix[row + k] as number) * (matrix[other + k] as number)
  return value
}
