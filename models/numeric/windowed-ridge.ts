/**
 * Ridge regressions of many outputs at once, over several windows of the rows and several penalties, averaged into one linear rule. With
 * kinds of days there is one rule per kind, fitted with less weight on days of the other kinds.
 */
import { solveLeadingSymmetric } from './cholesky.ts'
import { addSquares } from './gram.ts'

/** Weight of a row by its day, from 0 (left out) to 1. */
export type Window = (day: number) => number

interface Kinds {
  count: number
  /** From 0 to `count` − 1. */
  of(day: number): number
  /** Weight of a row in the fits of other kinds, as a share of its weight in those of its own kind. */
  othersShare: number
}

interface RegressionRows {
  /** Day of each row, ascending. */
  days: ArrayLike<number>
  columns: number
  /** Row by row; NaN where unknown. Standardised in place, because they take most of a training's memory. */
  inputs: Float64Array
  outputs: number
  /** Row by row, all known. */
  targets: Float64Array
}

export interface WindowedOptions {
  /** The last day to learn from. */
  through: number
  windows: readonly Window[]
  /** Added to the sums of squares of standardised columns. */
  penalties: readonly number[]
  /** Number of rows that the penalties are meant for: the weights of each window are scaled to that sum. Default: not scaled. */
  penaltyRows?: number
  kinds?: Kinds
  /** A window with fewer rows is left out. */
  rowsMin: number
  /** Each subset of the columns gives a separate rule. */
  subsets: readonly ArrayLike<number>[]
}

interface RuleInputs {
  columns: ArrayLike<number>
  usual: Float64Array
  reach: Float64Array
}

/** outputs = intercepts + inputs · weights, where an unknown input counts as `usual` and others are clamped to `usual` ± `reach`. */
export interface LinearRule extends RuleInputs {
  /** One row per column, one cell per output. */
  weights: Float64Array
  intercepts: Float64Array
}

const ONE_KIND: Kinds = { count: 1, of: () => 0, othersShare: 1 }

/** Window of the last `days` days up to `through`. */
export function lastDays(days: number, through: number): Window {
  return (day) => (day > through - days && day <= through ? 1 : 0)
}

/** Returns, for each kind, one rule per subset; undefined if no window has enough rows. */
export function fitWindows(rows: RegressionRows, options: WindowedOptions): LinearRule[][] | undefined {
  const { columns, outputs, days } = rows
  const { through, penalties, penaltyRows, rowsMin, kinds = ONE_KIND } = options
  const end = upperBound(days, through)
  const weights = options.windows.map((window) =>
    Float64Array.from({ length: end }, (_, row) => window(days[row] as number)),
  )
  const used = weights.filter((one) => one.reduce((count, weight) => count + (weight > 0 ? 1 : 0), 0) >= rowsMin)
  if (used.length === 0) return undefined
  const from = Math.min(...used.map((one) => one.findIndex((weight) => weight > 0)))
  const scale = scaleOf(rows, from, end)
  const cells = standardiseCells(rows, scale, from, end)
  const fitted = Array.from({ length: kinds.count }, () =>
    options.subsets.map((subset) => new Average(subset, outputs)),
  )
  const chains = fitted.map(chainsOf)
  const scratch = { matrix: new Float64Array(columns ** 2), penalised: new Float64Array(columns ** 2) }
  for (const own of used) {
    const sums = Array.from({ length: kinds.count }, (_, kind) => {
      const ofKind = own.map((weight, row) => (kinds.of(days[row] as number) === kind ? weight : 0))
      return sumsOf(rows, cells, from, ofKind)
    })
    chains.forEach((chainsOfKind, kind) => {
      const all = new Sums(columns, outputs)
      sums.forEach((one, other) => {
        all.addSums(one, other === kind ? 1 : kinds.othersShare)
      })
      for (const chain of chainsOfKind) addFits(chain, all, { penalties, rows: penaltyRows ?? all.count }, scratch)
    })
  }
  const inputs = options.subsets.map((subset) => inputsOf(subset, scale))
  return fitted.map((averages) => averages.map((average, at) => average.rule(scale, inputs[at] as RuleInputs)))
}

/** The rule's outputs for one row of all inputs. */
export function applyRule({ columns, usual, reach, weights, intercepts }: LinearRule, row: Float64Array): Float64Array {
  const result = Float64Array.from(intercepts)
  const outputs = result.length
  for (let place = 0; place < columns.length; place++) {
    const known = row[columns[place] as number] as number
    const [middle, most] = [usual[place] as number, reach[place] as number]
    const value = Number.isNaN(known) ? middle : Math.max(middle - most, Math.min(middle + most, known))
    if (value === 0) continue
    for (let output = 0; output < outputs; output++)
      result[output] = (result[output] as number) + value * (weights[place * outputs + output] as number)
  }
  return result
}

