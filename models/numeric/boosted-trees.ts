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
  const binned = binColumns(inputs, targets.length, columns)
  const base = targets.reduce((sum, value) => sum + value, 0) / targets.length
  const residuals = targets.map((value) => value - base)
  const random = seededRandom(options.seed)
  const nodes: Node[] = []
  const roots: number[] = []
  for (let tree = 0; tree < options.trees; tree++) {
    const rows = drawn(targets.length, options.rowShare, random)
    const seen = drawn(columns, options.columnShare, random)
    const root = new Growth(binned, residuals, seen, nodes, options).grow(rows, options.depth)
    roots.push(root)
    subtractTree(residuals, nodes, root, binned)
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

interface Binned {
  rows: number
  /** Column by column. */
  bins: Uint8Array
  /** Of each column: bin b holds the values above edge b − 2 and not above edge b − 1. */
  edges: Float64Array[]
}

function binColumns(inputs: Float64Array, rows: number, columns: number): Binned {
  const bins = new Uint8Array(rows * columns)
  const edges: Float64Array[] = []
  for (let column = 0; column < columns; column++) {
    const values = Float64Array.from({ length: rows }, (_, row) => inputs[row * columns + column] as number)
    const cuts = edgesOf(values)
    edges.push(cuts)
    values.forEach((value, row) => {
      bins[column * rows + row] = Number.isNaN(value) ? 0 : 1 + countBelow(cuts, value)
    })
  }
  return { rows, bins, edges }
}

/** Between values, such that bins hold about as many rows each. */
function edgesOf(values: Float64Array): Float64Array {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort()
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
function subtractTree(residuals: Float64Array, nodes: readonly Node[], root: number, binned: Binned): void {
  const own = nodes.slice(root)
  const starts = Int32Array.from(own, ({ column }) => column * binned.rows)
  const limits = Uint8Array.from(own, ({ bin }) => bin)
  const left = Int32Array.from(own, (node) => node.left - root)
  const right = Int32Array.from(own, (node) => node.right - root)
  const values = Float64Array.from(own, ({ value }) => value)
  const { bins } = binned
  for (let row = 0; row < residuals.length; row++) {
    let node = 0
    while ((starts[node] as number) >= 0) {
      const isRight = (bins[(starts[node] as number) + row] as number) > (limits[node] as number)
      node = (isRight ? right[node] : left[node]) as number
    }
    residuals[row] = (residuals[row] as number) - (values[node] as number)
  }
}

/** Sums of residuals and numbers of rows, by column seen and bin. */
interface Histogram {
  sums: Float64Array
  counts: Float64Array
}

interface Split {
  place: number
  bin: number
  gain: number
}

/** One tree. */
class Growth {
  readonly #binned: Binned
  readonly #residuals: Float64Array
  readonly #columns: Int32Array
  readonly #nodes: Node[]
  readonly #options: BoostingOptions

  constructor(binned: Binned, residuals: Float64Array, columns: Int32Array, nodes: Node[], options: BoostingOptions) {
    this.#binned = binned
    this.#residuals = residuals
    this.#columns = columns
    this.#nodes = nodes
    this.#options = options
  }

  /** Returns the node's place. */
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
    node.column = this.#columns[split.place] as number
    node.bin = split.bin
    node.threshold =
      split.bin === 0 ? Number.NEGATIVE_INFINITY : (this.#binned.edges[node.column]?.[split.bin - 1] as number)
    const [left, right] = this.#parted(rows, node)
    const smaller = this.#histogram(left.length < right.length ? left : right)
    const larger = difference(histogram, smaller)
    node.left = this.grow(left, depth - 1, left.length < right.length ? smaller : larger)
    node.right = this.grow(right, depth - 1, left.length < right.length ? larger : smaller)
    return place
  }

  #histogram(rows: Int32Array): Histogram {
    const { bins, rows: count } = this.#binned
    const sums = new Float64Array(this.#columns.length * BINS)
    const counts = new Float64Array(this.#columns.length * BINS)
    const own = Float64Array.from(rows, (row) => this.#residuals[row] as number)
    for (let place = 0; place < this.#columns.length; place++) {
      const start = (this.#columns[place] as number) * count
      for (let at = 0; at < rows.length; at++) {
        const cell = place * BINS + (bins[start + (rows[at] as number)] as number)
        sums[cell] = (sums[cell] as number) + (own[at] as number)
        counts[cell] = (counts[cell] as number) + 1
      }
    }
    return { sums, counts }
  }

  /** The one that lowers the penalised squares most; undefined where none does. */
  #bestSplit({ sums, counts }: Histogram, sum: number, count: number): Split | undefined {
    const { penalty, leafRowsMin } = this.#options
    const whole = sum ** 2 / (count + penalty)
    let best: Split | undefined
    for (let place = 0; place < this.#columns.length; place++) {
      let [leftSum, leftCount] = [0, 0]
      for (let bin = 0; bin < BINS - 1; bin++) {
        leftSum += sums[place * BINS + bin] as number
        leftCount += counts[place * BINS + bin] as number
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
    const { bins, rows: count } = this.#binned
    const start = column * count
    const parted = new Int32Array(rows.length)
    let [left, right] = [0, rows.length]
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at] as number
      if ((bins[start + row] as number) <= bin) parted[left++] = row
      else parted[--right] = row
    }
    return [parted.subarray(0, left), parted.subarray(left)]
  }
}

function difference(whole: Histogram, part: Histogram): Histogram {
  const less = (from: Float64Array, by: Float64Array) => from.map((value, at) => value - (by[at] as number))
  return { sums: less(whole.sums, part.sums), counts: less(whole.counts, part.counts) }
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
