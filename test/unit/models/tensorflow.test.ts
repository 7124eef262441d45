import type { Tensor, Tensor2D } from '@tensorflow/tfjs-core'
import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../models/numeric/random.ts'
import { tensorFlow } from '../../../models/tensorflow/backend.ts'
import { type NetTraining, type Rows, trainNets } from '../../../models/tensorflow/quantile-net.ts'
import { runNets } from '../../../models/tensorflow/run-net.ts'

const TRAINING: NetTraining = {
  inputs: 5,
  hidden: 8,
  outputs: 2,
  nets: 2,
  dropout: 0.2,
  l2: 1e-4,
  epochs: 3,
  batchRows: 32,
  learningRates: [1e-2, 1e-3],
  seed: 7,
}

/** Targets are linear in the inputs, with noise of ±1. */
function rows(count: number, seed = 1): Rows {
  const random = seededRandom(seed)
  const inputs = Float32Array.from({ length: count * 5 }, () => 2 * random() - 1)
  const targets = new Float32Array(count * 2)
  for (let row = 0; row < count; row++) {
    const line = 2 * (inputs[row * 5] as number) - (inputs[row * 5 + 1] as number)
    targets[row * 2] = line + 2 * random() - 1
    targets[row * 2 + 1] = -line + 2 * random() - 1
  }
  return { count, inputs, targets, weights: new Float32Array(count).fill(1) }
}

describe('the backend', () => {
  it.each(['wasm', 'cpu'] as const)('%s passes its check and is selected', async (requested) => {
    const { tf, backend } = await tensorFlow(requested)
    expect([backend, tf.getBackend()]).toEqual([requested, requested])
  })

  it('is native or WebAssembly by default, never plain JavaScript', async () => {
    expect(['tfjs-node', 'wasm']).toContain((await tensorFlow()).backend)
  })

  it.each([
    [false, false],
    [true, false],
    [false, true],
    [true, true],
  ])('differentiates matrix products with sides transposed: %s, %s', async (transposeA, transposeB) => {
    const { tf } = await tensorFlow('cpu')
    const a = tf.tensor2d([1, -2, 3, 4, 5, -6], [2, 3])
    const b = tf.tensor2d([0.5, 1, -1, 2, 3, 0.25], [3, 2])
    const left: Tensor2D = transposeA ? tf.transpose(a) : a
    const right: Tensor2D = transposeB ? tf.transpose(b) : b
    const product = (x: Tensor, y: Tensor) =>
      tf.sum(tf.square(tf.matMul(x as Tensor2D, y as Tensor2D, transposeA, transposeB)))
    const [slope] = tf.grads(product)([left, right])
    const bump = tf.buffer(left.shape, 'float32')
    bump.set(1e-2, 0, 1)
    const [up = Number.NaN] = product(tf.add(left, bump.toTensor()), right).dataSync()
    const [down = Number.NaN] = product(tf.sub(left, bump.toTensor()), right).dataSync()
    const [[, found = Number.NaN] = []] = (slope as Tensor2D).arraySync()
    expect(Math.abs(found / ((up - down) / 2e-2) - 1)).toBeLessThan(1e-2)
  })
})

describe('neural nets', () => {
  it('are bit-identical after training twice with one seed, and differ with another', async () => {
    const { tf } = await tensorFlow()
    const [first, second, other] = [
      await trainNets(tf, TRAINING, rows(100)),
      await trainNets(tf, TRAINING, rows(100)),
      await trainNets(tf, { ...TRAINING, seed: 8 }, rows(100)),
    ]
    expect(second).toEqual(first)
    expect(other.weights.inputToHidden).not.toEqual(first.weights.inputToHidden)
  })

  it('leak no tensors over 100 trainings, including an aborted one', async () => {
    const { tf } = await tensorFlow()
    const before = tf.memory().numTensors
    const small = { ...TRAINING, epochs: 1, nets: 1 }
    for (let training = 0; training < 100; training++) await trainNets(tf, { ...small, seed: training }, rows(20))
    const aborted = AbortSignal.abort(new Error('stopped'))
    await expect(trainNets(tf, small, rows(20), aborted)).rejects.toThrow('stopped')
    expect(tf.memory().numTensors).toBe(before)
  })

  it('learn a line and the spread around it', async () => {
    const { tf } = await tensorFlow()
    const { weights, losses } = await trainNets(tf, { ...TRAINING, epochs: 60, dropout: 0 }, rows(400))
    expect(losses.at(-1)).toBeLessThan((losses[0] as number) / 2)
    const [low0 = 0, low1 = 0, mid0 = 0, mid1 = 0, high0 = 0] = runNets(TRAINING, weights, [0.5, -0.5, 0, 0, 0])
    expect(mid0).toBeCloseTo(1.5, 0)
    expect(mid1).toBeCloseTo(-1.5, 0)
    expect(low0).toBeLessThan(mid0)
    expect(low1).toBeLessThan(mid1)
    expect(high0 - low0).toBeGreaterThan(1)
    expect(high0 - low0).toBeLessThan(2.2)
  })

  it('give the same results without the library as with it', async () => {
    const { tf } = await tensorFlow()
    const { weights } = await trainNets(tf, TRAINING, rows(100))
    const row = [0.3, -1, 0.2, 4, -2]
    const expected = tf.tidy(() => {
      const x = tf.tensor2d(row, [1, 5])
      const hidden = tf.elu(
        tf.add(tf.matMul(x, tf.tensor2d(weights.inputToHidden, [5, 16])), tf.tensor2d(weights.hiddenBias, [1, 16])),
      )
      const skip = tf.add(
        tf.matMul(x, tf.tensor2d(weights.inputToOutput, [5, 12])),
        tf.tensor2d(weights.outputBias, [1, 12]),
      )
      const blocks = tf.tensor3d(weights.hiddenToOutput, [2, 8, 6])
      const net = (index: number) => {
        const block = tf.reshape(tf.slice(blocks, [index, 0, 0], [1, 8, 6]), [8, 6])
        const part = tf.matMul(tf.slice(hidden, [0, index * 8], [1, 8]), block as Tensor2D)
        return tf.add(part, tf.slice(skip, [0, index * 6], [1, 6]))
      }
      return Array.from(tf.div(tf.add(net(0), net(1)), 2).dataSync())
    })
    const found = runNets(TRAINING, weights, row)
    expect(Math.max(...expected.map((value, index) => Math.abs(value - (found[index] as number))))).toBeLessThan(1e-5)
    expect(() => runNets(TRAINING, weights, [1])).toThrow('takes 5 inputs, not 1')
  })

  it('report a NaN loss if the rows contain NaN', async () => {
    const { tf } = await tensorFlow()
    const broken = rows(20)
    broken.targets[3] = Number.NaN
    const { losses } = await trainNets(tf, TRAINING, broken)
    expect(losses.at(-1)).toBeNaN()
  })
})
