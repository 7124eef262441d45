import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { QuotaLedger } from '../../../../src/api/access/quota-ledger.ts'
import { countAdmitted, countTimes, fakeQuotaStore, MONTH } from '../../../support/quota-store.ts'

let store: ReturnType<typeof fakeQuotaStore>
let ledger: QuotaLedger
beforeEach(() => {
  vi.useFakeTimers()
  store = fakeQuotaStore()
  ledger = store.ledger()
})
afterEach(() => void vi.useRealTimers())

describe('a quota', () => {
  it('is exact under concurrent requests', async () => {
    expect(await countAdmitted(ledger, 100, 5)).toBe(5)
    expect(await ledger.reserve('a', MONTH, 5)).toEqual({ admitted: false, used: 5 })
    expect(store.stored('a')).toBe(5)
  })

  it('is exact under concurrent requests in several processes', async () => {
    const counts = await Promise.all(Array.from({ length: 4 }, () => countAdmitted(store.ledger(), 100, 130)))
    expect(counts.reduce((sum, count) => sum + count)).toBe(130)
  })

  it('is exact for several processes with uneven traffic until it is used up', async () => {
    const ledgers = [store.ledger(), store.ledger(), store.ledger()]
    let served = 0
    for (let i = 0; i < 400; i++) {
      served += await countAdmitted(ledgers[(i * i) % 3] as QuotaLedger, 1 + ((i * 7) % 11), 1_000)
      if (i % 9 === 0) await vi.advanceTimersByTimeAsync(170)
    }
    expect(served).toBe(1_000)
    expect(store.stored('a')).toBe(1_000)
  })

  it('reports its usage with each request', async () => {
    store.set('a', 9_990)
    const used = []
    for (let i = 0; i < 11; i++) used.push((await ledger.reserve('a', MONTH, 10_000)).used)
    expect(used).toEqual([9_991, 9_992, 9_993, 9_994, 9_995, 9_996, 9_997, 9_998, 9_999, 10_000, 10_000])
  })

  it('admits another request immediately after a refund', async () => {
    expect(await countAdmitted(ledger, 6, 5)).toBe(5)
    ledger.refund('a', MONTH)
    const { changes } = store.state
    expect(await countAdmitted(ledger, 2, 5)).toBe(1)
    expect(store.state.changes).toBe(changes)
  })

  it('admits a request in another process within two seconds of a refund', async () => {
    const [one, other] = [store.ledger(), store.ledger()]
    expect(await countAdmitted(one, 5, 5)).toBe(5)
    expect(await countAdmitted(other, 1, 5)).toBe(0)
    one.refund('a', MONTH)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await countAdmitted(other, 2, 5)).toBe(1)
  })

  it('causes few database queries once it is used up', async () => {
    store.set('a', 5)
    for (let tenth = 0; tenth < 20; tenth++) {
      expect(await countAdmitted(ledger, 50, 5)).toBe(0)
      await vi.advanceTimersByTimeAsync(100)
    }
    expect(store.state.changes).toBeLessThan(6)
  })

  it('keeps the recorded usage when lowered below it', async () => {
    store.set('a', 500)
    expect(await countAdmitted(ledger, 3, 100)).toBe(0)
    expect(store.stored('a')).toBe(500)
  })

  it('is separate for each key and month', async () => {
    expect(await countAdmitted(ledger, 5, 2)).toBe(2)
    expect(await countAdmitted(ledger, 5, 3, 'b')).toBe(3)
    expect(await ledger.reserve('a', '2026-12-01', 2)).toEqual({ admitted: true, used: 1 })
  })
})

