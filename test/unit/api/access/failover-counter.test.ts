import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { BatchedCounter } from '../../../../src/api/access/batched-counter.ts'
import { FailoverCounter } from '../../../../src/api/access/failover-counter.ts'
import { MemoryCounter } from '../../../../src/api/access/memory-counter.ts'
import { type BatchCounter, rateLimiter } from '../../../../src/api/access/rate-limiter.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

/** A store that the test breaks and repairs, with the reports about it. */
function breakableStore() {
  const shared = new MemoryCounter()
  const state = { failure: undefined as 'refuses' | 'hangs' | undefined, asked: 0 }
  const ask = async <T>(answer: () => T | Promise<T>): Promise<T> => {
    state.asked += 1
    if (state.failure === 'refuses') throw new Error('connection refused')
    return state.failure === 'hangs' ? new Promise(() => {}) : answer()
  }
  const store: BatchCounter = {
    consumeAll: (requests) => ask(() => shared.consumeAll(requests)),
    refund: (client, window) => ask(() => shared.refund(client, window)),
    peek: (client) => ask(() => shared.peek(client)),
  }
  const reports: string[] = []
  const failover = new FailoverCounter({
    store,
    fallback: new MemoryCounter(),
    answerMsMax: 250,
    onLost: (err) => reports.push(`lost: ${(err as Error).message}`),
    onRecovered: () => reports.push('back'),
  })
  return { state, reports, failover, limiter: rateLimiter(new BatchedCounter(failover)), shared: rateLimiter(shared) }
}

describe('a failover counter', () => {
  it('counts in the store while the store is available', async () => {
    const { limiter, shared, reports } = breakableStore()
    const { window } = await limiter.consume('a', 5)
    await limiter.consume('a', 5)
    await limiter.refund('a', window)
    expect(await shared.peek('a', 5)).toMatchObject({ remaining: 4 })
    expect(reports).toEqual([])
  })

  it('counts in the process while the store refuses connections, and reports the failure once', async () => {
    const { limiter, state, reports } = breakableStore()
    state.failure = 'refuses'
    const admitted = []
    for (let i = 0; i < 4; i++) admitted.push((await limiter.consume('a', 3)).admitted)
    expect(admitted).toEqual([true, true, true, false])
    expect(await limiter.peek('a', 3)).toMatchObject({ remaining: 0 })
    expect(reports).toEqual(['lost: connection refused'])
    expect(state.asked).toBe(1)
  })

  it('waits at most 250 ms for a hanging store, and does not delay later requests', async () => {
    const { limiter, state, reports } = breakableStore()
    state.failure = 'hangs'
    const first = limiter.consume('a', 3)
    await vi.advanceTimersByTimeAsync(250)
    expect(await first).toMatchObject({ admitted: true, remaining: 2 })
    expect(await limiter.consume('a', 3)).toMatchObject({ admitted: true, remaining: 1 })
    expect(reports).toEqual(['lost: no answer within 250 ms'])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('retries the store once a second while it is down', async () => {
    const { limiter, state, reports } = breakableStore()
    state.failure = 'refuses'
    await limiter.consume('a', 100)
    for (let second = 0; second < 5; second++) {
      await vi.advanceTimersByTimeAsync(1_000)
      await Promise.all(Array.from({ length: 10 }, () => limiter.consume('a', 100)))
    }
    expect(state.asked).toBe(6)
    expect(reports).toEqual(['lost: connection refused'])
  })

  it('returns to the store once it recovers, and reports the recovery', async () => {
    const { limiter, shared, state, reports } = breakableStore()
    await limiter.consume('a', 5)
    state.failure = 'refuses'
    await limiter.consume('a', 5)
    state.failure = undefined
    expect(await limiter.consume('a', 5)).toMatchObject({ remaining: 3 }) // not retried yet
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await limiter.consume('a', 5)).toMatchObject({ remaining: 3 })
    expect(await shared.peek('a', 5)).toMatchObject({ remaining: 3 })
    expect(reports).toEqual(['lost: connection refused', 'back'])
  })

  it('refunds a request only in the counter that counted it', async () => {
    const { limiter, shared, state } = breakableStore()
    await shared.consume('a', 5)
    const { window } = await limiter.consume('a', 5)
    state.failure = 'refuses'
    vi.advanceTimersByTime(1) // the windows of the two stores have different names
    const alone = await limiter.consume('a', 5)
    await limiter.refund('a', window)
    expect(await limiter.peek('a', 5)).toMatchObject({ remaining: 4 })
    state.failure = undefined
    await vi.advanceTimersByTimeAsync(1_000)
    await limiter.refund('a', alone.window)
    expect(await shared.peek('a', 5)).toMatchObject({ remaining: 3 })
  })

  it('can be marked as down before any request fails', async () => {
    const { failover, limiter, state, reports } = breakableStore()
    failover.markDown(new Error('closed'))
    failover.markDown(new Error('still closed'))
    await limiter.consume('a', 5)
    expect(state.asked).toBe(0)
    expect(reports).toEqual(['lost: closed'])
  })
})
