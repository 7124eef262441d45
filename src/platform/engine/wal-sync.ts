/**
 * Syncs the write-ahead log, once for all waiting commits, while the backend runs the next client's batch.
 *
 * To PostgreSQL its `fdatasync` returns at once. The guarantees it relies on still hold: nothing else is written before the sync has
 * ended (`completeNow`), and no commit is acknowledged before (`completed`).
 */
import fs from 'node:fs'
import { promisify } from 'node:util'

export class WalSync {
  /** The segment that is written to. The descriptor is our own, for PostgreSQL may close its while a sync runs. */
  #segment: { path: string; fd: number } | undefined
  #requests = 0
  #completed = 0
  #running: Promise<void> | undefined
  #next: Promise<void> | undefined

  /** How many syncs PostgreSQL has requested. */
  get requests(): number {
    return this.#requests
  }

  request(path: string): void {
    if (this.#segment?.path !== path) this.#open(path)
    this.#requests += 1
  }

  /** Call it before changing any file or folder but the segment itself. */
  completeNow(): void {
    if (!this.#segment || this.#completed === this.#requests) return
    fs.fdatasyncSync(this.#segment.fd)
    this.#completed = this.#requests
  }

  /** Same as above before a write to a file, whose path is seldom needed. */
  beforeWrite(pathOf: () => string): void {
    if (this.#completed < this.#requests && pathOf() !== this.#segment?.path) this.completeNow()
  }

  /** Resolves once everything requested is on the disk, with undefined, or with the error, after which the engine must end. */
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