describe('a key without a quota', () => {
  it('is counted immediately, and its usage is written within a second', async () => {
    await countTimes(ledger, 'a', 3)
    await vi.advanceTimersByTimeAsync(999)
    expect(store.stored('a')).toBeUndefined()
    await vi.advanceTimersByTimeAsync(1)
    expect(store.stored('a')).toBe(3)
    expect(await ledger.used('a', MONTH)).toBe(3)
  })

  it('is written at most once a second, and not at all without requests', async () => {
    for (let tenth = 0; tenth < 50; tenth++) {
      await countTimes(ledger, `key ${tenth % 7}`, 100)
      await vi.advanceTimersByTimeAsync(100)
    }
    expect(store.state.changes).toBe(5)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(store.state.changes).toBe(5)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is served while the database is unavailable, and its usage is written afterwards', async () => {
    store.state.failing = true
    await countTimes(ledger, 'a', 3)
    await vi.advanceTimersByTimeAsync(1_000)
    await countTimes(ledger, 'a', 4)
    await vi.advanceTimersByTimeAsync(3_000)
    expect(store.errors).toHaveLength(4)
    store.state.failing = false
    await vi.advanceTimersByTimeAsync(1_000)
    expect(store.stored('a')).toBe(7)
    expect(await ledger.used('a', MONTH)).toBe(7)
  })

  it('is refunded whether or not its usage was already written', async () => {
    await countTimes(ledger, 'a', 3)
    ledger.refund('a', MONTH)
    await ledger.settle()
    expect(store.stored('a')).toBe(2)
    ledger.refund('a', MONTH)
    await ledger.settle()
    expect(store.stored('a')).toBe(1)
  })

  it('is counted exactly across several processes', async () => {
    const ledgers = Array.from({ length: 5 }, () => store.ledger())
    for (let i = 0; i < 1_000; i++) {
      await ledgers[i % 5]?.reserve('a', MONTH, undefined)
      if (i % 50 === 0) await vi.advanceTimersByTimeAsync(130)
    }
    await Promise.all(ledgers.map((ledger) => ledger.settle()))
    expect(store.stored('a')).toBe(1_000)
  })

  it('is not counted twice while its usage is being written', async () => {
    const { promise: opened, resolve: openGate } = Promise.withResolvers<void>()
    store.state.gate = opened
    await countTimes(ledger, 'a', 5)
    const first = ledger.settle()
    await vi.advanceTimersByTimeAsync(0)
    await countTimes(ledger, 'a', 2)
    const second = ledger.settle()
    openGate()
    await Promise.all([first, second])
    expect(store.stored('a')).toBe(7)
    expect(await ledger.used('a', MONTH)).toBe(7)
    expect(store.state.changes).toBe(2)
  })
})

describe('the usage of a key', () => {
  it('is read once for concurrent requests', async () => {
    store.set('a', 7)
    const used = await Promise.all(Array.from({ length: 100 }, () => ledger.used('a', MONTH)))
    expect(new Set(used)).toEqual(new Set([7]))
    expect(store.state.changes).toBe(1)
  })

  it('includes other processes within two seconds', async () => {
    const [busy, idle] = [store.ledger(), store.ledger()]
    expect(await idle.used('a', MONTH)).toBe(0)
    await countTimes(busy, 'a', 7)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await idle.used('a', MONTH)).toBe(7)
  })

  it('is queried in one batch for keys that arrive while the database is busy', async () => {
    await Promise.all(Array.from({ length: 500 }, (_, i) => ledger.reserve(`key ${i}`, MONTH, 100)))
    expect(store.state.changes).toBe(1)
    expect(store.state.rows).toBe(500)
  })
})

describe('disposal of the quota ledger', () => {
  it('writes all usage, returns unused reservations and leaves no timer', async () => {
    await countTimes(ledger, 'a', 12)
    for (let i = 0; i < 64; i++) await ledger.reserve('b', MONTH, 100_000)
    await ledger[Symbol.asyncDispose]()
    expect([store.stored('a'), store.stored('b')]).toEqual([12, 64])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('reports usage that could not be written, and does not retry forever', async () => {
    store.state.failing = true
    await countTimes(ledger, 'a', 12)
    await ledger[Symbol.asyncDispose]()
    expect(store.errors).toHaveLength(1)
    expect(vi.getTimerCount()).toBe(0)
  })
})
