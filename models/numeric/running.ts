/** Means over any range of a series in constant time; NaN cells are left out. */
export class RunningMeans {
  readonly #sums: Float64Array
  readonly #counts: Int32Array

  constructor(values: Float64Array) {
    this.#sums = new Float64Array(values.length + 1)
    this.#counts = new Int32Array(values.length + 1)
    values.forEach((value, index) => {
      const isKnown = !Number.isNaN(value)
      this.#sums[index + 1] = (this.#sums[index] as number) + (isKnown ? value : 0)
      this.#counts[index + 1] = (this.#counts[index] as number) + (isKnown ? 1 : 0)
    })
  }

  /** Mean of the `length` cells that end with `last`; NaN where none is known. */
  ending(last: number, length: number): number {
    const cells = this.#counts.length - 1
    const to = Math.max(0, Math.min(last + 1, cells))
    const from = Math.max(0, Math.min(last + 1 - length, cells))
    const count = (this.#counts[to] as number) - (this.#counts[from] as number)
    return count === 0 ? Number.NaN : ((this.#sums[to] as number) - (this.#sums[from] as number)) / count
  }
}
