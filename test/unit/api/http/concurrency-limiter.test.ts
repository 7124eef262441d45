import { describe, expect, it } from 'vitest'
import { ConcurrencyLimiter } from '../../../../src/api/http/concurrency-limiter.ts'

interface Attempt {
  /** Undefined while it is queued or running. */
  outcome: 'done' | number | undefined
  started: boolean
  finish(): void
}

/** A limiter on a clock that the test sets, and attempts that end on demand. */
function limiterOf(atOnce: number) {
  let nowMs = 0
  let refused = 0
  const limiter = new ConcurrencyLimiter({ atOnce, nowMs: () => nowMs, onRefused: () => refused++ })
  const attempt = (): Attempt => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const made: Attempt = { outcome: undefined, started: false, finish: resolve }
    const compute = () => {
      made.started = true
      return promise
    }
    limiter.run(compute).then(
      () => (made.outcome = 'done'),
      (err: { status: number }) => (made.outcome = err.status),
    )
    return made
  }
  const passMs = (ms: number) => {
    nowMs += ms
  }
  return {
    attempt,
    refused: () => refused,
    passMs,
    /** Finishes the attempts one after the other, each `eachMs` after the one before. */
    async finishAll(attempts: Attempt[], eachMs = 0): Promise<void> {
      for (const one of attempts) {
        await settle()
        one.finish()
        passMs(eachMs)
      }
      await settle()
    },
    /** Two requests arrive for each completed one. */
    async overload(durationMs = 2_000): Promise<Attempt[]> {
      const attempts = [attempt()]
      for (let ms = 0; ms < durationMs; ms += 20) {
        attempts.push(attempt(), attempt())
        attempts.find(({ started, outcome }) => started && outcome === undefined)?.finish()
        passMs(20)
        await settle()
      }
      return attempts
    },
  }
}

const pending = (attempts: Attempt[]) => attempts.filter(({ outcome }) => outcome === undefined)

const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('ConcurrencyLimiter', () => {
  it('runs at most as many requests as it has slots, and queues the others in order', async () => {
    const { attempt } = limiterOf(2)
    const attempts = Array.from({ length: 4 }, attempt)
    await settle()
    expect(attempts.map(({ started }) => started)).toEqual([true, true, false, false])
    attempts[1]?.finish()
    await settle()
    expect(attempts.map(({ started }) => started)).toEqual([true, true, true, false])
  })

  it('frees the slot of a failed request for the next one', async () => {
    const limiter = new ConcurrencyLimiter({ atOnce: 1, nowMs: () => 0, onRefused: () => {} })
    const failing = limiter.run(() => Promise.reject(new Error('broken')))
    const next = limiter.run(async () => 'well')
    await expect(failing).rejects.toThrow('broken')
    expect(await next).toBe('well')
    expect(await limiter.run(async () => 'again')).toBe('again')
  })

  it.each([
    ['a long burst that drains quickly', { slots: 1, requests: 100, firstAfterMs: 0, eachMs: 4 }],
    ['requests queued behind one slow response', { slots: 1, requests: 30, firstAfterMs: 3_000, eachMs: 5 }],
    ['a burst longer than a second whose queue gets shorter', { slots: 2, requests: 200, firstAfterMs: 0, eachMs: 15 }],
  ])('admits %s', async (_name, { slots, requests, firstAfterMs, eachMs }) => {
    const { attempt, passMs, refused, finishAll } = limiterOf(slots)
    const attempts = Array.from({ length: requests }, attempt)
    passMs(firstAfterMs)
    await finishAll(attempts, eachMs)
    expect(attempts.map(({ outcome }) => outcome)).toEqual(attempts.map(() => 'done'))
    expect(refused()).toBe(0)
  })

  it('refuses no request in the first second of an overload', async () => {
    const { overload, refused } = limiterOf(1)
    await overload(980)
    expect(refused()).toBe(0)
  })

  it('refuses new requests with 503 during an overload, except for a few that are queued', async () => {
    const { attempt, overload, finishAll } = limiterOf(1)
    const queued = pending(await overload())
    expect(queued.length).toBeLessThanOrEqual(3)
    await finishAll(queued)
    const attempts = Array.from({ length: 8 }, attempt)
    await settle()
    expect(attempts.map(({ outcome }) => outcome)).toEqual([...Array(3).fill(undefined), ...Array(5).fill(503)])
  })

  it('maintains its throughput during an overload', async () => {
    const attempts = await limiterOf(1).overload()
    expect(attempts.filter(({ outcome }) => outcome === 'done')).toHaveLength(100)
  })

  it('never refuses a few clients that each send one request at a time without a pause', async () => {
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

  it('recovers a second after the last refusal', async () => {
    const { attempt, passMs, refused, overload, finishAll } = limiterOf(1)
    await finishAll(pending(await overload()))
    passMs(1_000)
    const before = refused()
    const rush = Array.from({ length: 20 }, attempt)
    await finishAll(rush)
    expect(rush.map(({ outcome }) => outcome)).toEqual(Array(20).fill('done'))
    expect(refused()).toBe(before)
  })

  it('refuses requests beyond a queue of 512', async () => {
    const { attempt, refused } = limiterOf(1)
    const attempts = Array.from({ length: 1 + 512 + 3 }, attempt)
    await settle()
    expect(attempts.slice(-4).map(({ outcome }) => outcome)).toEqual([undefined, 503, 503, 503])
    expect(refused()).toBe(3)
  })
})
