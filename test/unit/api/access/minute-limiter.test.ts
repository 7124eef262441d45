import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { DAY_SECONDS, memoryCounter, minuteLimiter } from '../../../../src/api/access/minute-limiter.ts'
import { describeCounter } from '../../../support/counter-contract.ts'

beforeAll(() => void vi.useFakeTimers())
afterAll(() => void vi.useRealTimers())

const counter = memoryCounter()
describeCounter('in memory', {
  counter: () => counter,
  elapse: async (seconds) => void vi.advanceTimersByTime(seconds * 1000),
})

describe('a limiter of a day', () => {
  it('opens a window of a day', async () => {
    const limiter = minuteLimiter(memoryCounter(DAY_SECONDS), DAY_SECONDS)
    expect(await limiter.look('a', 2)).toMatchObject({ remaining: 2, resetSeconds: 86_400 })
    await limiter.take('a', 2)
    vi.advanceTimersByTime(86_399_000)
    expect(await limiter.take('a', 2)).toMatchObject({ remaining: 0, resetSeconds: 1 })
    vi.advanceTimersByTime(1_000)
    expect(await limiter.take('a', 2)).toMatchObject({ remaining: 1 })
  })
})

describe('counting in memory', () => {
  it('forgets clients whose window is over', async () => {
    const timersBefore = vi.getTimerCount()
    const limiter = minuteLimiter(memoryCounter())
    for (let i = 0; i < 1_000; i++) await limiter.take(`client ${i}`, 1)
    expect(vi.getTimerCount()).toBe(timersBefore + 1_000)
    vi.advanceTimersByTime(60_000)
    expect(vi.getTimerCount()).toBe(timersBefore)
  })
})
