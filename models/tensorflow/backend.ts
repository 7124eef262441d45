/**
 * The only module that loads TensorFlow.js. It chooses the backend: the native library if it loads and passes a check, else
 * WebAssembly with SIMD (it has no threads in Node), else plain JavaScript, which is ten times slower.
 */

import { existsSync } from 'node:fs'
import { createRequire, registerHooks } from 'node:module'
import nodeUtil from 'node:util'
import type { Backend } from '../model.ts'
import { registerMatMulGradient } from './matmul-gradient.ts'

export type TensorFlow = typeof import('@tensorflow/tfjs-core')
type Trainer = Exclude<Backend, 'none'>

export interface Engine {
  tf: TensorFlow
  backend: Trainer
}

const require = createRequire(import.meta.url)
const loaders: Record<Trainer, () => Promise<TensorFlow>> = { 'tfjs-node': loadNative, wasm: loadWasm, cpu: loadCpu }
const engines = new Map<Trainer, Promise<Engine>>()

/**
 * Returns TensorFlow.js with a backend that has passed the check; loaded once per process.
 * @throws Error if the forced backend does not work here, or none does
 */
export async function tensorFlow(forced?: Trainer): Promise<Engine> {
  if (forced) return engine(forced)
  const failures: unknown[] = []
  for (const backend of Object.keys(loaders) as Trainer[]) {
    try {
      return await engine(backend)
    } catch (error) {
      failures.push(error)
    }
  }
  throw new AggregateError(failures, 'no backend of TensorFlow.js works here')
}

async function engine(backend: Trainer): Promise<Engine> {
  const found = engines.get(backend) ?? start(backend)
  engines.set(backend, found)
  const { tf } = await found
  if (tf.getBackend() !== tfName(backend)) await tf.setBackend(tfName(backend))
  return found
}

async function start(backend: Trainer): Promise<Engine> {
  const tf = await loaders[backend]()
  if (!(await tf.setBackend(tfName(backend)))) throw new Error(`the backend ${backend} of TensorFlow.js does not start`)
  await tf.ready()
  registerMatMulGradient(tf)
  check(tf, backend)
  return { tf, backend }
}

function tfName(backend: Trainer): string {
  return backend === 'tfjs-node' ? 'tensorflow' : backend
}

/** Restores two functions of `util` that tfjs-node calls and Node has removed. */
async function loadNative(): Promise<TensorFlow> {
  const removed = nodeUtil as unknown as Record<string, unknown>
  removed.isNullOrUndefined ??= (value: unknown) => value === null || value === undefined
  removed.isArray ??= Array.isArray
  return require('@tensorflow/tfjs-node') as TensorFlow
}

async function loadWasm(): Promise<TensorFlow> {
  const tf = await loadCpu()
  require('@tensorflow/tfjs-backend-wasm')
  return tf
}

async function loadCpu(): Promise<TensorFlow> {
  const tf = require('@tensorflow/tfjs-core') as TensorFlow
  tf.enableProdMode() // otherwise it advertises its native library on the console
  require('@tensorflow/tfjs-backend-cpu')
  await registerGradients()
  return tf
}

/** Checks a product and its gradient against values worked out by hand: the columns of d/da sum(ab) are the sums of b's rows. */
function check(tf: TensorFlow, backend: Trainer): void {
  const [product, gradient] = tf.tidy(() => {
    const a = tf.tensor2d([1, 2, 3, 4], [2, 2])
    const b = tf.tensor2d([5, 6, 7, 8], [2, 2])
    const gradientOf = tf.grad((left) => tf.sum(tf.matMul(left as typeof a, b)))
    return [Array.from(tf.matMul(a, b).dataSync()), Array.from(gradientOf(a).dataSync())]
  })
  if (`${product}` === '19,22,43,50' && `${gradient}` === '11,15,11,15') return
  throw new Error(`the backend ${backend} of TensorFlow.js computes wrongly: ${product} and ${gradient}`)
}

const MODULES_OF_CORE = '/@tensorflow/tfjs-core/dist/'

/**
 * The Node bundle of `@tensorflow/tfjs-core` lacks the gradients. Its single modules have them, but import each other without file extensions,
 * which only bundlers resolve. The gradients go into a registry that all copies of the library share.
 */
async function registerGradients(): Promise<void> {
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      if (!specifier.startsWith('.') || !context.parentURL?.includes(MODULES_OF_CORE)) return next(specifier, context)
      const file = new URL(`${specifier}.js`, context.parentURL)
      const url = existsSync(file) ? file : new URL(`${specifier}/index.js`, context.parentURL)
      return { url: url.href, format: 'module', shortCircuit: true }
    },
  })
  try {
    await import('@tensorflow/tfjs-core/dist/register_all_gradients.js')
  } finally {
    hooks.deregister()
  }
}
