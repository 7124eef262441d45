import { describe, expect, it } from 'vitest'
import { BudgetSpent } from '../../../../src/platform/fetch/outcomes.ts'
import { Turnstile } from '../../../../src/platform/fetch/turnstile.ts'

const never = new AbortController().signal
const noSleep = async () => {}

function turnstile(options: Partial<ConstructorParameters<typeof Turnstile>[0]> = {}) {
  return new Turnstile({
    minIntervalMs: 0,
    concurrency: 1,
    takeFromBudget: async () => true,
    sleep: noSleep,
    ...options,
  })
}

describe('a turnstile', () => {
  it('lets so many through at a time, in the order in which they came', async () => {
    const gate = turnstile({ concurrency: 2 })
    const ends = Array.from({ length: 4 }, () => Promise.withResolvers<void>())
    const started: number[] = []
    const passing = ends.map(({ promise }, index) =>
      gate.pass(never, async () => {
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

  it('keeps the distance between two starts', async () => {
    const waits: number[] = []
    const gate = turnstile({
      minIntervalMs: 1_000_000,
      sleep: async (milliseconds) => {
        waits.push(milliseconds)
      },
    })
    for (let n = 0; n < 3; n++) await gate.pass(never, async () => n)
    expect(waits[0]).toBe(0)
    expect(waits[1]).toBeGreaterThan(900_000)
    expect(waits[2]).toBeGreaterThan(1_900_000)
  })

  it('refuses beyond the budget, and frees its place', async () => {
    let left = 1
    const gate = turnstile({ takeFromBudget: async () => left-- > 0 })
    expect(await gate.pass(never, async () => 'through')).toBe('through')
    await expect(gate.pass(never, async () => 'not')).rejects.toBeInstanceOf(BudgetSpent)
    left = 1
    expect(await gate.pass(never, async () => 'through')).toBe('through')
  })

  it('lets go of who is told to stop while waiting', async () => {
    const gate = turnstile()
    const first = Promise.withResolvers<void>()
    const passing = gate.pass(never, () => first.promise)
    const stopping = new AbortController()
    const waiting = gate.pass(stopping.signal, async () => 'not')
    const last = gate.pass(never, async () => 'through')
    stopping.abort(new Error('stop'))
    await expect(waiting).rejects.toThrow('stop')
    first.resolve()
    await passing
    expect(await last).toBe('through')
  })
})
