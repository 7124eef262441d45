/**
 * A small quantile net: one hidden layer, plus a linear skip connection from inputs to outputs that starts at zero, so that training
 * begins with a plain regression. Several nets with different seeds are trained together on the same batches. This costs little more
 * than training one, because their weights lie side by side in the same matrices.
 */
import type { Scalar, Tensor, Tensor2D, Variable } from '@tensorflow/tfjs-core'
import { QUANTILES } from '../bands/eighty-percent.ts'
import { seededRandom, shuffled } from '../numeric/random.ts'
import type { TensorFlow } from './backend.ts'

export interface NetShape {
  inputs: number
  hidden: number
  /** Number of values forecast; each has one column per quantile, grouped by quantile. */
  outputs: number
  /** How many nets are trained side by side. */
  nets: number
}

export interface NetTraining extends NetShape {
  dropout: number
  l2: number
  epochs: number
  batchRows: number
  /** Adam's learning rates at the first and the last epoch. */
  learningRates: readonly [number, number]
  seed: number
}

export interface Rows {
  count: number
  /** `count` × inputs. */
  inputs: Float32Array
  /** `count` × outputs. */
  targets: Float32Array
  /** `count`; weight of each row, 1 on average. */
  weights: Float32Array
}

/** Row by row; `nets` matrices side by side in the columns. */
export interface NetWeights {
  inputToHidden: Float32Array
  hiddenBias: Float32Array
  hiddenToOutput: Float32Array
  inputToOutput: Float32Array
  outputBias: Float32Array
}

interface Variables {
  inputToHidden: Variable
  hiddenBias: Variable
  hiddenToOutput: Variable[]
  inputToOutput: Variable
  outputBias: Variable
}

/** Trains nets and returns their weights. Everything it allocates is freed in `finally`, and nowhere else. */
export async function trainNets(
  tf: TensorFlow,
  training: NetTraining,
  rows: Rows,
  signal?: AbortSignal,
): Promise<{ weights: NetWeights; losses: number[] }> {
  const scope = tf.engine()
  scope.startScope('trainNets')
  const optimizer = tf.train.adam(training.learningRates[0])
  const variables = makeVariables(tf, training)
  try {
    const losses: number[] = []
    const buffers = makeBuffers(training)
    for (let epoch = 0; epoch < training.epochs; epoch++) {
      signal?.throwIfAborted()
      ;(optimizer as unknown as { learningRate: number }).learningRate = learningRate(training, epoch)
      losses.push(trainEpoch(tf, training, rows, variables, optimizer, buffers, epoch))
      await new Promise(setImmediate)
    }
    return { weights: readWeights(variables), losses }
  } finally {
    optimizer.dispose()
    tf.dispose(variables as unknown as Record<string, Tensor>)
    scope.endScope()
  }
}

/** Half-cosine decay from the first rate to the last. */
function learningRate({ learningRates: [first, last], epochs }: NetTraining, epoch: number): number {
  return last + ((first - last) * (1 + Math.cos((Math.PI * epoch) / Math.max(1, epochs - 1)))) / 2
}

function makeVariables(tf: TensorFlow, { inputs, hidden, outputs, nets, seed }: NetTraining): Variables {
  const random = seededRandom(seed)
  const columns = outputs * QUANTILES.length
  const glorot = (rows: number, width: number, fanOut: number) => {
    const limit = Math.sqrt(6 / (rows + fanOut))
    return tf.variable(
      tf.tensor2d(
        Float32Array.from({ length: rows * width }, () => limit * (2 * random() - 1)),
        [rows, width],
      ),
    )
  }
  const zeros = (rows: number, width: number) => tf.variable(tf.zeros([rows, width]))
  return {
    inputToHidden: glorot(inputs, hidden * nets, hidden),
    hiddenBias: zeros(1, hidden * nets),
    hiddenToOutput: Array.from({ length: nets }, () => glorot(hidden, columns, columns)),
    inputToOutput: zeros(inputs, columns * nets),
    outputBias: zeros(1, columns * nets),
  }
}

function trainEpoch(
  tf: TensorFlow,
  training: NetTraining,
  rows: Rows,
  variables: Variables,
  optimizer: ReturnType<TensorFlow['train']['adam']>,
  buffers: Buffers,
  epoch: number,
): number {
  const random = seededRandom(training.seed * 1009 + epoch)
  const order = shuffled(rows.count, random)
  let sum = 0
  let batches = 0
  for (let from = 0; from < rows.count; from += training.batchRows) {
    const chosen = order.subarray(from, Math.min(from + training.batchRows, rows.count))
    sum += tf.tidy(() => {
      const batch = fillBatch(tf, training, rows, chosen, random, buffers)
      return optimizer.minimize(() => batchLoss(tf, training, variables, batch), true)?.dataSync()[0] as number
    })
    batches++
  }
  return sum / batches
}