/** Index of the first day later than `day`. */
function upperBound(days: ArrayLike<number>, day: number): number {
  let [low, high] = [0, days.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((days[middle] as number) <= day) low = middle + 1
    else high = middle
  }
  return low
}

interface Scale {
  means: Float64Array
  deviations: Float64Array
}

/** A column with a smaller deviation, such as sun at night, carries no information and is not scaled up. */
const DEVIATION_MIN = 2e-3
/** The same within a window, as a share of the deviation over all rows. */
const DEVIATION_SHARE_MIN = 0.05
/** Values are clamped to this many deviations from the mean, so that an extreme day neither distorts a fit nor gets an extreme forecast. */
const REACH = 5

function scaleOf({ columns, inputs }: RegressionRows, from: number, to: number): Scale {
  const means = new Float64Array(columns)
  const deviations = new Float64Array(columns).fill(1)
  for (let column = 0; column < columns; column++) {
    let sum = 0
    let squares = 0
    let count = 0
    for (let row = from; row < to; row++) {
      const value = inputs[row * columns + column] as number
      if (Number.isNaN(value)) continue
      sum += value
      squares += value * value
      count++
    }
    if (count === 0) continue
    means[column] = sum / count
    const deviation = Math.sqrt(Math.max(0, squares / count - (sum / count) ** 2))
    if (deviation > DEVIATION_MIN) deviations[column] = deviation
  }
  return { means, deviations }
}

/** Standardises the rows in use only; unknown values become the mean, 0. */
function standardiseCells({ columns, inputs }: RegressionRows, scale: Scale, from: number, to: number): Float64Array {
  const cells = inputs.subarray(from * columns, to * columns)
  for (let start = 0; start < cells.length; start += columns) {
    for (let column = 0; column < columns; column++) {
      const value =
        ((cells[start + column] as number) - (scale.means[column] as number)) / (scale.deviations[column] as number)
      cells[start + column] = Number.isNaN(value) ? 0 : Math.max(-REACH, Math.min(REACH, value))
    }
  }
  return cells
}

/** Makes arrays that the rules of every kind share, so that they are stored once. */
function inputsOf(subset: ArrayLike<number>, { means, deviations }: Scale): RuleInputs {
  return {
    columns: Float64Array.from(subset),
    usual: Float64Array.from(subset, (column) => means[column] as number),
    reach: Float64Array.from(subset, (column) => REACH * (deviations[column] as number)),
  }
}

/** Weights, sums and sums of products of rows. */
class Sums {
  count = 0
  readonly columns: number
  readonly outputs: number
  readonly inputs: Float64Array
  readonly targets: Float64Array
  /** The result of `addSquares`. */
  readonly squares: Float64Array
  readonly products: Float64Array

  constructor(columns: number, outputs: number) {
    this.columns = columns
    this.outputs = outputs
    this.inputs = new Float64Array(columns)
    this.targets = new Float64Array(outputs)
    this.squares = new Float64Array((columns + 1) * columns)
    this.products = new Float64Array(columns * outputs)
  }

  addSums(other: Sums, share: number): void {
    this.count += share * other.count
    for (const name of ['inputs', 'targets', 'squares', 'products'] as const) {
      const [own, theirs] = [this[name], other[name]]
      for (let at = 0; at < own.length; at++) own[at] = (own[at] as number) + share * (theirs[at] as number)
    }
  }
}

/** Sums over the rows with a weight; `cells` begin with row `origin`, targets and weights with row 0. */
function sumsOf(
  { columns, outputs, targets }: RegressionRows,
  cells: Float64Array,
  origin: number,
  weights: Float64Array,
): Sums {
  const sums = new Sums(columns, outputs)
  const rows = Array.from(weights.keys()).filter((row) => (weights[row] as number) > 0)
  const weighted = new Float64Array(rows.length * columns)
  rows.forEach((row, place) => {
    const [weight, start] = [weights[row] as number, (row - origin) * columns]
    const root = Math.sqrt(weight)
    sums.count += weight
    for (let output = 0; output < outputs; output++)
      sums.targets[output] = (sums.targets[output] as number) + weight * (targets[row * outputs + output] as number)
    for (let column = 0; column < columns; column++) {
      const cell = cells[start + column] as number
      weighted[place * columns + column] = root * cell
      sums.inputs[column] = (sums.inputs[column] as number) + weight * cell
      for (let output = 0; output < outputs; output++) {
        const at = column * outputs + output
        sums.products[at] = (sums.products[at] as number) + weight * cell * (targets[row * outputs + output] as number)
      }
    }
  })
  addSquares(sums.squares, columns, weighted)
  return sums
}

