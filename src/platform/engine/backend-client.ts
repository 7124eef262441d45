/**
 * One client's access to the shared backend. The client has the backend to itself from its first batch until the backend is idle
 * again. Its prepared statements have names of their own. When it leaves, its open work is rolled back and its settings are reset.
 */
import { type Backend, transactionStatus } from './backend.ts'
import type { Batch } from './message-framing.ts'
import { query, sync } from './messages.ts'
import type { Mutex } from './mutex.ts'
import { StatementNames } from './statement-names.ts'
import type { WalSync } from './wal-sync.ts'

/** State shared by all clients. */
interface SharedBackend {
  backend: Backend
  walSync: WalSync
  turns: Mutex
}

export class BackendClient {
  readonly #backend: Backend
  readonly #walSync: WalSync
  readonly #turns: Mutex
  readonly #statements: StatementNames
  #used = false
  #left = false
  /** Releases the backend; set while this client has it to itself. */
  #endTurn: (() => void) | undefined
  /** Resolves once the last batch's commits are on disk and may be acknowledged. */
  #synced: Promise<void> | undefined

  constructor(id: number, { backend, walSync, turns }: SharedBackend) {
    this.#backend = backend
    this.#walSync = walSync
    this.#turns = turns
    this.#statements = new StatementNames(id)
  }

  /** Whether this client has an open transaction or an incomplete batch, so that all other clients wait. */
  get hasTurn(): boolean {
    return this.#endTurn !== undefined
  }

  /**
   * Runs a batch once the backend is free. `deliver` receives the answers before the next client's batch can delay them. If the
   * batch committed, it receives them once the commit is on disk; other clients do not wait for that sync.
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

  /** Rolls back, drops the client's statements, and releases the backend. Call it once, at the end. */
  async leave(): Promise<void> {
    this.#left = true
    if (!this.#used) return
    await this.#synced
    this.#endTurn ??= await this.#turns.acquire()
    this.#rollBack()
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
   * The first rollback undoes a batch that lacks its Sync, since a Sync would commit it. After an error in a batch the backend
   * skips everything up to the Sync, so the second rollback ends the transaction block. Settings are reset for the next client.
   */
  #rollBack(): void {
    const reset = query(`unlisten *; reset all; ${this.#backend.sessionDefaults}`)
    const messages = [query('rollback'), sync, query('rollback'), ...this.#statements.closeMessages(), sync, reset]
    const answers = messages.map((message) => this.#backend.run(message))
    if (transactionStatus(answers.at(-1)) !== 'idle') throw new Error('The backend is not idle after a rollback')
  }

  #passTurn(): void {
    this.#endTurn?.()
    this.#endTurn = undefined
  }
}
