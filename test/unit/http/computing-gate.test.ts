import { describe, expect, it } from 'vitest'
import { ComputingGate } from '../../../src/http/computing-gate.ts'

interface Attempt {
  /** What came of it: undefined while it waits or is computed. */
  outcome: 'done' | number | undefined
  started: boolean
  finish(): void
}

/** A gate on a clock that is set by hand, and attempts that end when told. */
function gateOf(atOnce: number) {
  let nowMs = 0
  let refused = 0
  const gate = new ComputingGate({
    atOnce,
    nowMs: () => nowMs,
    onRefused: () => {
      refused += 1
    },
  })
  const attempt = (): Attempt => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const made: Attempt = { outcome: undefined, started: false, finish: resolve }
    gate
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

const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('ComputingGate', () => {
  it('computes no more at once than it has places, the others in order', async () => {
    const { attempt } = gateOf(2)
    const attempts = Array.from({ length: 4 }, attempt)
    await settle()
    expect(attempts.map(({ started }) => started)).toEqual([true, true, false, false])
    attempts[1]?.finish()
    await settle()
    expect(attempts.map(({ started }) => started)).toEqual([true, true, true, false])
  })

  it('gives the place of one that failed to the next', async () => {
    const gate = new ComputingGate({ atOnce: 1, nowMs: () => 0, onRefused: () => {} })
    const failing = gate.run(() => Promise.reject(new Error('broken')))
    const next = gate.run(async () => 'well')
    await expect(failing).rejects.toThrow('broken')
    expect(await next).toBe('well')
    expect(await gate.run(async () => 'again')).toBe('again')
  })

  it('lets a rush in, however long, while the queue has not stood', async () => {
    const { attempt, passMs, refused } = gateOf(1)
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

  it('where the queue stands, serves the newest and refuses with 503 those that waited', async () => {
    const { attempt, passMs, refused } = gateOf(1)
    const early = Array.from({ length: 10 }, attempt)
    passMs(600)
    const late = Array.from({ length: 5 }, attempt)
    early[0]?.finish()
    await settle()
    expect(early.slice(1).map(({ outcome }) => outcome)).toEqual(Array(9).fill(503))
    expect(late.map(({ started }) => started)).toEqual([false, false, false, false, true])
    expect(refused()).toBe(9)
  })

  it('never refuses a few, though they waited for a long statement', async () => {
    const { attempt, passMs } = gateOf(1)
    const attempts = Array.from({ length: 5 }, attempt)
    passMs(3000)
    for (let i = 0; i < 5; i += 1) {
      for (const one of attempts) if (one.started) one.finish()
      await settle()
    }
    expect(attempts.map(({ outcome }) => outcome)).toEqual(Array(5).fill('done'))
  })

  it('is calm again as soon as the queue has emptied', async () => {
    const { attempt, passMs, refused } = gateOf(1)
    const first = [attempt(), attempt()]
    passMs(600)
    for (const one of first) {
      one.finish()
      await settle()
    }
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
    const { attempt, refused } = gateOf(1)
    const attempts = Array.from({ length: 1 + 512 + 3 }, attempt)
    await settle()
    expect(attempts.slice(1, 5).map(({ outcome }) => outcome)).toEqual([503, 503, 503, undefined])
    expect(refused()).toBe(3)
  })
})
