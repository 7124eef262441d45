/**
 * Solves A x = b for a symmetric positive definite A, given row by row in `matrix` (its lower triangle is overwritten with the
 * factor).
 * @throws RangeError where A is not positive definite, as with a column that repeats another and no penalty
 */
export function solveSymmetric(matrix: Float64Array, right: ArrayLike<number>): Float64Array {
  const size = right.length
  factorise(matrix, size)
  const solution = Float64Array.from(right)
  for (let row = 0; row < size; row++) {
    let value = solution[row] as number
    for (let k = 0; k < row; k++) value -= (matrix[row * size + k] as number) * (solution[k] as number)
    solution[row] = value / (matrix[row * size + row] as number)
  }
  for (let row = size - 1; row >= 0; row--) {
    let value = solution[row] as number
    for (let k = row + 1; k < size; k++) value -= (matrix[k * size + row] as number) * (solution[k] as number)
    solution[row] = value / (matrix[row * size + row] as number)
  }
  return solution
}

function factorise(matrix: Float64Array, size: number): void {
  for (let row = 0; row < size; row++) {
    for (let column = 0; column <= row; column++) {
      let value = matrix[row * size + column] as number
      for (let k = 0; k < column; k++) {
        value -= (matrix[row * size + k] as number) * (matrix[column * size + k] as number)
      }
      if (row > column) {
        matrix[row * size + column] = value / (matrix[column * size + column] as number)
        continue
      }
      if (!(value > 0)) throw new RangeError('the matrix is not positive definite')
      matrix[row * size + row] = Math.sqrt(value)
    }
  }
}