/** Reused for every batch: allocating thousands of arrays of this size would outpace the garbage collector. */
interface Buffers {
  inputs: Float32Array
  targets: Float32Array
  weights: Float32Array
  kept: Float32Array
}

function makeBuffers({ batchRows, inputs, outputs, hidden, nets }: NetTraining): Buffers {
  return {
    inputs: new Float32Array(batchRows * inputs),
    targets: new Float32Array(batchRows * outputs),
    weights: new Float32Array(batchRows),
    kept: new Float32Array(batchRows * hidden * nets),
  }
}

interface Batch {
  inputs: Tensor2D
  /** Rows × 1 × outputs. */
  targets: Tensor
  /** Rows × 1 × 1. */
  weights: Tensor
  /** 0 where a hidden unit is dropped, else the factor that compensates for the dropped ones. */
  kept: Tensor2D
}

function fillBatch(
  tf: TensorFlow,
  { inputs, outputs, hidden, nets, dropout }: NetTraining,
  rows: Rows,
  chosen: Int32Array,
  random: () => number,
  buffers: Buffers,
): Batch {
  const count = chosen.length
  chosen.forEach((row, index) => {
    buffers.inputs.set(rows.inputs.subarray(row * inputs, (row + 1) * inputs), index * inputs)
    buffers.targets.set(rows.targets.subarray(row * outputs, (row + 1) * outputs), index * outputs)
    buffers.weights[index] = rows.weights[row] as number
  })
  const units = hidden * nets
  for (let cell = 0; cell < count * units; cell++) buffers.kept[cell] = random() < dropout ? 0 : 1 / (1 - dropout)
  return {
    inputs: tf.tensor2d(buffers.inputs.subarray(0, count * inputs), [count, inputs]),
    targets: tf.tensor3d(buffers.targets.subarray(0, count * outputs), [count, 1, outputs]),
    weights: tf.tensor3d(buffers.weights.subarray(0, count), [count, 1, 1]),
    kept: tf.tensor2d(buffers.kept.subarray(0, count * units), [count, units]),
  }
}

/** Weighted mean pinball loss, summed over the nets, which share no weights, so that each is trained as if alone. */
function batchLoss(tf: TensorFlow, training: NetTraining, variables: Variables, batch: Batch): Scalar {
  const { outputs, nets, l2 } = training
  const predictions = tf.reshape(forward(tf, training, variables, batch), [-1, nets * QUANTILES.length, outputs])
  const errors = tf.sub(batch.targets, predictions)
  const level = tf.tensor3d(Array.from({ length: nets }, () => QUANTILES).flat(), [1, nets * QUANTILES.length, 1])
  const pinball = tf.maximum(tf.mul(level, errors), tf.mul(tf.sub(level, 1), errors))
  const penalised = [variables.inputToHidden, ...variables.hiddenToOutput, variables.inputToOutput]
  const penalty = penalised.map((matrix) => tf.sum(tf.square(matrix))).reduce((sum, one) => tf.add(sum, one))
  return tf.add(tf.mul(tf.mean(tf.mul(pinball, batch.weights)), nets), tf.mul(penalty, l2)) as Scalar
}

function forward(tf: TensorFlow, training: NetTraining, variables: Variables, { inputs, kept }: Batch): Tensor {
  const { hidden, nets } = training
  const raw = tf.add(tf.matMul(inputs, variables.inputToHidden as Tensor2D), variables.hiddenBias)
  const active = tf.mul(tf.elu(raw), kept) as Tensor2D
  const parts = variables.hiddenToOutput.map((matrix, net) => {
    return tf.matMul(tf.slice(active, [0, net * hidden], [-1, hidden]), matrix as Tensor2D)
  })
  const skip = tf.matMul(inputs, variables.inputToOutput as Tensor2D)
  return tf.add(tf.add(nets === 1 ? (parts[0] as Tensor) : tf.concat(parts, 1), skip), variables.outputBias)
}

function readWeights(variables: Variables): NetWeights {
  const read = (variable: Variable) => Float32Array.from(variable.dataSync())
  const blocks = variables.hiddenToOutput.map(read)
  const hiddenToOutput = new Float32Array(blocks.reduce((length, block) => length + block.length, 0))
  blocks.reduce((offset, block) => {
    hiddenToOutput.set(block, offset)
    return offset + block.length
  }, 0)
  return {
    inputToHidden: read(variables.inputToHidden),
    hiddenBias: read(variables.hiddenBias),
    hiddenToOutput,
    inputToOutput: read(variables.inputToOutput),
    outputBias: read(variables.outputBias),
  }
}
