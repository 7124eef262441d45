/**
 * Runs the trained nets without TensorFlow.js: a forecast is a hundred thousand multiplications, not worth a second of start-up and
 * 90 MB of library. Tested against the same computation in TensorFlow.js.
 */
import { QUANTILES } from '../bands/eighty-percent.ts'
import type { NetShape, NetWeights } from './quantile-net.ts'

/** Returns the mean over the nets: the outputs of each quantile, in the order of `NetShape`. */
export function runNets(shape: NetShape, weights: NetWeights, row: ArrayLike<number>): Float64Array {
  const { inputs, hidden, outputs, nets } = shape
  if (row.length !== inputs) throw new RangeError(`the net takes ${inputs} inputs, not ${row.length}`)
  const columns = outputs * QUANTILES.length
  const active = product(row, weights.inputToHidden, hidden * nets, weights.hiddenBias).map(elu)
  const result = product(row, weights.inputToOutput, columns * nets, weights.outputBias)
  const mean = new Float64Array(columns)
  for (let net = 0; net < nets; net++) {
    for (let unit = 0; unit < hidden; unit++) {
      const value = active[net * hidden + unit] as number
      const start = (net * hidden + unit) * columns
      for (let column = 0; column < columns; column++) {
        const cell = net * columns + column
        result[cell] = (result[cell] as number) + value * (weights.hiddenToOutput[start + column] as number)
      }
    }
    for (let column = 0; column < columns; column++) {
      mean[column] = (mean[column] as number) + (result[net * columns + column] as number) / nets
    }
  }
  return mean
}

function product(row: ArrayLike<number>, matrix: Float32Array, width: number, bias: Float32Array): Float64Array {
  const sums = Float64Array.from(bias)
  for (let input = 0; input < row.length; input++) {
    const value = row[input] as number
    if (value === 0) continue
    for (let column = 0; column < width; column++) {
      sums[column] = (sums[column] as number) + value * (matrix[input * width + column] as number)
    }
  }
  return sums
}

function elu(value: number): number {
  return value > 0 ? value : Math.expm1(value)
}
