/** Requests that a process reserves in advance, and what it admits while the database does not respond. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { QuotaLedger } from '../../../../src/api/access/quota-ledger.ts'
import { countAdmitted, fakeQuotaStore, MONTH } from '../../../support/quota-store.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('requests reserved ahead', () => {
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

  it('let a busy key continue without waiting', async () => {
    const { ledger: open, stored } = fakeQuotaStore()
    const ledger = open()
    await second(ledger, 100, 100_000)
    expect(await second(ledger, 100, 100_000)).toBe(0)
    expect(await second(ledger, 100, 100_000)).toBe(0)
    expect(await ledger.used('a', MONTH)).toBe(300)
    expect(stored('a')).toBeLessThanOrEqual(300 + 100)
  })

  it('are one for a key that sends a request a second, which never waits', async () => {
    const { ledger: open, stored } = fakeQuotaStore()
    const ledger = open()
    await second(ledger, 1, 100_000)
    for (let i = 2; i <= 10; i++) {
      expect(await second(ledger, 1, 100_000)).toBe(0)
      expect(stored('a')).toBe(i + 1)
    }
  })

  it('are a hundredth of what is left at most, and none when little is left', async () => {
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

  it('are returned within two seconds once they are not needed, and no timer is left', async () => {
    const { ledger: open, stored } = fakeQuotaStore()
    const ledger = open()
    await second(ledger, 100, 100_000)
    expect(stored('a')).toBeGreaterThan(100)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(stored('a')).toBe(100)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('are charged after a crash, so that nothing is served twice', async () => {
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

describe('while the database does not answer', () => {
  it('a key with a quota is served as far as is known that it has requests left, and charged afterwards', async () => {
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

  it('what was used on credit while others used the rest is forgiven', async () => {
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

  it('the use of a key is not guessed', async () => {
    const { ledger: open, state } = fakeQuotaStore()
    const ledger = open()
    state.failing = true
    await expect(ledger.used('a', MONTH)).rejects.toThrow('no database')
    await expect(ledger.reserve('a', MONTH, 100)).rejects.toThrow('no database')
    state.failing = false
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await ledger.used('a', MONTH)).toBe(0)
  })

  it('a refund whose confirmation was lost is not repeated', async () => {
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
