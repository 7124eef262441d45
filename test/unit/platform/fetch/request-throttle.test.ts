import { describe, expect, it } from 'vitest'
import { BudgetSpent } from '../../../../src/platform/fetch/outcomes.ts'
import { RequestPace, RequestThrottle } from '../../../../src/platform/fetch/request-throttle.ts'

const never = new AbortController().signal

function throttle(options: Partial<ConstructorParameters<typeof RequestThrottle>[0]> = {}) {
  return new RequestThrottle({
    minIntervalMs: 0,
    concurrency: 1,
    takeFromBudget: async () => true,
    sleep: async () => {},
    ...options,
  })
}

describe('a request throttle', () => {
  it('limits concurrent requests, in the order of their arrival', async () => {
    const throttled = throttle({ concurrency: 2 })
    const ends = Array.from({ length: 4 }, () => Promise.withResolvers<void>())
    const started: number[] = []
    const passing = ends.map(({ promise }, index) =>
      throttled.run(never, async () => {
        started.push(index)
        await promise
      }),
    )
    await expect.poll(() => started).toEqual([0, 1])
    ends[1]?.resolve()
    await expect.poll(() => started).toEqual([0, 1, 2])
    for (const { resolve } of ends) resolve()
    await Promise.all(passing)
    expect(started).toEqual([0, 1, 2, 3])
  })

  it('keeps the minimum interval between requests', async () => {
    const waits: number[] = []
    const throttled = throttle({
      minIntervalMs: 1_000_000,
      sleep: async (milliseconds) => void waits.push(milliseconds),
    })
    for (let n = 0; n < 3; n++) await throttled.run(never, async () => n)
    expect(waits[0]).toBe(0)
    expect(waits[1]).toBeGreaterThan(900_000)
    expect(waits[2]).toBeGreaterThan(1_900_000)
  })

  it('makes half of the requests of an hour at once, and at most all of them in any hour', () => {
    const pace = new RequestPace()
    const limits = { minIntervalMs: 7_000, requestsPerHour: 100 }
    const starts = Array.from({ length: 400 }, () => pace.reserve(limits, 0) / 1000)
    expect(starts.slice(0, 50)).toEqual(starts.slice(0, 50).map((_, n) => n * 7))
    for (const start of starts) {
      const hour = starts.filter((other) => other >= start && other < start + 3600)
      expect(hour.length).toBeLessThanOrEqual(100)
    }
    expect((starts.at(-1) as number) - (starts.at(-2) as number)).toBeCloseTo(72)
    expect(pace.reserve(limits, 40_000_000)).toBe(0)
  })

  it('refuses requests beyond the budget, and frees their slot', async () => {
    let left = 1
    const throttled = throttle({ takeFromBudget: async () => left-- > 0 })
    expect(await throttled.run(never, async () => 'through')).toBe('through')
    await expect(throttled.run(never, async () => 'not')).rejects.toBeInstanceOf(BudgetSpent)
    left = 1
    expect(await throttled.run(never, async () => 'through')).toBe('through')
  })

  it('removes a waiting request that is aborted', async () => {
    const throttled = throttle()
    const first = Promise.withResolvers<void>()
    const passing = throttled.run(never, () => first.promise)
    const stopping = new AbortController()
    const waiting = throttled.run(stopping.signal, async () => 'not')
    const last = throttled.run(never, async () => 'through')
    stopping.abort(new Error('stop'))
    await expect(waiting).rejects.toThrow('stop')
    first.resolve()
    await passing
    expect(await last).toBe('through')
  })
})
