/**
 * Gradient boosting of regression trees on squared errors (Friedman 2001), with splits found on histograms: each column is binned once,
 * into a few dozen bins, and the histogram of a node's larger child is its parent's minus the smaller child's.
 */
import { seededRandom } from './random.ts'

export interface BoostingOptions {
  trees: number
  /** Maximum number of splits on the path to a leaf. */
  depth: number
  learningRate: number
  /** Minimum number of rows in a leaf. */
  leafRowsMin: number
  /** Added to the number of rows of a leaf, to shrink the values of small leaves. */
  penalty: number
  /** Shares of rows and columns drawn for each tree. */
  rowShare: number
  columnShare: number
  seed: number
}

/** Nodes of all trees, one tree after the other; a leaf has column −1. */
export interface BoostedTrees {
  base: number
  roots: Float64Array
  columns: Float64Array
  /** A row goes left if its value is unknown or not above the threshold. */
  thresholds: Float64Array
  left: Float64Array
  right: Float64Array
  values: Float64Array
}

/** Fits in a byte; bin 0 holds unknown values. */
const BINS = 64

/** `inputs` row by row, `targets` without gaps. */
export function fitBoostedTrees(
  inputs: Float64Array,
  targets: Float64Array,
  columns: number,
  options: BoostingOptions,
): BoostedTrees {
  const all = Int32Array.from({ length: columns }, (_, column) => column)
  const binned = binColumns(targets.length, columns, (row, at) => {
    row.set(inputs.subarray(at * columns, (at + 1) * columns))
  })
  return fitBinnedTrees(binned, all, targets, options)
}

/** Fits trees to binned inputs, using only `columns`; the column numbers in the trees are indices into that list. */
export function fitBinnedTrees(
  binned: Binned,
  columns: Int32Array,
  targets: Float64Array,
  options: BoostingOptions,
): BoostedTrees {
  const base = targets.reduce((sum, value) => sum + value, 0) / targets.length
  const residuals = targets.map((value) => value - base)
  const random = seededRandom(options.seed)
  const growth = new TreeGrower(binned, columns, residuals, options)
  const roots: number[] = []
  for (let tree = 0; tree < options.trees; tree++) {
    roots.push(growth.grow(random))
  }
  return packTrees(base, roots, growth.nodes)
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
  /** Bin edges of each column: bin b holds the values above edge b − 2 and not above edge b − 1. */
  edges: Float64Array[]
}

/** Columns held at once during binning; all of them would take most of a training's memory. */
const COLUMNS_AT_ONCE = 32

/** `fill` writes the inputs of a row; it is called several times per row. */
export function binColumns(rows: number, columns: number, fill: (row: Float64Array, at: number) => void): Binned {
  const byRow = new Uint8Array(rows * columns)
  const byColumn = new Uint8Array(rows * columns)
  const edges: Float64Array[] = []
  const held = new Float64Array(rows * COLUMNS_AT_ONCE)
  const known = new Float64Array(rows)
  const whole = new Float64Array(columns)
  for (let from = 0; from < columns; from += COLUMNS_AT_ONCE) {
    const to = Math.min(columns, from + COLUMNS_AT_ONCE)
    for (let row = 0; row < rows; row++) {
      fill(whole, row)
      for (let column = from; column < to; column++) held[(column - from) * rows + row] = whole[column] as number
    }
    for (let column = from; column < to; column++) {
      const values = held.subarray((column - from) * rows, (column - from + 1) * rows)
      let count = 0
      for (const value of values) if (!Number.isNaN(value)) known[count++] = value
      const cuts = edgesOf(known.subarray(0, count).sort())
      edges.push(cuts)
      for (let row = 0; row < rows; row++) {
        const value = values[row] as number
        const bin = Number.isNaN(value) ? 0 : 1 + countBelow(cuts, value)
        byRow[row * columns + column] = bin
        byColumn[column * rows + row] = bin
      }
    }
  }
  return { rows, columns, byRow, byColumn, edges }
}

