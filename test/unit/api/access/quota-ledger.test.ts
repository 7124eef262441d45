import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { QuotaLedger, type QuotaStore } from '../../../../src/api/access/quota-ledger.ts'
import { quotaPeriod } from '../../../../src/market/quota-period.ts'
import type { UsageChange } from '../../../../src/store/usage.ts'

const MONTH = '2026-11-01'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Totals as the database keeps them, shared by any number of ledgers; the test breaks it and slows it down. */
function storeOfTotals() {
  const totals = new Map<string, number>()
  const state = { failing: false, losingAnswers: false, changes: 0, rows: 0, gate: Promise.resolve() }
  const change = async (changes: UsageChange[]) => {
    state.changes += 1
    state.rows += changes.length
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
  const ledger = (store: QuotaStore = { change }) => new QuotaLedger(store, (err) => errors.push(err))
  const set = (keyId: string, total: number) => totals.set(`${keyId} ${MONTH}`, total)
  return {
    state,
    errors,
    change,
    ledger,
    set,
    stored: (keyId: string, month = MONTH) => totals.get(`${keyId} ${month}`),
  }
}

/** How many of so many requests at once are admitted. */
async function admitted(ledger: QuotaLedger, times: number, quota: number, keyId = 'a'): Promise<number> {
  const all = await Promise.all(Array.from({ length: times }, () => ledger.reserve(keyId, MONTH, quota)))
  return all.filter((one) => one.admitted).length
}

async function countTimes(ledger: QuotaLedger, keyId: string, times: number, month = MONTH): Promise<void> {
  for (let i = 0; i < times; i++)
    expect(await ledger.reserve(keyId, month, undefined)).toMatchObject({ admitted: true })
}

describe('a quota', () => {
  it('is exact for many requests at once', async () => {
    const { ledger: open, stored } = storeOfTotals()
    const ledger = open()
    expect(await admitted(ledger, 100, 5)).toBe(5)
    expect(await ledger.reserve('a', MONTH, 5)).toEqual({ admitted: false, used: 5 })
    expect(stored('a')).toBe(5)
  })

  it('is exact for many requests at once in several processes', async () => {
    const { ledger: open } = storeOfTotals()
    const counts = await Promise.all(Array.from({ length: 4 }, () => admitted(open(), 100, 130)))
    expect(counts.reduce((sum, count) => sum + count)).toBe(130)
  })

  it('is exact for processes that send at their own pace until it is used up', async () => {
    const { ledger: open, stored } = storeOfTotals()
    const ledgers = [open(), open(), open()]
    let served = 0
    for (let i = 0; i < 400; i++) {
      served += await admitted(ledgers[(i * i) % 3] as QuotaLedger, 1 + ((i * 7) % 11), 1_000)
      if (i % 9 === 0) await vi.advanceTimersByTimeAsync(170)
    }
    expect(served).toBe(1_000)
    expect(stored('a')).toBe(1_000)
  })

  it('says what is used with each request', async () => {
    const { ledger: open, set } = storeOfTotals()
    set('a', 9_990)
    const ledger = open()
    const used = []
    for (let i = 0; i < 11; i++) used.push((await ledger.reserve('a', MONTH, 10_000)).used)
    expect(used).toEqual([9_991, 9_992, 9_993, 9_994, 9_995, 9_996, 9_997, 9_998, 9_999, 10_000, 10_000])
  })

  it('has room again for refunds at once', async () => {
    const { ledger: open, state } = storeOfTotals()
    const ledger = open()
    expect(await admitted(ledger, 6, 5)).toBe(5)
    ledger.refund('a', MONTH)
    const { changes } = state
    expect(await admitted(ledger, 2, 5)).toBe(1)
    expect(state.changes).toBe(changes)
  })

  it('has room in another process for refunds here, within two seconds', async () => {
    const { ledger: open } = storeOfTotals()
    const [one, other] = [open(), open()]
    expect(await admitted(one, 5, 5)).toBe(5)
    expect(await admitted(other, 1, 5)).toBe(0)
    one.refund('a', MONTH)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await admitted(other, 2, 5)).toBe(1)
  })

  it('does not ask the database again and again for a key that has used it up', async () => {
    const { ledger: open, state, set } = storeOfTotals()
    set('a', 5)
    const ledger = open()
    for (let tenth = 0; tenth < 20; tenth++) {
      expect(await admitted(ledger, 50, 5)).toBe(0)
      await vi.advanceTimersByTimeAsync(100)
    }
    expect(state.changes).toBeLessThan(6)
  })

  it('is never cut below what is used where it was lowered', async () => {
    const { ledger: open, set, stored } = storeOfTotals()
    set('a', 500)
    expect(await admitted(open(), 3, 100)).toBe(0)
    expect(stored('a')).toBe(500)
  })

  it('keeps keys and months apart', async () => {
    const { ledger: open } = storeOfTotals()
    const ledger = open()
    expect(await admitted(ledger, 5, 2)).toBe(2)
    expect(await admitted(ledger, 5, 3, 'b')).toBe(3)
    expect(await ledger.reserve('a', '2026-12-01', 2)).toEqual({ admitted: true, used: 1 })
  })
})

