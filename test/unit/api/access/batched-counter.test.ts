import { describe, expect, it } from 'vitest'
import { BatchedCounter } from '../../../../src/api/access/batched-counter.ts'
import { MemoryCounter } from '../../../../src/api/access/memory-counter.ts'
import { type BatchCounter, rateLimiter } from '../../../../src/api/access/rate-limiter.ts'

/** An asynchronous in-memory store that records the number of requests in each batch. */
function slowStore() {
  const counts = new MemoryCounter()
  const steps: number[] = []
  const state = { failure: undefined as Error | undefined }
  const store: BatchCounter = {
    async consumeAll(requests) {
      steps.push(requests.length)
      await new Promise((resolve) => setImmediate(resolve))
      if (state.failure) throw state.failure
      return counts.consumeAll(requests)
    },
    refund: (client, window) => counts.refund(client, window),
    peek: (client) => counts.peek(client),
  }
  return { limiter: rateLimiter(new BatchedCounter(store)), steps, state }
}

describe('a batched counter', () => {
  it('counts concurrent requests in one batch, and those that arrive meanwhile in the next', async () => {
    const { limiter, steps } = slowStore()
    const together = Promise.all(['a', 'b', 'a'].map((client) => limiter.consume(client, 5)))
    while (steps.length === 0) await new Promise((resolve) => setImmediate(resolve))
    const during = Promise.all([limiter.consume('a', 5), limiter.consume('c', 5)])
    expect((await together).map(({ remaining }) => remaining)).toEqual([4, 4, 3])
    expect((await during).map(({ remaining }) => remaining)).toEqual([2, 4])
    expect(steps).toEqual([3, 2])
  })

  it('limits a batch to 500 requests', async () => {
    const { limiter, steps } = slowStore()
    const counted = await Promise.all(Array.from({ length: 1_100 }, () => limiter.consume('a', 700)))
    expect(counted.filter(({ admitted }) => admitted)).toHaveLength(700)
    expect(steps).toEqual([500, 500, 100])
  })

  it('fails only the requests of the batch that failed', async () => {
    const { limiter, state } = slowStore()
    state.failure = new Error('gone')
    await expect(limiter.consume('a', 5)).rejects.toThrow('gone')
    state.failure = undefined
    expect(await limiter.consume('a', 5)).toMatchObject({ remaining: 4 })
  })
})
