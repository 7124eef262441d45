/**
 * One client's use of the one backend. From its first batch until the backend is idle again it has the backend to itself; it has its
 * own names of prepared statements; and what it left open is undone when it leaves.
 */
import { type Backend, transactionStatus } from './backend.ts'
import type { Exclusive } from './exclusive.ts'
import type { Batch } from './message-framing.ts'
import { query, sync } from './messages.ts'
import { StatementNames } from './statement-names.ts'
import type { WalSync } from './wal-sync.ts'

/** State shared by all clients. */
interface SharedBackend {
  backend: Backend
  walSync: WalSync
  turns: Exclusive
}

export class BackendClient {
  readonly #backend: Backend
  readonly #walSync: WalSync
  readonly #turns: Exclusive
  readonly #statements: StatementNames
  #used = false
  #left = false
  /** Passes the turn on; set while this client has the backend to itself. */
  #endTurn: (() => void) | undefined
  /** Resolves when what has been committed is on the disk; it is acknowledged then. */
  #synced: Promise<void> | undefined

  constructor(id: number, { backend, walSync, turns }: SharedBackend) {
    this.#backend = backend
    this.#walSync = walSync
    this.#turns = turns
    this.#statements = new StatementNames(id)
  }

  /** Whether a transaction is open or a batch incomplete: all other clients wait. */
  get hasTurn(): boolean {
    return this.#endTurn !== undefined
  }

  /**
   * Runs a batch when it is its turn. `deliver` gets the answers before the next client's batch can hold them up; if the batch has
   * committed something, once that is on the disk, to which the others need not wait.
   */
  async run(batch: Batch, deliver: (answers: Buffer) => void): Promise<void> {
    this.#used = true
    this.#endTurn ??= await this.#turns.acquire()
    if (this.#left) return this.#passTurn()
    const syncsBefore = this.#walSync.requests
    const answers = this.#runMessages(batch.messages)
    const synced = this.#walSync.requests > syncsBefore ? this.#walSync.completed() : undefined
    this.#synced = synced
    if (batch.end !== 'H' && transactionStatus(answers) === 'idle') this.#passTurn()
    if (synced) await synced
    deliver(answers)
  }

  /** Rolls back, drops the client's statements and releases its turn. Call it once, at the end. */
  async leave(): Promise<void> {
    this.#left = true
    if (!this.#used) return
    await this.#synced
    this.#endTurn ??= await this.#turns.acquire()
    this.#undo()
    this.#passTurn()
  }

  #runMessages(messages: Buffer[]): Buffer {
    return Buffer.concat(messages.map((message) => this.#runMessage(message)))
  }

  #runMessage(message: Buffer): Buffer {
    const close = this.#statements.closeBefore(message)
    if (close) this.#backend.run(close)
    return this.#backend.run(this.#statements.rename(message))
  }

  /**
   * The first rollback meets a batch that lacks its Sync, which would commit. After an error in a batch the backend skips everything
   * up to the Sync, so the second rollback meets the transaction block. Settings go back to the defaults, for the next client.
   */
  #undo(): void {
    const reset = query(`unlisten *; reset all; ${this.#backend.sessionDefaults}`)
    const messages = [query('rollback'), sync, query('rollback'), ...this.#statements.closeAll(), sync, reset]
    const answers = messages.map((message) => this.#backend.run(message))
    if (transactionStatus(answers.at(-1)) !== 'idle') throw new Error('The backend is not idle after a rollback')
  }

  #passTurn(): void {
    this.#endTurn?.()
    this.#endTurn = undefined
  }
}
