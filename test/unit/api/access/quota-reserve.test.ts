/** Requests that a process reserves in advance, and what it admits while the database does not respond. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { QuotaLedger } from '../../../../src/api/access/quota-ledger.ts'
import { countAdmitted, fakeQuotaStore, MONTH } from '../../../support/quota-store.ts'

let store: ReturnType<typeof fakeQuotaStore>
let ledger: QuotaLedger
beforeEach(() => {
  vi.useFakeTimers()
  store = fakeQuotaStore()
  ledger = store.ledger()
})
afterEach(() => void vi.useRealTimers())

describe('requests reserved in advance', () => {
  /** Sends sequential requests for one second; returns how many waited for the database. */
  async function second(count: number, quota = 100_000): Promise<number> {
    let waited = 0
    for (let i = 0; i < count; i++) {
      const reserving = ledger.reserve('a', MONTH, quota)
      if (reserving instanceof Promise) waited += 1
      await reserving
      await vi.advanceTimersByTimeAsync(1_000 / count)
    }
    return waited
  }

  it('let a busy key continue without waiting for the database', async () => {
    await second(100)
    expect(await second(100)).toBe(0)
    expect(await second(100)).toBe(0)
    expect(await ledger.used('a', MONTH)).toBe(300)
    expect(await ledger.reserve('a', MONTH, 100_000)).toEqual({ admitted: true, used: 301 })
    expect(store.stored('a')).toBeLessThanOrEqual(300 + 100)
  })

  it('number one for a key with one request a second, which never waits', async () => {
    await second(1)
    for (let i = 2; i <= 10; i++) {
      expect(await second(1)).toBe(0)
      expect(store.stored('a')).toBe(i + 1)
    }
  })

  it('number at most a hundredth of the remaining quota, and none near its end', async () => {
    store.set('a', 9_000)
    await second(200, 10_000)
    expect(store.stored('a')).toBeLessThanOrEqual(9_200 + 8)
    store.set('a', 9_950)
    const other = store.ledger()
    for (let i = 1; i <= 20; i++) {
      await other.reserve('a', MONTH, 10_000)
      expect(store.stored('a')).toBe(9_950 + i)
    }
  })

  it('are returned within two seconds when unused, leaving no timer', async () => {
    await second(100)
    expect(store.stored('a')).toBeGreaterThan(100)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(store.stored('a')).toBe(100)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('remain charged after a crash, so that the quota is never exceeded', async () => {
    let served = 0
    for (let crash = 0; crash < 20; crash++) {
      const crashing = store.ledger() // not disposed
      for (let i = 0; i < 100; i++) served += await countAdmitted(crashing, 1, 1_000)
    }
    expect(served).toBeLessThanOrEqual(1_000)
    expect(served).toBeGreaterThan(900)
  })
})

describe('a quota while the database is unavailable', () => {
  it('admits the requests known to remain, and charges them afterwards', async () => {
    store.set('a', 9_900)
    for (let i = 0; i < 10; i++) await ledger.reserve('a', MONTH, 10_000)
    store.state.failing = true
    let served = 0
    const failure = (async () => {
      for (; served < 1_000; served++) await ledger.reserve('a', MONTH, 10_000)
    })()
    await expect(failure).rejects.toThrow('no database')
    expect(served).toBe(90)
    expect(store.errors).toHaveLength(1)
    store.state.failing = false
    await vi.advanceTimersByTimeAsync(1_000)
    expect(store.stored('a')).toBe(10_000)
    expect(await ledger.reserve('a', MONTH, 10_000)).toEqual({ admitted: false, used: 10_000 })
  })

  it('forgives requests admitted on credit if other processes used up the rest', async () => {
    const [one, other] = [store.ledger(), store.ledger()]
    for (let i = 0; i < 10; i++) await one.reserve('a', MONTH, 20)
    store.state.failing = true
    for (let i = 0; i < 8; i++) await one.reserve('a', MONTH, 20)
    store.state.failing = false
    expect(await countAdmitted(other, 20, 20)).toBe(10)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(store.stored('a')).toBe(20)
    expect(vi.getTimerCount()).toBe(0)
    expect(await one.used('a', MONTH)).toBe(20)
  })

  it('rejects requests of a key whose usage is unknown', async () => {
    store.state.failing = true
    await expect(ledger.used('a', MONTH)).rejects.toThrow('no database')
    await expect(ledger.reserve('a', MONTH, 100)).rejects.toThrow('no database')
    store.state.failing = false
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await ledger.used('a', MONTH)).toBe(0)
  })

  it('does not repeat a refund whose confirmation was lost', async () => {
    expect(await countAdmitted(ledger, 5, 50)).toBe(5)
    ledger.refund('a', MONTH)
    store.state.losingAnswers = true
    await vi.advanceTimersByTimeAsync(1_000)
    store.state.losingAnswers = false
    await vi.advanceTimersByTimeAsync(5_000)
    expect(store.stored('a')).toBe(4)
  })
})
