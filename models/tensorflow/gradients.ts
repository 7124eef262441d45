/**
 * The gradients of TensorFlow.js. They are not in the bundle of `@tensorflow/tfjs-core` for Node; its single modules, which have them,
 * name each other as a bundler resolves it: without an extension.
 */
import { existsSync } from 'node:fs'
import { registerHooks } from 'node:module'

const MODULES_OF_CORE = '/@tensorflow/tfjs-core/dist/'

/** They go into a registry that all copies of the library share. */
export async function registerGradients(): Promise<void> {
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
