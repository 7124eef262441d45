/**
 * Splits the byte stream of a client into messages and groups them into batches. A batch ends where the backend answers: at a
 * Query, Sync or FunctionCall (with ReadyForQuery) or at a Flush (without). Pure: bytes in, messages out.
 */
import { HEADER_BYTES } from './messages.ts'

/** The backend is 32-bit and keeps several copies of a message. */
export const BATCH_BYTES_MAX = 64 * 1024 * 1024
/** Limits of PostgreSQL itself (PQ_SMALL_MESSAGE_LIMIT, MAX_STARTUP_PACKET_LENGTH). */
const SMALL_MESSAGE_BYTES_MAX = 10_000
const STARTUP_BYTES_MAX = 10_000

/** Query, Parse, Bind, FunctionCall, CopyData: the messages that carry statements or data. */
const LARGE_MESSAGES = 'QPBFd'
/** Describe, Execute, Close, Sync, Flush, Terminate, CopyDone, CopyFail. */
const SMALL_MESSAGES = 'DECSHXcf'
const BATCH_ENDS = 'QSFH'

/** An error that ends the connection of the client that caused it, after sending it the reason. */
export class FatalToClient extends Error {
  /** SQLSTATE. */
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.name = 'FatalToClient'
    this.code = code
  }
}

/** Collects chunks and returns whole frames; copies bytes only if a frame spans chunks. */
export class FrameReader {
  #chunks: Buffer[] = []
  #bytes = 0

  push(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
  }

  /** Returns the next frame, or undefined if more bytes are needed. `measure` reads a frame's total length from its first five bytes. */
  next(measure: (head: Buffer) => number): Buffer | undefined {
    if (this.#bytes < HEADER_BYTES) return undefined
    const length = measure(this.#first(HEADER_BYTES))
    return this.#bytes < length ? undefined : this.#take(length)
  }

  #first(length: number): Buffer {
    if ((this.#chunks[0] as Buffer).length < length) this.#chunks = [Buffer.concat(this.#chunks)]
    return (this.#chunks[0] as Buffer).subarray(0, length)
  }

  #take(length: number): Buffer {
    const frame = this.#first(length)
    const rest = (this.#chunks[0] as Buffer).subarray(length)
    if (rest.length > 0) this.#chunks[0] = rest
    else this.#chunks.shift()
    this.#bytes -= length
    return frame
  }
}

/** Messages that the backend runs together. `end` is the type of the last one. */
export interface Batch {
  messages: Buffer[]
  end: 'Q' | 'S' | 'F' | 'H'
}

/** Gathers a client's messages into batches. */
export class BatchBuilder {
  #messages: Buffer[] = []
  #bytes = 0

  /** Adds a message and returns the batch that it completes, if any. */
  add(message: Buffer): Batch | undefined {
    this.#messages.push(message)
    this.#bytes += message.length
    if (this.#bytes > BATCH_BYTES_MAX) throw tooLarge(this.#bytes)
    const type = messageType(message)
    if (!BATCH_ENDS.includes(type)) return undefined
    const batch = { messages: this.#messages, end: type as Batch['end'] }
    this.#messages = []
    this.#bytes = 0
    return batch
  }
}

export function messageType(message: Uint8Array): string {
  return String.fromCharCode(message[0] as number)
}

/**
 * Returns the total length of the front-end message that starts with `head`. Refuses unknown types and lengths beyond the backend's
 * limits: they would crash the one backend that serves all clients.
 */
export function measureMessage(head: Buffer): number {
  const type = messageType(head)
  const length = head.readInt32BE(1)
  const large = LARGE_MESSAGES.includes(type)
  if (!large && !SMALL_MESSAGES.includes(type)) {
    throw new FatalToClient('08P01', `invalid frontend message type ${head[0]}`)
  }
  if (length < 4 || (!large && length > SMALL_MESSAGE_BYTES_MAX)) {
    throw new FatalToClient('08P01', `invalid message length ${length} of a message of type ${type}`)
  }
  if (length > BATCH_BYTES_MAX) throw tooLarge(length)
  return length + 1
}

/** Returns the total length of a startup packet: an int32 length that includes itself, an int32 code, and optional settings. */
export function measureStartupPacket(head: Buffer): number {
  const length = head.readInt32BE(0)
  if (length < 8 || length > STARTUP_BYTES_MAX) {
    throw new FatalToClient('08P01', `invalid length of startup packet: ${length}`)
  }
  return length
}

function tooLarge(bytes: number): FatalToClient {
  return new FatalToClient('54000', `a message or batch of ${bytes} bytes exceeds the limit of ${BATCH_BYTES_MAX}`)
}