/** Averages whose columns are a prefix of the first one's, so that their fits share a factor. */
type Chain = Average[]

/** Groups averages into chains, each starting with the one with the most columns. */
function chainsOf(all: readonly Average[]): Chain[] {
  const chains: Chain[] = []
  for (const average of [...all].sort((a, b) => b.subset.length - a.subset.length)) {
    const longer = chains.find(([first]) => first !== undefined && isLeading(average.subset, first.subset))
    if (longer) longer.push(average)
    else chains.push([average])
  }
  return chains
}

function isLeading(part: ArrayLike<number>, whole: ArrayLike<number>): boolean {
  return Array.from(part).every((column, at) => column === whole[at])
}

/** Sized for all columns; only the lower triangle of a factor's matrix is used. */
interface Scratch {
  matrix: Float64Array
  penalised: Float64Array
}

/** Fits the summed rows, centred, with each column scaled to a deviation of 1 and the weights to a sum of `rows`. */
function addFits(
  chain: Chain,
  sums: Sums,
  { penalties, rows }: { penalties: readonly number[]; rows: number },
  scratch: Scratch,
): void {
  const { count, columns, outputs, inputs, targets, squares, products } = sums
  const { subset } = chain[0] as Average
  const size = subset.length
  const scaled = rows / count
  const deviations = Float64Array.from({ length: size }, (_, place) => {
    const at = subset[place] as number
    const spread = (squares[at * columns + at] as number) - (inputs[at] as number) ** 2 / count
    const deviation = Math.sqrt(Math.max(0, spread / count))
    return deviation > DEVIATION_SHARE_MIN ? deviation : Number.POSITIVE_INFINITY
  })
  const matrix = scratch.matrix.subarray(0, size ** 2)
  const penalised = scratch.penalised.subarray(0, size ** 2)
  const right = new Float64Array(size * outputs)
  for (let i = 0; i < size; i++) {
    const row = subset[i] as number
    const [sum, deviation] = [inputs[row] as number, deviations[i] as number]
    for (let j = 0; j <= i; j++) {
      const column = subset[j] as number
      const product = squares[Math.max(row, column) * columns + Math.min(row, column)] as number
      matrix[i * size + j] =
        (scaled * (product - (sum * (inputs[column] as number)) / count)) / (deviation * (deviations[j] as number))
    }
    for (let output = 0; output < outputs; output++) {
      const centred = (products[row * outputs + output] as number) - (sum * (targets[output] as number)) / count
      right[i * outputs + output] = (scaled * centred) / deviation
    }
  }
  const sizes = chain.map((average) => average.subset.length)
  for (const penalty of penalties) {
    penalised.set(matrix)
    for (let i = 0; i < size; i++) penalised[i * size + i] = (penalised[i * size + i] as number) + penalty
    const solutions = solveLeadingSymmetric(penalised, right.slice(), outputs, sizes)
    chain.forEach((average, at) => {
      average.add(solutions[at] as Float64Array, deviations, sums)
    })
  }
}

/** The mean of the rules of one subset of the columns, on the scale of all windows together. */
class Average {
  readonly subset: ArrayLike<number>
  readonly #weights: Float64Array
  readonly #intercepts: Float64Array
  #count = 0

  constructor(subset: ArrayLike<number>, outputs: number) {
    this.subset = subset
    this.#weights = new Float64Array(subset.length * outputs)
    this.#intercepts = new Float64Array(outputs)
  }

  /** Adds a solution for columns scaled to a deviation of 1. */
  add(solution: Float64Array, deviations: Float64Array, { count, outputs, inputs, targets }: Sums): void {
    const { subset } = this
    for (let output = 0; output < outputs; output++) {
      let intercept = (targets[output] as number) / count
      for (let i = 0; i < subset.length; i++) {
        const at = i * outputs + output
        const weight = (solution[at] as number) / (deviations[i] as number)
        this.#weights[at] = (this.#weights[at] as number) + weight
        intercept -= (weight * (inputs[subset[i] as number] as number)) / count
      }
      this.#intercepts[output] = (this.#intercepts[output] as number) + intercept
    }
    this.#count++
  }

  /** Returns the rule for unscaled inputs. */
  rule({ means, deviations }: Scale, inputs: RuleInputs): LinearRule {
    const { subset } = this
    const outputs = this.#intercepts.length
    const intercepts = this.#intercepts.map((sum) => sum / this.#count)
    const weights = this.#weights.map((sum, at) => {
      const column = subset[Math.floor(at / outputs)] as number
      const weight = sum / this.#count / (deviations[column] as number)
      intercepts[at % outputs] = (intercepts[at % outputs] as number) - weight * (means[column] as number)
      return weight
    })
    return { ...inputs, weights, intercepts }
  }
}
