/** One client on its socket: handshake, then batch after batch until it leaves or is disconnected. */
import type { Socket } from 'node:net'
import type { BackendClient } from './backend-client.ts'
import { nextHandshakeStep } from './handshake.ts'
import { type Batch, BatchBuilder, FatalToClient, FrameReader, measureMessage, messageType } from './message-framing.ts'
import { errorResponse, startupResponse } from './messages.ts'

/** How long a disconnected client may take to close its side of the connection. */
const CLOSE_TIMEOUT_MS = 1_000

interface SessionOptions {
  reportedSettings: ReadonlyMap<string, string>
  /** A client idle for longer inside a transaction, or between the messages of a batch, is rolled back and disconnected. */
  idleInTransactionMs: number
  /** Throws the error to send to the client if there are too many connections. */
  checkCapacity(): void
}

export class ClientSession {
  readonly #socket: Socket
  readonly #client: BackendClient
  readonly #options: SessionOptions
  readonly #frames = new FrameReader()
  readonly #batches = new BatchBuilder()
  #isAdmitted = false
  #working = false
  #idleTimer: NodeJS.Timeout | undefined
  #leaving: Promise<void> | undefined

  constructor(socket: Socket, client: BackendClient, options: SessionOptions) {
    this.#socket = socket
    this.#client = client
    this.#options = options
    socket.on('data', (chunk: Buffer) => this.#receive(chunk))
  }

  /** Undoes the client's open work. Repeated calls return the same promise. */
  leave(): Promise<void> {
    clearTimeout(this.#idleTimer)
    this.#leaving ??= this.#client.leave()
    return this.#leaving
  }

  /** Undoes the client's open work, then disconnects it with a FATAL error. */
  async terminate(reason: FatalToClient): Promise<void> {
    await this.leave()
    this.#socket.end(errorResponse({ severity: 'FATAL', code: reason.code, message: reason.message }))
    // Unread input would make the kernel discard the final error, so it is read and dropped until the client closes.
    this.#socket.resume()
    setTimeout(() => this.#socket.destroy(), CLOSE_TIMEOUT_MS).unref()
  }

  #receive(chunk: Buffer): void {
    if (this.#leaving) return
    this.#frames.push(chunk)
    if (!this.#working) void this.#work()
  }

  /** Processes the received messages; the socket is paused meanwhile. A backend failure is not caught: it ends the thread. */
  async #work(): Promise<void> {
    this.#working = true
    this.#socket.pause()
    try {
      this.#isAdmitted ||= this.#performHandshake()
      if (this.#isAdmitted) await this.#answerMessages()
    } catch (error) {
      if (!(error instanceof FatalToClient)) throw error
      await this.terminate(error)
    }
    this.#working = false
    this.#socket.resume()
  }

  /** True once the client has been admitted. */
  #performHandshake(): boolean {
    for (;;) {
      switch (nextHandshakeStep(this.#frames)) {
        case 'wait-for-more':
          return false
        case 'refuse-encryption':
          this.#socket.write('N')
          break
        case 'hang-up':
          this.#socket.destroy()
          return false
        case 'welcome':
          this.#options.checkCapacity()
          this.#socket.write(startupResponse(this.#options.reportedSettings))
          return true
      }
    }
  }

  async #answerMessages(): Promise<void> {
    while (!this.#leaving) {
      const message = this.#frames.next(measureMessage)
      if (!message) return
      const batch = messageType(message) === 'X' ? this.#hangUp() : this.#batches.add(message)
      if (batch) await this.#answer(batch)
    }
  }

  async #answer(batch: Batch): Promise<void> {
    clearTimeout(this.#idleTimer)
    const flushed = Promise.withResolvers<void>()
    let accepted = true
    await this.#client.run(batch, (answers) => {
      accepted = this.#socket.write(answers, () => flushed.resolve())
    })
    if (this.#client.hasTurn && !this.#leaving) this.#startIdleTimer()
    if (!accepted) await flushed.promise
  }

  #startIdleTimer(): void {
    const reason = new FatalToClient('25P03', 'terminating connection due to idle-in-transaction timeout')
    this.#idleTimer = setTimeout(() => void this.terminate(reason), this.#options.idleInTransactionMs)
  }

  /** The client sent Terminate; `close` follows. */
  #hangUp(): undefined {
    this.#socket.end()
    void this.leave()
  }
}
