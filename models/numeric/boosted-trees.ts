/**
 * Gradient boosting of regression trees on squared errors (Friedman 2001), with splits found on histograms: each column is cut into a
 * few dozen bins once, and a node's larger child has its parent's histogram less the smaller child's.
 */
import { seededRandom } from './random.ts'

export interface BoostingOptions {
  trees: number
  /** Splits on the way to a leaf. */
  depth: number
  learningRate: number
  /** Fewer rows make no leaf. */
  leafRowsMin: number
  /** Added to the number of rows of a leaf, so that small ones say less. */
  penalty: number
  /** Of the rows and of the columns that each tree sees, drawn for it alone. */
  rowShare: number
  columnShare: number
  seed: number
}

/** Nodes of all trees, one tree after the other; a leaf has column −1. */
export interface BoostedTrees {
  base: number
  roots: Float64Array
  columns: Float64Array
  /** To the left where the value is not above it, or unknown. */
  thresholds: Float64Array
  left: Float64Array
  right: Float64Array
  values: Float64Array
}

/** Few enough for a byte; bin 0 is of unknown values. */
const BINS = 64

/** `inputs` row by row, `targets` without gaps. */
export function fitBoostedTrees(
  inputs: Float64Array,
  targets: Float64Array,
  columns: number,
  options: BoostingOptions,
): BoostedTrees {
  const all = Int32Array.from({ length: columns }, (_, column) => column)
  return fitBinnedTrees(binColumns(inputs, columns), all, targets, options)
}

/** The same from inputs that are binned already, of which the trees see the given columns; theirs are places among those. */
export function fitBinnedTrees(
  binned: Binned,
  columns: Int32Array,
  targets: Float64Array,
  options: BoostingOptions,
): BoostedTrees {
  const base = targets.reduce((sum, value) => sum + value, 0) / targets.length
  const residuals = targets.map((value) => value - base)
  const random = seededRandom(options.seed)
  const nodes: Node[] = []
  const roots: number[] = []
  for (let tree = 0; tree < options.trees; tree++) {
    const rows = drawn(targets.length, options.rowShare, random)
    const seen = drawn(columns.length, options.columnShare, random)
    const root = new Growth(binned, columns, residuals, seen, nodes, options).grow(rows, options.depth)
    roots.push(root)
    subtractTree(residuals, nodes, root, binned, columns)
  }
  return packed(base, roots, nodes)
}

export function applyBoostedTrees(trees: BoostedTrees, row: ArrayLike<number>): number {
  const { roots, columns, thresholds, left, right, values } = trees
  let sum = trees.base
  for (let tree = 0; tree < roots.length; tree++) {
    let node = roots[tree] as number
    while ((columns[node] as number) >= 0) {
      const isRight = (row[columns[node] as number] as number) > (thresholds[node] as number)
      node = (isRight ? right[node] : left[node]) as number
    }
    sum += values[node] as number
  }
  return sum
}

export interface Binned {
  rows: number
  columns: number
  /** Row by row, for the histograms, which count the columns of a row together. */
  byRow: Uint8Array
  /** Column by column, for the splits. */
  byColumn: Uint8Array
  /** Of each column: bin b holds the values above edge b − 2 and not above edge b − 1. */
  edges: Float64Array[]
}

/** `inputs` row by row. */
export function binColumns(inputs: Float64Array, columns: number): Binned {
  const rows = inputs.length / columns
  const byRow = new Uint8Array(rows * columns)
  const byColumn = new Uint8Array(rows * columns)
  const edges: Float64Array[] = []
  const values = new Float64Array(rows)
  const known = new Float64Array(rows)
  for (let column = 0; column < columns; column++) {
    let count = 0
    for (let row = 0; row < rows; row++) {
      const value = inputs[row * columns + column] as number
      values[row] = value
      if (!Number.isNaN(value)) known[count++] = value
    }
    const cuts = edgesOf(known.subarray(0, count).sort())
    edges.push(cuts)
    for (let row = 0; row < rows; row++) {
      const value = values[row] as number
      const bin = Number.isNaN(value) ? 0 : 1 + countBelow(cuts, value)
      byRow[row * columns + column] = bin
      byColumn[column * rows + row] = bin
    }
  }
  return { rows, columns, byRow, byColumn, edges }
}

/** Between values, such that bins hold about as many rows each. */
function edgesOf(sorted: Float64Array): Float64Array {
  const edges: number[] = []
  for (let bin = 1; bin < BINS - 1; bin++) {
    const at = Math.floor((bin * sorted.length) / (BINS - 1))
    const [below, above] = [sorted[at - 1], sorted[at]]
    if (below === undefined || above === undefined || below === above) continue
    edges.push((below + above) / 2)
  }
  return Float64Array.from(edges)
}

/** How many edges lie below the value. */
function countBelow(edges: Float64Array, value: number): number {
  let [low, high] = [0, edges.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((edges[middle] as number) < value) low = middle + 1
    else high = middle
  }
  return low
}

/** About that share of them, in order; one at least. */
function drawn(count: number, share: number, random: () => number): Int32Array {
  const chosen = new Int32Array(count)
  let size = 0
  for (let index = 0; index < count; index++) if (share >= 1 || random() < share) chosen[size++] = index
  if (size === 0) chosen[size++] = Math.floor(random() * count)
  return chosen.subarray(0, size)
}

interface Node {
  column: number
  /** The last bin that goes left. */
  bin: number
  threshold: number
  left: number
  right: number
  value: number
}

