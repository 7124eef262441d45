/**
 * Syncs the write-ahead log, once for all waiting commits, while the backend runs the next client's batch.
 *
 * PostgreSQL's `fdatasync` returns at once. The guarantees it relies on still hold: nothing else is written before the sync
 * completes (`completeNow`), and no commit is acknowledged before it does (`completed`).
 */
import fs from 'node:fs'
import { promisify } from 'node:util'

export class WalSync {
  /** The segment being written. The descriptor is our own, since PostgreSQL may close its own during a sync. */
  #segment: { path: string; fd: number } | undefined
  #requests = 0
  #completed = 0
  #running: Promise<void> | undefined
  #next: Promise<void> | undefined

  /** Number of syncs that PostgreSQL has requested. */
  get requests(): number {
    return this.#requests
  }

  request(path: string): void {
    if (this.#segment?.path !== path) this.#open(path)
    this.#requests += 1
  }

  /** Completes requested syncs. Call it before changing any file or folder other than the segment. */
  completeNow(): void {
    if (!this.#segment || this.#completed === this.#requests) return
    fs.fdatasyncSync(this.#segment.fd)
    this.#completed = this.#requests
  }

  /** Like `completeNow`, for a write to a file. Calls `pathOf` only if a sync is outstanding. */
  beforeWrite(pathOf: () => string): void {
    if (this.#completed < this.#requests && pathOf() !== this.#segment?.path) this.completeNow()
  }

  /** Returns a promise that resolves once all requested syncs are on disk, or undefined if they are. If it rejects, the engine must end. */
  completed(): Promise<void> | undefined {
    if (this.#completed === this.#requests) return undefined
    this.#next ??= this.#syncAfter(this.#running)
    return this.#next
  }

  /** A caller that arrives while a sync runs waits for the next one: the running one may not cover its writes. */
  async #syncAfter(running: Promise<void> | undefined): Promise<void> {
    await running
    this.#running = this.#next
    this.#next = undefined
    const covered = this.#requests
    if (!this.#segment || this.#completed === covered) return
    await promisify(fs.fdatasync)(this.#segment.fd)
    this.#completed = Math.max(this.#completed, covered)
  }

  #open(path: string): void {
    this.completeNow()
    const left = this.#segment
    if (left) void Promise.resolve(this.#running).then(() => fs.closeSync(left.fd))
    this.#segment = { path, fd: fs.openSync(path, 'r') }
  }
}
