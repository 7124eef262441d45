/** A usage store that tests can break and slow down, and ledgers on it. */
import { expect } from 'vitest'
import { QuotaLedger } from '../../src/api/access/quota-ledger.ts'
import type { UsageChange } from '../../src/store/usage.ts'

export const MONTH = '2026-11-01'
/** Above the number of calls of any test. It stops an endless loop, in which the test's timers would never run. */
const CHANGES_MAX = 10_000

/** Totals as the database stores them, shared by any number of ledgers; tests can break it and slow it down. */
export function fakeQuotaStore() {
  const totals = new Map<string, number>()
  const state = { failing: false, losingAnswers: false, changes: 0, rows: 0, gate: Promise.resolve() }
  const change = async (changes: UsageChange[]) => {
    state.changes += 1
    state.rows += changes.length
    if (state.changes > CHANGES_MAX) throw new Error('the store is asked again and again')
    if (state.failing) throw new Error('no database')
    const answer = changes.map(({ keyId, month, requests, quota = Number.POSITIVE_INFINITY }) => {
      const before = totals.get(`${keyId} ${month}`) ?? 0
      const total = requests > 0 ? Math.max(before, Math.min(before + requests, quota)) : Math.max(0, before + requests)
      totals.set(`${keyId} ${month}`, total)
      return { keyId, month, granted: total - before, total }
    })
    await state.gate
    if (state.losingAnswers) throw new Error('connection closed')
    return answer
  }
  const errors: unknown[] = []
  const ledger = () => new QuotaLedger({ recordReached: async () => {}, change }, (err) => errors.push(err))
  const set = (keyId: string, total: number) => totals.set(`${keyId} ${MONTH}`, total)
  return {
    state,
    errors,
    ledger,
    set,
    stored: (keyId: string, month = MONTH) => totals.get(`${keyId} ${month}`),
  }
}

/** Returns how many of `times` concurrent requests are admitted. */
export async function countAdmitted(ledger: QuotaLedger, times: number, quota: number, keyId = 'a'): Promise<number> {
  const all = await Promise.all(Array.from({ length: times }, () => ledger.reserve(keyId, MONTH, quota)))
  return all.filter((one) => one.admitted).length
}

export async function countTimes(ledger: QuotaLedger, keyId: string, times: number, month = MONTH): Promise<void> {
  for (let i = 0; i < times; i++)
    expect(await ledger.reserve(keyId, month, undefined)).toMatchObject({ admitted: true })
}
