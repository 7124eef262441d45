import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type MonthlyUse, QuotaLedger } from '../../../../src/api/access/quota-ledger.ts'
import { quotaPeriod } from '../../../../src/market/quota-period.ts'

const MONTH = '2026-11-01'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Totals as a database would keep them, shared by any number of ledgers; the test breaks it and slows it down. */
function storeOfTotals() {
  const totals = new Map<string, number>()
  const state = { failing: false, reads: 0, writes: 0, gate: Promise.resolve() }
  const add = async (uses: MonthlyUse[]) => {
    state.writes += 1
    await state.gate
    if (state.failing) throw new Error('no database')
    return uses.map(({ keyId, month, requests }) => {
      const total = (totals.get(`${keyId} ${month}`) ?? 0) + requests
      totals.set(`${keyId} ${month}`, total)
      return { keyId, month, requests: total }
    })
  }
  const read = async (keyId: string, month: string) => {
    state.reads += 1
    if (state.failing) throw new Error('no database')
    return totals.get(`${keyId} ${month}`) ?? 0
  }
  const errors: unknown[] = []
  const ledger = (store = { add, read }) => new QuotaLedger(store, (err) => errors.push(err))
  return { state, errors, add, read, ledger, stored: (keyId: string, month = MONTH) => totals.get(`${keyId} ${month}`) }
}

function countTimes(ledger: QuotaLedger, keyId: string, times: number, month = MONTH): void {
  for (let i = 0; i < times; i++) ledger.count(keyId, month)
}

describe('the quota ledger', () => {
  it('counts at once, and writes within a second', async () => {
    const { ledger: open, stored } = storeOfTotals()
    const ledger = open()
    countTimes(ledger, 'a', 3)
    expect(await ledger.used('a', MONTH)).toBe(3)
    await vi.advanceTimersByTimeAsync(999)
    expect(stored('a')).toBeUndefined()
    await vi.advanceTimersByTimeAsync(1)
    expect(stored('a')).toBe(3)
    expect(await ledger.used('a', MONTH)).toBe(3)
  })

  it('writes once a second however many requests there are, and not at all when there are none', async () => {
    const { ledger: open, state } = storeOfTotals()
    const ledger = open()
    for (let tenth = 0; tenth < 50; tenth++) {
      countTimes(ledger, `key ${tenth % 7}`, 100)
      await vi.advanceTimersByTimeAsync(100)
    }
    expect(state.writes).toBe(5)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(state.writes).toBe(5)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('starts from what the database says', async () => {
    const { ledger: open, add } = storeOfTotals()
    await add([{ keyId: 'a', month: MONTH, requests: 9_990 }])
    const ledger = open()
    ledger.count('a', MONTH)
    expect(await ledger.used('a', MONTH)).toBe(9_991)
  })

  it('keeps keys and months apart', async () => {
    const { ledger: open } = storeOfTotals()
    const ledger = open()
    countTimes(ledger, 'a', 2)
    countTimes(ledger, 'b', 5)
    countTimes(ledger, 'a', 1, '2026-12-01')
    await ledger.write()
    expect(await ledger.used('a', MONTH)).toBe(2)
    expect(await ledger.used('b', MONTH)).toBe(5)
    expect(await ledger.used('a', '2026-12-01')).toBe(1)
  })

  it('reads once for many requests at a time, and not at all for a key that keeps counting', async () => {
    const { ledger: open, state } = storeOfTotals()
    const ledger = open()
    await Promise.all(Array.from({ length: 100 }, () => ledger.used('a', MONTH)))
    expect(state.reads).toBe(1)
    for (let second = 0; second < 10; second++) {
      ledger.count('a', MONTH)
      expect(await ledger.used('a', MONTH)).toBe(second + 1)
      await vi.advanceTimersByTimeAsync(1_000)
    }
    expect(state.reads).toBe(1)
  })
})

describe('several processes on one database', () => {
  it('learn of each other with every write', async () => {
    const { ledger: open } = storeOfTotals()
    const [one, other] = [open(), open()]
    countTimes(one, 'a', 10)
    countTimes(other, 'a', 5)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await one.used('a', MONTH)).toBe(10)
    expect(await other.used('a', MONTH)).toBe(15)
    one.count('a', MONTH)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await one.used('a', MONTH)).toBe(16)
  })

  it('learn of each other within two seconds where only one of them is used', async () => {
    const { ledger: open } = storeOfTotals()
    const [busy, idle] = [open(), open()]
    expect(await idle.used('a', MONTH)).toBe(0)
    countTimes(busy, 'a', 7)
    await busy.write()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await idle.used('a', MONTH)).toBe(7)
  })

  it('add up to the requests there were', async () => {
    const { ledger: open, stored } = storeOfTotals()
    const ledgers = Array.from({ length: 5 }, () => open())
    for (let i = 0; i < 1_000; i++) {
      ledgers[i % 5]?.count('a', MONTH)
      if (i % 50 === 0) await vi.advanceTimersByTimeAsync(130)
    }
    await Promise.all(ledgers.map((ledger) => ledger.write()))
    expect(stored('a')).toBe(1_000)
  })
})

