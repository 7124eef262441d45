import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { InsuredCounter } from '../../../../src/api/access/insured-counter.ts'
import { type Counter, memoryCounter, minuteLimiter } from '../../../../src/api/access/minute-limiter.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A store that the test breaks and mends, and what was reported of it. */
function breakableStore() {
  const shared = memoryCounter()
  const state = { failure: undefined as 'refuses' | 'hangs' | undefined, asked: 0 }
  const ask = <T>(answer: () => Promise<T>): Promise<T> => {
    state.asked += 1
    if (state.failure === 'refuses') return Promise.reject(new Error('connection refused'))
    return state.failure === 'hangs' ? new Promise(() => {}) : answer()
  }
  const store: Counter = {
    consume: (client) => ask(() => shared.consume(client)),
    reward: (client) => ask(() => shared.reward(client)),
    get: (client) => ask(() => shared.get(client)),
  }
  const reports: string[] = []
  const insured = new InsuredCounter({
    store,
    insurance: memoryCounter(),
    answerMsMax: 250,
    onLost: (err) => reports.push(`lost: ${(err as Error).message}`),
    onBack: () => reports.push('back'),
  })
  return { state, reports, insured, limiter: minuteLimiter(insured), shared: minuteLimiter(shared) }
}

describe('an insured counter', () => {
  it('counts in the store while it answers', async () => {
    const { limiter, shared, reports } = breakableStore()
    await limiter.take('a', 5)
    await limiter.take('a', 5)
    await limiter.giveBack('a')
    expect(await shared.look('a', 5)).toMatchObject({ remaining: 4 })
    expect(reports).toEqual([])
  })

  it('limits by itself while the store refuses, and reports that once', async () => {
    const { limiter, state, reports } = breakableStore()
    state.failure = 'refuses'
    const admitted = []
    for (let i = 0; i < 4; i++) admitted.push((await limiter.take('a', 3)).admitted)
    expect(admitted).toEqual([true, true, true, false])
    expect(await limiter.look('a', 3)).toMatchObject({ remaining: 0 })
    expect(reports).toEqual(['lost: connection refused'])
    expect(state.asked).toBe(1)
  })

  it('waits a stated time for a store that hangs, and the next requests not at all', async () => {
    const { limiter, state, reports } = breakableStore()
    state.failure = 'hangs'
    const first = limiter.take('a', 3)
    await vi.advanceTimersByTimeAsync(250)
    expect(await first).toMatchObject({ admitted: true, remaining: 2 })
    expect(await limiter.take('a', 3)).toMatchObject({ admitted: true, remaining: 1 })
    expect(reports).toEqual(['lost: no answer within 250 ms'])
    expect(vi.getTimerCount()).toBe(1) // the window of "a" alone
  })

  it('lets one request a second find out whether the store is back', async () => {
    const { limiter, state, reports } = breakableStore()
    state.failure = 'refuses'
    await limiter.take('a', 100)
    for (let second = 0; second < 5; second++) {
      await vi.advanceTimersByTimeAsync(1_000)
      await Promise.all(Array.from({ length: 10 }, () => limiter.take('a', 100)))
    }
    expect(state.asked).toBe(6)
    expect(reports).toEqual(['lost: connection refused'])
  })

  it('goes back to the store once it answers, and reports that', async () => {
    const { limiter, shared, state, reports } = breakableStore()
    await limiter.take('a', 5)
    state.failure = 'refuses'
    await limiter.take('a', 5)
    state.failure = undefined
    expect(await limiter.take('a', 5)).toMatchObject({ remaining: 3 }) // not tried again yet
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await limiter.take('a', 5)).toMatchObject({ remaining: 3 })
    expect(await shared.look('a', 5)).toMatchObject({ remaining: 3 })
    expect(reports).toEqual(['lost: connection refused', 'back'])
  })

  it('can be told that the store is lost before a request finds out', async () => {
    const { insured, limiter, state, reports } = breakableStore()
    insured.lose(new Error('closed'))
    insured.lose(new Error('still closed'))
    await limiter.take('a', 5)
    expect(state.asked).toBe(0)
    expect(reports).toEqual(['lost: closed'])
  })
})
