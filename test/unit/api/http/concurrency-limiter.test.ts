import { describe, expect, it } from 'vitest'
import { ConcurrencyLimiter } from '../../../../src/api/http/concurrency-limiter.ts'

interface Attempt {
  /** What came of it: undefined while it waits or is computed. */
  outcome: 'done' | number | undefined
  started: boolean
  finish(): void
}

/** A limiter on a clock set by hand, and attempts that end on demand. */
function limiterOf(atOnce: number) {
  let nowMs = 0
  let refused = 0
  const limiter = new ConcurrencyLimiter({
    atOnce,
    nowMs: () => nowMs,
    onRefused: () => {
      refused += 1
    },
  })
  const attempt = (): Attempt => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const made: Attempt = { outcome: undefined, started: false, finish: resolve }
    limiter
      .run(() => {
        made.started = true
        return promise
      })
      .then(
        () => {
          made.outcome = 'done'
        },
        (err: { status: number }) => {
          made.outcome = err.status
        },
      )
    return made
  }
  return {
    attempt,
    refused: () => refused,
    passMs: (ms: number) => {
      nowMs += ms
    },
  }
}

/** Builds up a queue that has stood for a second: two requests wait behind the one returned and end as soon as they start. */
async function persistentQueue(attempt: () => Attempt, passMs: (ms: number) => void): Promise<Attempt> {
  let [computed, ...waiting] = [attempt(), attempt(), attempt()] as const
  for (let done = 0; done < 50; done += 1) {
    computed.finish()
    passMs(20)
    await settle()
    ;[computed, ...waiting] = [...waiting, attempt()]
  }
  for (const one of waiting) one.finish()
  return computed
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('ConcurrencyLimiter', () => {
  it('computes no more at once than it has slots, the others in order', async () => {
    const { attempt } = limiterOf(2)
    const attempts = Array.from({ length: 4 }, attempt)
    await settle()
    expect(attempts.map(({ started }) => started)).toEqual([true, true, false, false])
    attempts[1]?.finish()
    await settle()
    expect(attempts.map(({ started }) => started)).toEqual([true, true, true, false])
  })

  it('hands the slot of a failed request to the next', async () => {
    const limiter = new ConcurrencyLimiter({ atOnce: 1, nowMs: () => 0, onRefused: () => {} })
    const failing = limiter.run(() => Promise.reject(new Error('broken')))
    const next = limiter.run(async () => 'well')
    await expect(failing).rejects.toThrow('broken')
    expect(await next).toBe('well')
    expect(await limiter.run(async () => 'again')).toBe('again')
  })

  it('admits a burst, however long, while the queue does not persist', async () => {
    const { attempt, passMs, refused } = limiterOf(1)
    const attempts = Array.from({ length: 100 }, attempt)
    for (const one of attempts) {
      await settle()
      one.finish()
      passMs(4)
    }
    await settle()
    expect(attempts.map(({ outcome }) => outcome)).toEqual(attempts.map(() => 'done'))
    expect(refused()).toBe(0)
  })

  it('admits what arrived while one response took long', async () => {
    const { attempt, passMs, refused } = limiterOf(1)
    const attempts = Array.from({ length: 30 }, attempt)
    passMs(3000)
    for (const one of attempts) {
      one.finish()
      await settle()
      passMs(5)
    }
    expect(attempts.map(({ outcome }) => outcome)).toEqual(Array(30).fill('done'))
    expect(refused()).toBe(0)
  })

  it('serves the newest and refuses the longest waiting with 503 while the queue persists', async () => {
    const { attempt, passMs, refused } = limiterOf(1)
    const computed = await persistentQueue(attempt, passMs)
    const early = Array.from({ length: 10 }, attempt)
    passMs(30)
    const late = Array.from({ length: 8 }, attempt)
    computed.finish()
    await settle()
    expect(early.map(({ outcome }) => outcome)).toEqual(Array(10).fill(503))
    expect(late.map(({ started }) => started)).toEqual([...Array(7).fill(false), true])
    expect(refused()).toBe(12)
  })

  it('never refuses a handful of clients that send without a pause, each in turn', async () => {
    const { attempt, passMs, refused } = limiterOf(1)
    let clients = Array.from({ length: 5 }, attempt)
    for (let round = 0; round < 200; round += 1) {
      await settle()
      const [first, ...others] = clients
      expect(first?.started).toBe(true)
      first?.finish()
      passMs(40)
      await settle()
      expect(first?.outcome).toBe('done')
      clients = [...others, attempt()]
    }
    expect(refused()).toBe(0)
  })

  it('recovers as soon as the queue has emptied', async () => {
    const { attempt, passMs, refused } = limiterOf(1)
    const computed = await persistentQueue(attempt, passMs)
    computed.finish()
    await settle()
    await settle()
    const rush = Array.from({ length: 20 }, attempt)
    passMs(100)
    for (const one of rush) {
      one.finish()
      await settle()
    }
    expect(rush.map(({ outcome }) => outcome)).toEqual(Array(20).fill('done'))
    expect(refused()).toBe(0)
  })

  it('refuses the longest waiting beyond five hundred', async () => {
    const { attempt, refused } = limiterOf(1)
    const attempts = Array.from({ length: 1 + 512 + 3 }, attempt)
    await settle()
    expect(attempts.slice(1, 5).map(({ outcome }) => outcome)).toEqual([503, 503, 503, undefined])
    expect(refused()).toBe(3)
  })
})
