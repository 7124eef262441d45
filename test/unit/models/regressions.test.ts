import { describe, expect, it } from 'vitest'
import { lassoPath } from '../../../models/lear/lasso-path.ts'
import { chooseFit } from '../../../models/lear/lear.ts'
import { solveSymmetric } from '../../../models/numeric/cholesky.ts'
import { gram, moments } from '../../../models/numeric/gram.ts'
import { seededRandom } from '../../../models/numeric/random.ts'
import { applyRidge, fitRidge } from '../../../models/numeric/ridge.ts'

const ROWS = 80
const COLUMNS = 12

/** `twin` makes the first two columns nearly equal. */
function problem(seed: number, twin = true) {
  const random = seededRandom(seed)
  const cells = Float64Array.from({ length: ROWS * COLUMNS }, () => random() - 0.5)
  for (let row = 0; twin && row < ROWS; row++)
    cells[row * COLUMNS + 1] = (cells[row * COLUMNS] as number) + 0.1 * (random() - 0.5)
  const targets = Float64Array.from({ length: ROWS }, (_, row) => {
    return 2 * (cells[row * COLUMNS] as number) - (cells[row * COLUMNS + 3] as number) + 0.2 * (random() - 0.5)
  })
  const table = { rows: ROWS, columns: COLUMNS, cells }
  const targetSquares = targets.reduce((sum, target) => sum + target * target, 0)
  return { table, targets, lasso: { gram: gram(table), moments: moments(table, targets), targetSquares } }
}

/** Proximal gradient descent on the rows: slow, and independent of coordinate descent. */
function proximalLasso({ table, targets }: ReturnType<typeof problem>, penalty: number): Float64Array {
  const { cells } = table
  let coefficients = new Float64Array(COLUMNS)
  const step = 1 / cells.reduce((sum, cell) => sum + cell * cell, 0)
  for (let round = 0; round < 60_000; round++) {
    const slope = new Float64Array(COLUMNS)
    for (let row = 0; row < ROWS; row++) {
      let miss = -(targets[row] as number)
      for (let j = 0; j < COLUMNS; j++) miss += (cells[row * COLUMNS + j] as number) * (coefficients[j] as number)
      for (let j = 0; j < COLUMNS; j++) slope[j] = (slope[j] as number) + miss * (cells[row * COLUMNS + j] as number)
    }
    coefficients = coefficients.map((value, j) => {
      const moved = value - step * (slope[j] as number)
      return Math.sign(moved) * Math.max(0, Math.abs(moved) - step * penalty)
    })
  }
  return coefficients
}

describe('the lasso', () => {
  it.each([1, 2])('agrees with proximal gradient descent on the rows (problem %i)', (seed) => {
    const given = problem(seed, false)
    for (const [index, penalty] of [2, 0.3].entries()) {
      const expected = proximalLasso(given, penalty)
      const found = lassoPath(given.lasso, { penalties: [2, 0.3], tolerance: 1e-6 })[index]
        ?.coefficients as Float64Array
      expect(Math.max(...found.map((value, j) => Math.abs(value - (expected[j] as number))))).toBeLessThan(2e-3)
    }
  })

  it('has the same cost as proximal gradient descent with two nearly equal inputs', () => {
    const given = problem(1)
    const cost = (coefficients: Float64Array) => {
      let squares = 0
      for (let row = 0; row < ROWS; row++) {
        const said = coefficients.reduce(
          (sum, value, j) => sum + value * (given.table.cells[row * COLUMNS + j] as number),
          0,
        )
        squares += ((given.targets[row] as number) - said) ** 2
      }
      return squares / 2 + 0.3 * coefficients.reduce((sum, value) => sum + Math.abs(value), 0)
    }
    const found = lassoPath(given.lasso, { penalties: [2, 0.3], tolerance: 1e-6 })[1]?.coefficients as Float64Array
    expect(cost(found) / cost(proximalLasso(given, 0.3))).toBeLessThan(1.001)
  })

  it('starts with all coefficients zero and activates more as the penalty falls', () => {
    const path = lassoPath(problem(3).lasso)
    expect(path).toHaveLength(40)
    expect(path[0]?.active).toBe(0)
    expect(path.at(-1)?.active).toBeGreaterThan(2)
    const residuals = path.map((fit) => fit.residualSquares)
    expect(residuals).toEqual([...residuals].sort((a, b) => b - a))
  })

  it('computes its residuals without the rows', () => {
    const { lasso, table, targets } = problem(4)
    const fit = lassoPath(lasso, { penalties: [1] })[0]
    let squares = 0
    for (let row = 0; row < ROWS; row++) {
      let miss = targets[row] as number
      for (let j = 0; j < COLUMNS; j++)
        miss -= (table.cells[row * COLUMNS + j] as number) * (fit?.coefficients[j] as number)
      squares += miss * miss
    }
    expect(fit?.residualSquares).toBeCloseTo(squares, 8)
  })

  it('selects both true inputs and few others by the Akaike criterion', () => {
    const { coefficients } = chooseFit(lassoPath(problem(5).lasso), ROWS)
    expect((coefficients[0] as number) + (coefficients[1] as number)).toBeCloseTo(2, 0)
    expect(coefficients[3]).toBeLessThan(-0.7)
    expect(coefficients.filter((value) => value !== 0).length).toBeLessThan(COLUMNS)
  })

  it('selects fewer inputs than half the rows', () => {
    const fits = lassoPath(problem(6).lasso)
    expect(2 * chooseFit(fits, 10).active).toBeLessThan(10)
  })
})

describe('ridge', () => {
  it('solves the normal equations', () => {
    expect([...solveSymmetric(Float64Array.of(4, 2, 2, 3), [8, 7])].map((x) => Math.round(x * 1e9) / 1e9)).toEqual([
      1.25, 1.5,
    ])
    expect(() => solveSymmetric(Float64Array.of(1, 1, 1, 1), [1, 2])).toThrow('positive definite')
  })

  it('fits a line, shrinks with its strength, and replaces a missing input by the mean', () => {
    const rows = Array.from({ length: 50 }, (_, index) => Float64Array.of(Math.sin(index), Math.cos(3 * index)))
    const targets = Float64Array.from(rows, ([a = 0]) => 3 + 0.5 * a)
    const close = fitRidge(rows, targets, 1e-9)
    expect(applyRidge(close, rows[7] as Float64Array)).toBeCloseTo(targets[7] as number, 1)
    const shrunk = fitRidge(rows, targets, 100)
    expect(Math.abs(shrunk.coefficients[0] as number)).toBeLessThan(0.02 * Math.abs(close.coefficients[0] as number))
    expect(applyRidge(close, Float64Array.of(Number.NaN, Number.NaN))).toBeCloseTo(close.intercept, 9)
  })
})