/** Takes the tree's values from the residuals of all rows, drawn or not. */
function subtractTree(
  residuals: Float64Array,
  nodes: readonly Node[],
  root: number,
  { rows, byColumn }: Binned,
  columns: Int32Array,
): void {
  const own = nodes.slice(root)
  const starts = Int32Array.from(own, ({ column }) => (columns[column] ?? -1) * rows)
  const limits = Uint8Array.from(own, ({ bin }) => bin)
  const left = Int32Array.from(own, (node) => node.left - root)
  const right = Int32Array.from(own, (node) => node.right - root)
  const values = Float64Array.from(own, ({ value }) => value)
  for (let row = 0; row < residuals.length; row++) {
    let node = 0
    while ((starts[node] as number) >= 0) {
      const isRight = (byColumn[(starts[node] as number) + row] as number) > (limits[node] as number)
      node = (isRight ? right[node] : left[node]) as number
    }
    residuals[row] = (residuals[row] as number) - (values[node] as number)
  }
}

/** By column seen and bin: the sum of residuals, then the number of rows. */
type Histogram = Float64Array

interface Split {
  place: number
  bin: number
  gain: number
}

/** One tree. */
class Growth {
  readonly #binned: Binned
  /** Those that the trees may see. */
  readonly #columns: Int32Array
  /** Places among them: those that this tree sees. */
  readonly #seen: Int32Array
  readonly #residuals: Float64Array
  readonly #nodes: Node[]
  readonly #options: BoostingOptions

  constructor(
    binned: Binned,
    columns: Int32Array,
    residuals: Float64Array,
    seen: Int32Array,
    nodes: Node[],
    options: BoostingOptions,
  ) {
    this.#binned = binned
    this.#columns = columns
    this.#seen = seen
    this.#residuals = residuals
    this.#nodes = nodes
    this.#options = options
  }

  /** Returns the node's place. A leaf needs no histogram. */
  grow(rows: Int32Array, depth: number, histogram = this.#histogram(rows)): number {
    const { learningRate, penalty } = this.#options
    let sum = 0
    for (let at = 0; at < rows.length; at++) sum += this.#residuals[rows[at] as number] as number
    const node: Node = { column: -1, bin: 0, threshold: 0, left: -1, right: -1, value: 0 }
    const place = this.#nodes.push(node) - 1
    const split = depth > 0 ? this.#bestSplit(histogram, sum, rows.length) : undefined
    if (!split) {
      node.value = (learningRate * sum) / (rows.length + penalty)
      return place
    }
    node.column = this.#seen[split.place] as number
    node.bin = split.bin
    const edges = this.#binned.edges[this.#columns[node.column] as number] as Float64Array
    node.threshold = split.bin === 0 ? Number.NEGATIVE_INFINITY : (edges[split.bin - 1] as number)
    const [left, right] = this.#parted(rows, node)
    const isLeftSmaller = left.length < right.length
    const smaller = depth > 1 ? this.#histogram(isLeftSmaller ? left : right) : histogram
    const larger = depth > 1 ? difference(histogram, smaller) : histogram
    node.left = this.grow(left, depth - 1, isLeftSmaller ? smaller : larger)
    node.right = this.grow(right, depth - 1, isLeftSmaller ? larger : smaller)
    return place
  }

  #histogram(rows: Int32Array): Histogram {
    const { byRow, columns: width } = this.#binned
    const columns = this.#seen.map((place) => this.#columns[place] as number)
    const residuals = this.#residuals
    const counted = new Float64Array(2 * BINS * columns.length)
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at] as number
      const start = row * width
      const residual = residuals[row] as number
      for (let place = 0; place < columns.length; place++) {
        const cell = 2 * (place * BINS + (byRow[start + (columns[place] as number)] as number))
        counted[cell] = (counted[cell] as number) + residual
        counted[cell + 1] = (counted[cell + 1] as number) + 1
      }
    }
    return counted
  }

  /** The one that lowers the penalised squares most; undefined where none does. */
  #bestSplit(histogram: Histogram, sum: number, count: number): Split | undefined {
    const { penalty, leafRowsMin } = this.#options
    const whole = sum ** 2 / (count + penalty)
    let best: Split | undefined
    for (let place = 0; place < this.#seen.length; place++) {
      let [leftSum, leftCount] = [0, 0]
      for (let bin = 0; bin < BINS - 1; bin++) {
        const cell = 2 * (place * BINS + bin)
        leftSum += histogram[cell] as number
        leftCount += histogram[cell + 1] as number
        if (leftCount < leafRowsMin) continue
        const rightCount = count - leftCount
        if (rightCount < leafRowsMin) break
        const gain = leftSum ** 2 / (leftCount + penalty) + (sum - leftSum) ** 2 / (rightCount + penalty) - whole
        if (gain > (best?.gain ?? 1e-12)) best = { place, bin, gain }
      }
    }
    return best
  }

  #parted(rows: Int32Array, { column, bin }: Node): [Int32Array, Int32Array] {
    const { rows: count, byColumn } = this.#binned
    const start = (this.#columns[column] as number) * count
    const parted = new Int32Array(rows.length)
    let [left, right] = [0, rows.length]
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at] as number
      if ((byColumn[start + row] as number) <= bin) parted[left++] = row
      else parted[--right] = row
    }
    return [parted.subarray(0, left), parted.subarray(left)]
  }
}

function difference(whole: Histogram, part: Histogram): Histogram {
  const less = new Float64Array(whole.length)
  for (let cell = 0; cell < whole.length; cell++) less[cell] = (whole[cell] as number) - (part[cell] as number)
  return less
}

function packed(base: number, roots: readonly number[], nodes: readonly Node[]): BoostedTrees {
  const of = (value: (node: Node) => number) => Float64Array.from(nodes, value)
  return {
    base,
    roots: Float64Array.from(roots),
    columns: of(({ column }) => column),
    thresholds: of(({ threshold }) => threshold),
    left: of(({ left }) => left),
    right: of(({ right }) => right),
    values: of(({ value }) => value),
  }
}
