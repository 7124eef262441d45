/**
 * LEAR: an autoregression on many inputs, selected by a lasso (Uniejewski, Nowotarski, Weron 2016; Lago et al.
 * 2021, who average several windows). It uses level-free features, so that windows over several years share one scale.
 */
import type { DayNumber } from '../calendar.ts'
import { gram, moments, type Table } from '../numeric/gram.ts'
import { applyRidge, type RidgeFit } from '../numeric/ridge.ts'
import { standardised, standardOf } from '../numeric/standardise.ts'
import { FEATURE_COUNT } from '../pun/features.ts'
import type { TrainingRow } from '../pun/training-rows.ts'
import { type LassoFit, lassoPath } from './lasso-path.ts'

/** A fit for each of the targets, in their order. */
export type LearFit = RidgeFit[]

/** `targets` are indices into a row's targets: 0 for the day's mean, 1 to 24 for the hours. */
export function fitLear(rows: readonly TrainingRow[], targets: readonly number[]): LearFit {
  const standard = standardOf(
    rows.map((row) => row.features),
    FEATURE_COUNT,
  )
  const table = { rows: rows.length, columns: FEATURE_COUNT, cells: new Float64Array(rows.length * FEATURE_COUNT) }
  rows.forEach((row, index) => {
    table.cells.set(standardised(standard, row.features), index * FEATURE_COUNT)
  })
  const centres = centreColumns(table)
  const products = gram(table)
  return targets.map((target) => {
    const values = rows.map((row) => row.targets[target] as number)
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length
    const centred = values.map((value) => value - mean)
    const targetSquares = centred.reduce((sum, value) => sum + value * value, 0)
    const path = lassoPath({ gram: products, moments: moments(table, centred), targetSquares })
    const { coefficients } = chooseFit(path, rows.length)
    const shift = coefficients.reduce((sum, value, column) => sum + value * (centres[column] as number), 0)
    return { standard, coefficients, intercept: mean - shift }
  })
}

/** Contribution of each fit to the level. */
export function applyLear(fit: LearFit, features: Float64Array): number[] {
  return fit.map((one) => applyRidge(one, features))
}

/** Centres the columns again, because squashing shifts their means from zero, and returns the shifts. */
function centreColumns({ rows, columns, cells }: Table): Float64Array {
  const centres = new Float64Array(columns)
  for (let cell = 0; cell < cells.length; cell++) {
    centres[cell % columns] = (centres[cell % columns] as number) + (cells[cell] as number) / rows
  }
  for (let cell = 0; cell < cells.length; cell++)
    cells[cell] = (cells[cell] as number) - (centres[cell % columns] as number)
  return centres
}

/** The rows of the last `windowDays` days up to `through`. */
export function lastRows(rows: readonly TrainingRow[], through: DayNumber, windowDays: number): TrainingRow[] {
  return rows.filter(({ day }) => day > through - windowDays)
}

/** Akaike uses 2; with 142 inputs to choose from, a little more was better in each of 2018, 2019, 2021, 2022 and 2023. */
const INPUT_COST = 3

/**
 * The fit with the smallest Akaike-type criterion, RSS / σ² + 3 · active. σ² is the residual variance of the largest fit that uses less than
 * half of the degrees of freedom: with more columns than rows, larger fits leave no residuals, and σ² would vanish. With the variance of
 * the target instead, as in some published code, too few inputs are selected (5 to 20 % more error on PUN).
 */
export function chooseFit(fits: readonly LassoFit[], rows: number, inputCost = INPUT_COST): LassoFit {
  const eligible = fits.filter(({ active }) => 2 * active < rows)
  const fullest = eligible.at(-1)
  if (!fullest) throw new RangeError('there is no fit to choose from')
  const variance = fullest.residualSquares / (rows - fullest.active - 1)
  if (!(variance > 0)) return fullest
  const criterion = (fit: LassoFit) => fit.residualSquares / variance + inputCost * fit.active
  return eligible.reduce((best, fit) => (criterion(fit) < criterion(best) ? fit : best))
}
