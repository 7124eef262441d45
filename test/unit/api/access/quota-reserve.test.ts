/** Requests that a process reserves in advance, and what it admits while the database does not respond. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { QuotaLedger } from '../../../../src/api/access/quota-ledger.ts'
import { countAdmitted, fakeQuotaStore, MONTH } from '../../../support/quota-store.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('requests reserved in advance', () => {
  /** Sends sequential requests for one second; returns how many waited for the database. */
  async function second(ledger: QuotaLedger, count: number, quota: number): Promise<number> {
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
    const { ledger: open, stored } = fakeQuotaStore()
    const ledger = open()
    await second(ledger, 100, 100_000)
    expect(await second(ledger, 100, 100_000)).toBe(0)
    expect(await second(ledger, 100, 100_000)).toBe(0)
    expect(await ledger.used('a', MONTH)).toBe(300)
    expect(stored('a')).toBeLessThanOrEqual(300 + 100)
  })

  it('number one for a key with one request a second, which never waits', async () => {
    const { ledger: open, stored } = fakeQuotaStore()
    const ledger = open()
    await second(ledger, 1, 100_000)
    for (let i = 2; i <= 10; i++) {
      expect(await second(ledger, 1, 100_000)).toBe(0)
      expect(stored('a')).toBe(i + 1)
    }
  })

  it('number at most a hundredth of the remaining quota, and none near its end', async () => {
    const { ledger: open, set, stored } = fakeQuotaStore()
    set('a', 9_000)
    const ledger = open()
    await second(ledger, 200, 10_000)
    expect(stored('a')).toBeLessThanOrEqual(9_200 + 8)
    set('a', 9_950)
    const other = open()
    for (let i = 1; i <= 20; i++) {
      await other.reserve('a', MONTH, 10_000)
      expect(stored('a')).toBe(9_950 + i)
    }
  })

  it('are returned within two seconds when unused, leaving no timer', async () => {
    const { ledger: open, stored } = fakeQuotaStore()
    const ledger = open()
    await second(ledger, 100, 100_000)
    expect(stored('a')).toBeGreaterThan(100)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(stored('a')).toBe(100)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('remain charged after a crash, so that the quota is never exceeded', async () => {
    const { ledger: open } = fakeQuotaStore()
    let served = 0
    for (let crash = 0; crash < 20; crash++) {
      const ledger = open()
      for (let i = 0; i < 100; i++) served += await countAdmitted(ledger, 1, 1_000)
      // Not disposed, as in a crash.
    }
    expect(served).toBeLessThanOrEqual(1_000)
    expect(served).toBeGreaterThan(900)
  })
})

describe('a quota while the database is unavailable', () => {
  it('admits the requests known to remain, and charges them afterwards', async () => {
    const { ledger: open, state, errors, set, stored } = fakeQuotaStore()
    set('a', 9_900)
    const ledger = open()
    for (let i = 0; i < 10; i++) await ledger.reserve('a', MONTH, 10_000)
    state.failing = true
    let served = 0
    const failure = (async () => {
      for (; served < 1_000; served++) await ledger.reserve('a', MONTH, 10_000)
    })()
    await expect(failure).rejects.toThrow('no database')
    expect(served).toBe(90)
    expect(errors).toHaveLength(1)
    state.failing = false
    await vi.advanceTimersByTimeAsync(1_000)
    expect(stored('a')).toBe(10_000)
    expect(await ledger.reserve('a', MONTH, 10_000)).toEqual({ admitted: false, used: 10_000 })
  })

  it('forgives requests admitted on credit if other processes used up the rest', async () => {
    const { ledger: open, state, stored } = fakeQuotaStore()
    const [one, other] = [open(), open()]
    for (let i = 0; i < 10; i++) await one.reserve('a', MONTH, 20)
    state.failing = true
    for (let i = 0; i < 8; i++) await one.reserve('a', MONTH, 20)
    state.failing = false
    expect(await countAdmitted(other, 20, 20)).toBe(10)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(stored('a')).toBe(20)
    expect(vi.getTimerCount()).toBe(0)
    expect(await one.used('a', MONTH)).toBe(20)
  })

  it('rejects requests of a key whose usage is unknown', async () => {
    const { ledger: open, state } = fakeQuotaStore()
    const ledger = open()
    state.failing = true
    await expect(ledger.used('a', MONTH)).rejects.toThrow('no database')
    await expect(ledger.reserve('a', MONTH, 100)).rejects.toThrow('no database')
    state.failing = false
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await ledger.used('a', MONTH)).toBe(0)
  })

  it('does not repeat a refund whose confirmation was lost', async () => {
    const { ledger: open, state, stored } = fakeQuotaStore()
    const ledger = open()
    expect(await countAdmitted(ledger, 5, 50)).toBe(5)
    ledger.refund('a', MONTH)
    state.losingAnswers = true
    await vi.advanceTimersByTimeAsync(1_000)
    state.losingAnswers = false
    await vi.advanceTimersByTimeAsync(5_000)
    expect(stored('a')).toBe(4)
  })
})