describe('requests reserved ahead', () => {
  /** A second of requests, one after the other; how many of them had to wait for the database. */
  async function second(ledger: QuotaLedger, count: number, quota: number): Promise<number> {
    let waited = 0
    for (let i = 0; i < count; i++) {
      let isOver = false
      const reserving = ledger.reserve('a', MONTH, quota).then(() => {
        isOver = true
      })
      await null // as many turns as an answer without the database needs
      await null
      if (!isOver) waited += 1
      await reserving
      await vi.advanceTimersByTimeAsync(1_000 / count)
    }
    return waited
  }

  it('let a busy key continue without waiting', async () => {
    const { ledger: open, stored } = storeOfTotals()
    const ledger = open()
    await second(ledger, 100, 100_000)
    expect(await second(ledger, 100, 100_000)).toBe(0)
    expect(await second(ledger, 100, 100_000)).toBe(0)
    expect(await ledger.used('a', MONTH)).toBe(300)
    expect(stored('a')).toBeLessThanOrEqual(300 + 100)
  })

  it('are one for a key that sends a request a second, which never waits', async () => {
    const { ledger: open, stored } = storeOfTotals()
    const ledger = open()
    await second(ledger, 1, 100_000)
    for (let i = 2; i <= 10; i++) {
      expect(await second(ledger, 1, 100_000)).toBe(0)
      expect(stored('a')).toBe(i + 1)
    }
  })

  it('are a hundredth of what is left at most, and none when little is left', async () => {
    const { ledger: open, set, stored } = storeOfTotals()
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
    const { ledger: open, stored } = storeOfTotals()
    const ledger = open()
    await second(ledger, 100, 100_000)
    expect(stored('a')).toBeGreaterThan(100)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(stored('a')).toBe(100)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('are charged after a crash, so that nothing is served twice', async () => {
    const { ledger: open } = storeOfTotals()
    let served = 0
    for (let crash = 0; crash < 20; crash++) {
      const ledger = open()
      for (let i = 0; i < 100; i++) served += await admitted(ledger, 1, 1_000)
      // Nobody stops it: it is simply no longer there.
    }
    expect(served).toBeLessThanOrEqual(1_000)
    expect(served).toBeGreaterThan(900)
  })
})

describe('a key without a quota', () => {
  it('is counted at once, and written within a second', async () => {
    const { ledger: open, stored } = storeOfTotals()
    const ledger = open()
    await countTimes(ledger, 'a', 3)
    await vi.advanceTimersByTimeAsync(999)
    expect(stored('a')).toBeUndefined()
    await vi.advanceTimersByTimeAsync(1)
    expect(stored('a')).toBe(3)
    expect(await ledger.used('a', MONTH)).toBe(3)
  })

  it('is written once a second however many requests there are, and not at all when there are none', async () => {
    const { ledger: open, state } = storeOfTotals()
    const ledger = open()
    for (let tenth = 0; tenth < 50; tenth++) {
      await countTimes(ledger, `key ${tenth % 7}`, 100)
      await vi.advanceTimersByTimeAsync(100)
    }
    expect(state.changes).toBe(5)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(state.changes).toBe(5)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is served while the database does not answer, and written when it does', async () => {
    const { ledger: open, state, errors, stored } = storeOfTotals()
    const ledger = open()
    state.failing = true
    await countTimes(ledger, 'a', 3)
    await vi.advanceTimersByTimeAsync(1_000)
    await countTimes(ledger, 'a', 4)
    await vi.advanceTimersByTimeAsync(3_000)
    expect(errors).toHaveLength(4)
    state.failing = false
    await vi.advanceTimersByTimeAsync(1_000)
    expect(stored('a')).toBe(7)
    expect(await ledger.used('a', MONTH)).toBe(7)
  })

  it('gets back what did not count, written or not', async () => {
    const { ledger: open, stored } = storeOfTotals()
    const ledger = open()
    await countTimes(ledger, 'a', 3)
    ledger.refund('a', MONTH)
    await ledger.settle()
    expect(stored('a')).toBe(2)
    ledger.refund('a', MONTH)
    await ledger.settle()
    expect(stored('a')).toBe(1)
  })

  it('adds up to the requests there were, in several processes', async () => {
    const { ledger: open, stored } = storeOfTotals()
    const ledgers = Array.from({ length: 5 }, () => open())
    for (let i = 0; i < 1_000; i++) {
      await ledgers[i % 5]?.reserve('a', MONTH, undefined)
      if (i % 50 === 0) await vi.advanceTimersByTimeAsync(130)
    }
    await Promise.all(ledgers.map((ledger) => ledger.settle()))
    expect(stored('a')).toBe(1_000)
  })

  it('is counted once while it is being written', async () => {
    const { ledger: open, state, stored } = storeOfTotals()
    const { promise: opened, resolve: openGate } = Promise.withResolvers<void>()
    state.gate = opened
    const ledger = open()
    await countTimes(ledger, 'a', 5)
    const first = ledger.settle()
    await vi.advanceTimersByTimeAsync(0)
    await countTimes(ledger, 'a', 2)
    const second = ledger.settle()
    openGate()
    await Promise.all([first, second])
    expect(stored('a')).toBe(7)
    expect(await ledger.used('a', MONTH)).toBe(7)
    expect(state.changes).toBe(2)
  })
})

describe('what is used', () => {
  it('is read once for many requests at a time', async () => {
    const { ledger: open, state, set } = storeOfTotals()
    set('a', 7)
    const ledger = open()
    const used = await Promise.all(Array.from({ length: 100 }, () => ledger.used('a', MONTH)))
    expect(new Set(used)).toEqual(new Set([7]))
    expect(state.changes).toBe(1)
  })

  it('is known of other processes within two seconds', async () => {
    const { ledger: open } = storeOfTotals()
    const [busy, idle] = [open(), open()]
    expect(await idle.used('a', MONTH)).toBe(0)
    await countTimes(busy, 'a', 7)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await idle.used('a', MONTH)).toBe(7)
  })

  it('asks together for keys that come while the database is busy', async () => {
    const { ledger: open, state } = storeOfTotals()
    const ledger = open()
    await Promise.all(Array.from({ length: 500 }, (_, i) => ledger.reserve(`key ${i}`, MONTH, 100)))
    expect(state.changes).toBe(1)
    expect(state.rows).toBe(500)
  })
})

describe('while the database does not answer', () => {
  it('a key with a quota is served as far as is known that it has requests left, and charged afterwards', async () => {
    const { ledger: open, state, errors, set, stored } = storeOfTotals()
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
    const { ledger: open, state, stored } = storeOfTotals()
    const [one, other] = [open(), open()]
    for (let i = 0; i < 10; i++) await one.reserve('a', MONTH, 20)
    state.failing = true
    for (let i = 0; i < 8; i++) await one.reserve('a', MONTH, 20)
    state.failing = false
    expect(await admitted(other, 20, 20)).toBe(10)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(stored('a')).toBe(20)
    expect(vi.getTimerCount()).toBe(0)
    expect(await one.used('a', MONTH)).toBe(20)
  })

  it('the use of a key is not guessed', async () => {
    const { ledger: open, state } = storeOfTotals()
    const ledger = open()
    state.failing = true
    await expect(ledger.used('a', MONTH)).rejects.toThrow('no database')
    await expect(ledger.reserve('a', MONTH, 100)).rejects.toThrow('no database')
    state.failing = false
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await ledger.used('a', MONTH)).toBe(0)
  })

  it('a refund whose confirmation was lost is not repeated', async () => {
    const { ledger: open, state, stored } = storeOfTotals()
    const ledger = open()
    expect(await admitted(ledger, 5, 50)).toBe(5)
    ledger.refund('a', MONTH)
    state.losingAnswers = true
    await vi.advanceTimersByTimeAsync(1_000)
    state.losingAnswers = false
    await vi.advanceTimersByTimeAsync(5_000)
    expect(stored('a')).toBe(4)
  })
})

