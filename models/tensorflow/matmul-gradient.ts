/**
 * The gradient of a matrix product with explicit transposes. The built-in one passes `transposeA` and `transposeB` to the product.
 * With either of them the WebAssembly kernel leaves its fast path, and training takes a third longer.
 */
import type { GradConfig, Tensor, Tensor2D } from '@tensorflow/tfjs-core'

type TensorFlow = typeof import('@tensorflow/tfjs-core')

const registered = new WeakSet<TensorFlow>()

/** Replaces the gradient of `BatchMatMul`; a second call changes nothing. */
export function registerMatMulGradient(tf: TensorFlow): void {
  if (registered.has(tf)) return
  registered.add(tf)
  const swap = (tensor: Tensor) =>
    tf.transpose(
      tensor,
      [...tensor.shape.keys()].map((axis, _, axes) => swapped(axis, axes.length)),
    )
  const product = (left: Tensor, right: Tensor) => tf.matMul(left as Tensor2D, right as Tensor2D)
  const config: GradConfig = {
    kernelName: 'BatchMatMul',
    inputsToSave: ['a', 'b'],
    gradFunc: (dy, saved, attributes) => {
      const [a, b] = saved as [Tensor, Tensor]
      const { transposeA, transposeB } = attributes as { transposeA?: boolean; transposeB?: boolean }
      const slope = dy as Tensor
      const left = () => product(slope, transposeB ? b : swap(b))
      const right = () => product(transposeA ? a : swap(a), slope)
      return {
        a: () => (transposeA ? swap(left()) : left()),
        b: () => (transposeB ? swap(right()) : right()),
      }
    },
  }
  tf.unregisterGradient('BatchMatMul')
  tf.registerGradient(config)
}

/** Swaps the last two axes. */
function swapped(axis: number, rank: number): number {
  if (axis === rank - 1) return rank - 2
  return axis === rank - 2 ? rank - 1 : axis
}