/** Places edges between values so that bins have about the same number of rows. */
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

/** Fills `numbers` with its indices, a random `share` of them (at least one) first and in order; returns how many. */
function sampleFirst(numbers: Int32Array, share: number, random: () => number): number {
  let size = 0
  let left = numbers.length
  for (let index = 0; index < numbers.length; index++) {
    if (share >= 1 || random() < share) numbers[size++] = index
    else numbers[--left] = index
  }
  if (size > 0) return size
  const chosen = Math.floor(random() * numbers.length)
  numbers[numbers.length - 1 - chosen] = numbers[0] as number
  numbers[0] = chosen
  return 1
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

/** By drawn column and bin: the sum of residuals, then the number of rows. */
type Histogram = Float64Array

interface Split {
  place: number
  bin: number
  gain: number
}

/** Grows trees one after another in the same memory. */
class TreeGrower {
  readonly nodes: Node[] = []
  readonly #binned: Binned
  /** Columns that the trees may see. */
  readonly #columns: Int32Array
  readonly #residuals: Float64Array
  readonly #options: BoostingOptions
  /** All rows, with those drawn for the tree first; the rows of a node are adjacent. */
  readonly #rows: Int32Array
  readonly #scratch: Int32Array
  /** Indices into `#columns`; the first `#width` are drawn for the tree. */
  readonly #sampledColumns: Int32Array
  #width = 0
  /** By remaining depth: the histogram of the smaller child of the node being split. The root's is last. */
  readonly #histograms: Histogram[]

  constructor(binned: Binned, columns: Int32Array, residuals: Float64Array, options: BoostingOptions) {
    this.#binned = binned
    this.#columns = columns
    this.#residuals = residuals
    this.#options = options
    this.#rows = new Int32Array(residuals.length)
    this.#scratch = new Int32Array(residuals.length)
    this.#sampledColumns = new Int32Array(columns.length)
    this.#histograms = Array.from({ length: options.depth + 1 }, () => new Float64Array(2 * BINS * columns.length))
  }

  /** Grows a tree, subtracts its values from the residuals of all rows, drawn or not, and returns the index of its root. */
  grow(random: () => number): number {
    const { rowShare, columnShare, depth } = this.#options
    const count = sampleFirst(this.#rows, rowShare, random)
    this.#width = sampleFirst(this.#sampledColumns, columnShare, random)
    const root = this.#grow(0, count, depth, this.#histogram(0, count, depth))
    this.#subtractTree(root, count)
    return root
  }

  /** Grows a node from the rows `from` to `to`. Overwrites the histogram with that of the larger child; a leaf needs none. */
  #grow(from: number, to: number, depth: number, histogram: Histogram): number {
    const { learningRate, penalty } = this.#options
    let sum = 0
    for (let at = from; at < to; at++) sum += this.#residuals[this.#rows[at] as number] as number
    const node: Node = { column: -1, bin: 0, threshold: 0, left: -1, right: -1, value: 0 }
    const place = this.nodes.push(node) - 1
    const split = depth > 0 ? this.#bestSplit(histogram, sum, to - from) : undefined
    if (!split) {
      node.value = (learningRate * sum) / (to - from + penalty)
      for (let at = from; at < to; at++) this.#subtract(this.#rows[at] as number, node.value)
      return place
    }
    node.column = this.#sampledColumns[split.place] as number
    node.bin = split.bin
    const edges = this.#binned.edges[this.#columns[node.column] as number] as Float64Array
    node.threshold = split.bin === 0 ? Number.NEGATIVE_INFINITY : (edges[split.bin - 1] as number)
    const middle = this.#partition(from, to, node)
    const isLeftSmaller = middle - from < to - middle
    let smaller = histogram
    if (depth > 1) {
      smaller = isLeftSmaller ? this.#histogram(from, middle, depth - 1) : this.#histogram(middle, to, depth - 1)
      subtractHistogram(histogram, smaller, 2 * BINS * this.#width)
    }
    node.left = this.#grow(from, middle, depth - 1, isLeftSmaller ? smaller : histogram)
    node.right = this.#grow(middle, to, depth - 1, isLeftSmaller ? histogram : smaller)
    return place
  }

  #histogram(from: number, to: number, depth: number): Histogram {
    const { byRow, columns: all } = this.#binned
    const width = this.#width
    const columns = this.#sampledColumns.subarray(0, width).map((place) => this.#columns[place] as number)
    const rows = this.#rows
    const residuals = this.#residuals
    const counted = this.#histograms[depth] as Histogram
    counted.fill(0, 0, 2 * BINS * width)
    for (let at = from; at < to; at++) {
      const row = rows[at] as number
      const start = row * all
      const residual = residuals[row] as number
      for (let place = 0; place < width; place++) {
        const cell = 2 * (place * BINS + (byRow[start + (columns[place] as number)] as number))
        counted[cell] = (counted[cell] as number) + residual
        counted[cell + 1] = (counted[cell + 1] as number) + 1
      }
    }
    return counted
  }

  /** Returns the split that lowers the penalised squares most; undefined if none does. */
  #bestSplit(histogram: Histogram, sum: number, count: number): Split | undefined {
    const { penalty, leafRowsMin } = this.#options
    const whole = sum ** 2 / (count + penalty)
    let best: Split | undefined
    for (let place = 0; place < this.#width; place++) {
      let leftSum = 0
      let leftCount = 0
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

  /** Partitions rows into left ones, then right ones in reverse order; returns the index of the first right one. */
  #partition(from: number, to: number, { column, bin }: Node): number {
    const { rows: count, byColumn } = this.#binned
    const rows = this.#rows
    const aside = this.#scratch
    const start = (this.#columns[column] as number) * count
    let middle = from
    let right = 0
    for (let at = from; at < to; at++) {
      const row = rows[at] as number
      const isRight = isAbove(byColumn[start + row] as number, bin)
      rows[middle] = row
      aside[right] = row
      middle += 1 - isRight
      right += isRight
    }
    for (let at = 0; at < right; at++) rows[to - 1 - at] = aside[at] as number
    return middle
  }

  /** Subtracts the tree from the rows that were not drawn, from `from` on; growing its leaves did the others. */
  #subtractTree(root: number, from: number): void {
    const { rows: count, byColumn } = this.#binned
    const own = this.nodes.slice(root)
    const starts = Int32Array.from(own, ({ column }) => (this.#columns[column] ?? -1) * count)
    const limits = Int32Array.from(own, ({ bin }) => bin)
    const children = Int32Array.from(own.flatMap(({ left, right }) => [left - root, right - root]))
    const values = Float64Array.from(own, ({ value }) => value)
    for (let at = from; at < count; at++) {
      const row = this.#rows[at] as number
      let node = 0
      let start = starts[0] as number
      while (start >= 0) {
        node = children[2 * node + isAbove(byColumn[start + row] as number, limits[node] as number)] as number
        start = starts[node] as number
      }
      this.#subtract(row, values[node] as number)
    }
  }

  #subtract(row: number, value: number): void {
    this.#residuals[row] = (this.#residuals[row] as number) - value
  }
}

/** Returns 1 if the bin is above the limit, else 0, without a branch, which would be unpredictable. */
function isAbove(bin: number, limit: number): number {
  return (limit - bin) >>> 31
}

function subtractHistogram(whole: Histogram, part: Histogram, cells: number): void {
  for (let cell = 0; cell < cells; cell++) whole[cell] = (whole[cell] as number) - (part[cell] as number)
}

function packTrees(base: number, roots: readonly number[], nodes: readonly Node[]): BoostedTrees {
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