describe('at the end, the quota ledger', () => {
  it('has written everything, returned what it had reserved ahead, and leaves no timer', async () => {
    const { ledger: open, stored } = storeOfTotals()
    {
      await using ledger = open()
      await countTimes(ledger, 'a', 12)
      for (let i = 0; i < 64; i++) await ledger.reserve('b', MONTH, 100_000)
    }
    expect([stored('a'), stored('b')]).toEqual([12, 64])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('reports what it could not write, and does not try for ever', async () => {
    const { ledger: open, state, errors } = storeOfTotals()
    state.failing = true
    {
      await using ledger = open()
      await countTimes(ledger, 'a', 12)
    }
    expect(errors).toHaveLength(1)
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('a quota period', () => {
  it.each([
    ['in winter', '2026-12-31T22:59:59.999Z', '2026-12-01', '2026-12-31T23:00:00Z'],
    ['in winter, a moment later', '2026-12-31T23:00:00Z', '2027-01-01', '2027-01-31T23:00:00Z'],
    ['in summer', '2026-07-31T21:59:59Z', '2026-07-01', '2026-07-31T22:00:00Z'],
    ['in summer, a second later', '2026-07-31T22:00:00Z', '2026-08-01', '2026-08-31T22:00:00Z'],
    ['of March, over the change of clocks', '2026-03-15T12:00:00Z', '2026-03-01', '2026-03-31T22:00:00Z'],
    ['of October, over the change of clocks', '2026-10-15T12:00:00Z', '2026-10-01', '2026-10-31T23:00:00Z'],
    ['that ends on the day of the change, 31 March', '2024-03-31T21:59:59Z', '2024-03-01', '2024-03-31T22:00:00Z'],
    ['after the hour that does not exist', '2024-03-31T01:00:00Z', '2024-03-01', '2024-03-31T22:00:00Z'],
    ['that ends on the day of the change, 31 October', '2027-10-31T22:59:59Z', '2027-10-01', '2027-10-31T23:00:00Z'],
    ['in the hour that comes twice', '2027-10-31T00:30:00Z', '2027-10-01', '2027-10-31T23:00:00Z'],
    ['in the same hour for the second time', '2027-10-31T01:30:00Z', '2027-10-01', '2027-10-31T23:00:00Z'],
    ['of a leap year', '2028-02-29T22:59:59Z', '2028-02-01', '2028-02-29T23:00:00Z'],
  ])('%s', (_name, now, month, endsAt) => {
    const period = quotaPeriod(Temporal.Instant.from(now))
    expect(period).toMatchObject({ month })
    expect(period.endsAt.toString()).toBe(endsAt)
    expect(quotaPeriod(period.endsAt).startsAt).toEqual(period.endsAt)
    expect(quotaPeriod(period.startsAt).month).toBe(month)
  })
})
