import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { MemoryCounter } from '../../../../src/api/access/memory-counter.ts'
import { DAY_SECONDS, rateLimiter } from '../../../../src/api/access/rate-limiter.ts'
import { describeCounter } from '../../../support/counter-contract.ts'

beforeAll(() => void vi.useFakeTimers())
afterAll(() => void vi.useRealTimers())

const counter = new MemoryCounter()
describeCounter('in memory', {
  counter: () => counter,
  elapse: async (seconds) => void vi.advanceTimersByTime(seconds * 1000),
})

describe('a daily rate limiter', () => {
  it('opens a window of 24 hours', async () => {
    const limiter = rateLimiter(new MemoryCounter(DAY_SECONDS), DAY_SECONDS)
    expect(await limiter.peek('a', 2)).toMatchObject({ remaining: 2, resetSeconds: 86_400 })
    await limiter.consume('a', 2)
    vi.advanceTimersByTime(86_399_000)
    expect(await limiter.consume('a', 2)).toMatchObject({ remaining: 0, resetSeconds: 1 })
    vi.advanceTimersByTime(1_000)
    expect(await limiter.consume('a', 2)).toMatchObject({ remaining: 1 })
  })
})

describe('the in-memory counter', () => {
  it('removes clients whose window has ended', async () => {
    const clients = new MemoryCounter()
    for (let i = 0; i < 1_000; i++) await clients.consume(`client ${i}`, 1)
    vi.advanceTimersByTime(30_000)
    await clients.consume('later', 1)
    expect(clients.size).toBe(1_001)
    vi.advanceTimersByTime(30_000)
    await clients.consume('last', 1)
    expect(clients.size).toBe(2)
  })
})
