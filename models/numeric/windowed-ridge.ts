/**
 * Ridge regressions of many outputs at once, over several windows of the latest rows and several penalties, averaged into one linear
 * rule. The sums of products are made once, from the latest row back: a longer window continues where the shorter one ended.
 */
import { solveLeadingSymmetric } from './cholesky.ts'
import { addSquares } from './gram.ts'

interface RegressionRows {
  /** Day of each row, ascending. */
  days: ArrayLike<number>
  columns: number
  /** Row by row; NaN where unknown. Overwritten, standardised: they are the most that a training holds. */
  inputs: Float64Array
  outputs: number
  /** Row by row, all known. */
  targets: Float64Array
}

export interface WindowedOptions {
  /** The last day to learn from. */
  through: number
  windowsDays: readonly number[]
  /** Added to the sums of squares of standardised columns. */
  penalties: readonly number[]
  /** Fewer rows carry no fit: a window is then left out. */
  rowsMin: number
  /** Each gives a rule of its own that sees those columns alone. */
  subsets: readonly ArrayLike<number>[]
}

/** outputs = intercepts + inputs · weights, an unknown input being `usual`, none farther from it than `reach`. */
export interface LinearRule {
  columns: ArrayLike<number>
  usual: Float64Array
  reach: Float64Array
  /** A row for each column, with a cell for each output. */
  weights: Float64Array
  intercepts: Float64Array
}

/** One rule for each subset; undefined where no window has rows enough. */
export function fitWindows(rows: RegressionRows, options: WindowedOptions): LinearRule[] | undefined {
  const { columns, outputs } = rows
  const end = upperBound(rows.days, options.through)
  const windows = [...options.windowsDays].sort((a, b) => a - b)
  const longest = upperBound(rows.days, options.through - (windows.at(-1) as number))
  const scale = scaleOf(rows, longest, end)
  const cells = standardiseCells(rows, scale, longest, end)
  const sums = new Sums(columns, outputs)
  const fitted = options.subsets.map((subset) => new Average(subset, outputs))
  const chains = chainsOf(fitted)
  const scratch = { matrix: new Float64Array(columns ** 2), penalised: new Float64Array(columns ** 2) }
  let next = end
  for (const days of windows) {
    const first = upperBound(rows.days, options.through - days)
    if (end - first < options.rowsMin) continue
    if (next === first && next < end) break
    sums.add(cells, rows.targets, { from: first, to: next, origin: longest })
    next = first
    for (const chain of chains) addFits(chain, sums, options.penalties, scratch)
  }
  if (next === end) return undefined
  return fitted.map((average) => average.rule(scale))
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

/** The first place whose day is later than `day`. */
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

/** A column that moves less says nothing, however much it moves against itself: sun at night. */
const DEVIATION_MIN = 2e-3
/** The same of a window, as a share of the deviation over all rows. */
const DEVIATION_SHARE_MIN = 0.05
/** No value counts as farther from the mean, in deviations: so that one extreme day neither distorts a fit nor gets an extreme forecast. */
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

/** Counts, sums and sums of products of the rows added so far. */
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

  /** `cells` begin with the row `origin`, `targets` with row 0. */
  add(cells: Float64Array, targets: Float64Array, span: { from: number; to: number; origin: number }): void {
    const { columns, outputs, inputs, products, squares } = this
    for (let row = span.from; row < span.to; row++) {
      const start = (row - span.origin) * columns
      for (let output = 0; output < outputs; output++)
        this.targets[output] = (this.targets[output] as number) + (targets[row * outputs + output] as number)
      for (let column = 0; column < columns; column++) {
        const value = cells[start + column] as number
        inputs[column] = (inputs[column] as number) + value
        for (let output = 0; output < outputs; output++) {
          const at = column * outputs + output
          products[at] = (products[at] as number) + value * (targets[row * outputs + output] as number)
        }
      }
    }
    const { from, to, origin } = span
    addSquares(squares, columns, cells.subarray((from - origin) * columns, (to - origin) * columns))
    this.count += to - from
  }
}

/** Each begins with the same columns as the one before it: their fits share a factor. */
type Chain = Average[]

/** Chains that begin with the averages of most columns. */
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

/** Fits the rows of the window: centred, each column scaled to a deviation of 1. */
function addFits(chain: Chain, sums: Sums, penalties: readonly number[], scratch: Scratch): void {
  const { count, columns, outputs, inputs, targets, squares, products } = sums
  const { subset } = chain[0] as Average
  const size = subset.length
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
        (product - (sum * (inputs[column] as number)) / count) / (deviation * (deviations[j] as number))
    }
    for (let output = 0; output < outputs; output++) {
      const centred = (products[row * outputs + output] as number) - (sum * (targets[output] as number)) / count
      right[i * outputs + output] = centred / deviation
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

/** The mean of the rules of one subset of the columns, on the standard of the longest window. */
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

  /** The solution is for columns of a deviation of 1. */
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

  /** For inputs as they are. */
  rule({ means, deviations }: Scale): LinearRule {
    const { subset } = this
    const outputs = this.#intercepts.length
    const intercepts = this.#intercepts.map((sum) => sum / this.#count)
    const weights = this.#weights.map((sum, at) => {
      const column = subset[Math.floor(at / outputs)] as number
      const weight = sum / this.#count / (deviations[column] as number)
      intercepts[at % outputs] = (intercepts[at % outputs] as number) - weight * (means[column] as number)
      return weight
    })
    const usual = Float64Array.from(subset, (column) => means[column] as number)
    const reach = Float64Array.from(subset, (column) => REACH * (deviations[column] as number))
    return { columns: Float64Array.from(subset), usual, reach, weights, intercepts }
  }
}