describe('while the database does not answer, the quota ledger', () => {
  it('keeps what it could not write, goes on counting and tries every second', async () => {
    const { ledger: open, state, errors, stored } = storeOfTotals()
    const ledger = open()
    await ledger.used('a', MONTH)
    state.failing = true
    countTimes(ledger, 'a', 3)
    await vi.advanceTimersByTimeAsync(1_000)
    countTimes(ledger, 'a', 4)
    await vi.advanceTimersByTimeAsync(3_000)
    expect(errors).toHaveLength(4)
    expect(stored('a')).toBeUndefined()
    state.failing = false
    expect(await ledger.used('a', MONTH)).toBe(7)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(stored('a')).toBe(7)
    expect(await ledger.used('a', MONTH)).toBe(7)
  })

  it('does not guess what a key it has not seen has used', async () => {
    const { ledger: open, state } = storeOfTotals()
    const ledger = open()
    state.failing = true
    await expect(ledger.used('a', MONTH)).rejects.toThrow('no database')
    state.failing = false
    expect(await ledger.used('a', MONTH)).toBe(0)
  })
})

describe('during a write, the quota ledger', () => {
  it('counts what is being written once, before and after, with a read at the same time', async () => {
    const { ledger: open, state, read, add, stored } = storeOfTotals()
    const { promise: opened, resolve: openGate } = Promise.withResolvers<void>()
    const { promise: answered, resolve: answerRead } = Promise.withResolvers<void>()
    state.gate = opened
    const ledger = open({
      add,
      read: async (keyId, month) => {
        const before = await read(keyId, month)
        await answered
        return before
      },
    })
    countTimes(ledger, 'a', 5)
    const writing = ledger.write()
    const used = ledger.used('a', MONTH)
    ledger.count('a', MONTH)
    answerRead()
    openGate()
    expect(await used).toBe(6)
    await writing
    expect(await ledger.used('a', MONTH)).toBe(6)
    await ledger.write()
    expect(stored('a')).toBe(6)
    expect(await ledger.used('a', MONTH)).toBe(6)
  })

  it('does not count twice what a read already contains', async () => {
    const { ledger: open, add, stored } = storeOfTotals()
    const { promise: opened, resolve: openGate } = Promise.withResolvers<void>()
    const ledger = open({
      // The database has it, the ledger has not heard of it yet.
      add: async (uses) => {
        const totals = await add(uses)
        await opened
        return totals
      },
      read: async (keyId) => stored(keyId) ?? 0,
    })
    countTimes(ledger, 'a', 5)
    const writing = ledger.write()
    await vi.waitFor(() => expect(stored('a')).toBe(5))
    const used = ledger.used('a', MONTH)
    openGate()
    expect(await used).toBe(5)
    await writing
    expect(await ledger.used('a', MONTH)).toBe(5)
  })

  it('puts what comes meanwhile into the next one', async () => {
    const { ledger: open, state, stored } = storeOfTotals()
    const { promise: opened, resolve: openGate } = Promise.withResolvers<void>()
    state.gate = opened
    const ledger = open()
    countTimes(ledger, 'a', 5)
    const first = ledger.write()
    await vi.advanceTimersByTimeAsync(0)
    countTimes(ledger, 'a', 2)
    const second = ledger.write()
    openGate()
    await Promise.all([first, second])
    expect(stored('a')).toBe(7)
    expect(state.writes).toBe(2)
  })
})

describe('at the end, the quota ledger', () => {
  it('has written everything, and leaves no timer behind', async () => {
    const { ledger: open, stored } = storeOfTotals()
    {
      await using ledger = open()
      countTimes(ledger, 'a', 12)
    }
    expect(stored('a')).toBe(12)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('reports what it could not write, and does not try for ever', async () => {
    const { ledger: open, state, errors } = storeOfTotals()
    state.failing = true
    {
      await using ledger = open()
      countTimes(ledger, 'a', 12)
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
