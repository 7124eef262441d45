import { solveSymmetric } from './cholesky.ts'
import { gram, moments } from './gram.ts'
import { type Standard, standardised, standardOf } from './standardise.ts'

/** A linear rule on standardised columns. */
export interface RidgeFit {
  standard: Standard
  coefficients: Float64Array
  intercept: number
}

/** Least squares with a penalty on squared coefficients of `strength` times the number of rows, so that 0.1 weighs like a tenth of them. */
export function fitRidge(rows: readonly Float64Array[], targets: Float64Array, strength: number): RidgeFit {
  const columns = rows[0]?.length ?? 0
  const standard = standardOf(rows, columns)
  const cells = new Float64Array(rows.length * columns)
  rows.forEach((row, index) => {
    cells.set(standardised(standard, row), index * columns)
  })
  const intercept = targets.reduce((sum, target) => sum + target, 0) / targets.length
  const table = { rows: rows.length, columns, cells }
  const matrix = gram(table)
  for (let column = 0; column < columns; column++) {
    matrix[column * columns + column] = (matrix[column * columns + column] as number) + strength * rows.length
  }
  const centred = targets.map((target) => target - intercept)
  return { standard, intercept, coefficients: solveSymmetric(matrix, moments(table, centred)) }
}

export function applyRidge({ standard, coefficients, intercept }: RidgeFit, row: Float64Array): number {
  const values = standardised(standard, row)
  return values.reduce((sum, value, column) => sum + value * (coefficients[column] as number), intercept)
}
