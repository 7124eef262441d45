/** Batches requests into one step of a store. Requests that arrive during a step form the next batch. */
import type { BatchCounter, Count, Counted, Counter, CountRequest } from './rate-limiter.ts'

/** Bounded, because other processes wait while a shared store counts a batch. */
const BATCH_MAX = 500

interface Waiting extends CountRequest {
  resolve(counted: Counted): void
  reject(error: unknown): void
}

export class BatchedCounter implements Counter {
  readonly #store: BatchCounter
  #waiting: Waiting[] = []
  #isCounting = false

  constructor(store: BatchCounter) {
    this.#store = store
  }

  consume(client: string, limit: number): Promise<Counted> {
    const { promise, resolve, reject } = Promise.withResolvers<Counted>()
    this.#waiting.push({ client, limit, resolve, reject })
    if (!this.#isCounting) {
      this.#isCounting = true
      setImmediate(() => this.#countWaiting()) // after all requests that have been read are queued
    }
    return promise
  }

  refund(client: string, window: string): Promise<void> {
    return this.#store.refund(client, window)
  }

  peek(client: string): Promise<Count | undefined> {
    return this.#store.peek(client)
  }

  async #countWaiting(): Promise<void> {
    while (this.#waiting.length > 0) await this.#count(this.#waiting.splice(0, BATCH_MAX))
    this.#isCounting = false
  }

  async #count(batch: readonly Waiting[]): Promise<void> {
    try {
      const counted = await this.#store.consumeAll(batch)
      if (counted.length !== batch.length) throw new Error(`${counted.length} of ${batch.length} requests were counted`)
      for (const [i, one] of counted.entries()) batch[i]?.resolve(one)
    } catch (err) {
      for (const { reject } of batch) reject(err)
    }
  }
}
