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
  const lasso = { gram: gram(table), moments: moments(table, targets), targetSquares: squaresOf(targets) }
  return { table, targets, lasso }
}

/** How far each target is above its prediction. */
function residualsOf({ table, targets }: ReturnType<typeof problem>, coefficients: Float64Array): Float64Array {
  return targets.map((target, row) => {
    let rest = target
    for (let j = 0; j < COLUMNS; j++) rest -= (table.cells[row * COLUMNS + j] as number) * (coefficients[j] as number)
    return rest
  })
}

const squaresOf = (values: Float64Array) => values.reduce((sum, value) => sum + value * value, 0)

/** Proximal gradient descent on the rows: slow, and independent of coordinate descent. */
function proximalLasso(given: ReturnType<typeof problem>, penalty: number): Float64Array {
  const { cells } = given.table
  let coefficients = new Float64Array(COLUMNS)
  const step = 1 / squaresOf(cells)
  for (let round = 0; round < 60_000; round++) {
    const residuals = residualsOf(given, coefficients)
    coefficients = coefficients.map((value, j) => {
      let moved = value
      for (let row = 0; row < ROWS; row++)
        moved += step * (residuals[row] as number) * (cells[row * COLUMNS + j] as number)
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
    const cost = (coefficients: Float64Array) =>
      squaresOf(residualsOf(given, coefficients)) / 2 +
      0.3 * coefficients.reduce((sum, value) => sum + Math.abs(value), 0)
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
    const given = problem(4)
    const [fit = expect.fail('no fit')] = lassoPath(given.lasso, { penalties: [1] })
    expect(fit.residualSquares).toBeCloseTo(squaresOf(residualsOf(given, fit.coefficients)), 8)
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
