import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type LimitsStore, openLimitsStore } from '../../src/api/access/limits-store.ts'
import { rateLimiter } from '../../src/api/access/rate-limiter.ts'
import { createLogger } from '../../src/platform/log.ts'
import { dataVersion, incrementDataVersion } from '../../src/store/data-version.ts'
import { connectDatabase } from '../../src/store/database.ts'
import { describeCounter } from '../support/counter-contract.ts'
import { databaseOfFile } from '../support/database.ts'
import { recordedLog } from '../support/recorded-log.ts'

/** A busy machine must not look like a failed store. */
const STORE_TIMEOUT_MS = 30_000
const silent = createLogger({ level: 'silent' })

const { sql } = (await databaseOfFile()).database
const ofDatabase = () => ({ sql, version: dataVersion(sql) })

let store: LimitsStore
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
  store = await openLimitsStore('postgres', { ...ofDatabase(), log: silent }, STORE_TIMEOUT_MS)
})
afterAll(async () => {
  await store[Symbol.asyncDispose]()
  vi.useRealTimers()
})

describeCounter('in PostgreSQL', {
  counter: () => store.counter,
  elapse: async (seconds) => void vi.advanceTimersByTime(seconds * 1000),
})

it('a rate-limit count also refreshes the data version', async () => {
  const { version } = ofDatabase()
  await using other = await openLimitsStore('postgres', { sql, version, log: silent }, STORE_TIMEOUT_MS)
  const before = await version.refresh()
  await incrementDataVersion(sql)
  expect(version.current()).toBe(before)
  await rateLimiter(other.counter).consume('a reader', 5)
  expect(version.current()).toBe(before + 1)
})

it('a refresh that ends after a later one does not lower the key version', async () => {
  const { version } = ofDatabase()
  await version.refresh()
  const { number } = version.keys()
  const [announcing, announced] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const announce = vi.fn(async () => {})
  await version.announceBy(announce)
  announce.mockImplementationOnce(() => {
    announcing.resolve()
    return announced.promise
  })
  await incrementDataVersion(sql)
  const early = version.refresh()
  await announcing.promise
  await sql`update key_version set version = version + 1`
  await version.refresh()
  announced.resolve()
  await early
  expect(version.keys().number).toBe(number + 1)
})

describe('limits in PostgreSQL', () => {
  it('are shared by processes', async () => {
    await using other = await openLimitsStore('postgres', { ...ofDatabase(), log: silent }, STORE_TIMEOUT_MS)
    const [here, there] = [rateLimiter(store.counter), rateLimiter(other.counter)]
    await here.consume('shared', 3)
    await there.consume('shared', 3)
    expect(await here.consume('shared', 3)).toMatchObject({ admitted: true, remaining: 0 })
    expect(await there.consume('shared', 3)).toMatchObject({ admitted: false })
  })

  it('count days and minutes separately', async () => {
    await rateLimiter(store.dayCounter).consume('both', 5)
    await rateLimiter(store.counter).consume('both', 5)
    expect(await rateLimiter(store.dayCounter).peek('both', 5)).toMatchObject({ remaining: 4, resetSeconds: 86_400 })
    expect(await rateLimiter(store.counter).peek('both', 5)).toMatchObject({ remaining: 4, resetSeconds: 60 })
  })

  it('delete expired windows', async () => {
    await sql`delete from rate_limits`
    await rateLimiter(store.counter).consume('brief', 5)
    await rateLimiter(store.dayCounter).consume('lasting', 5)
    vi.advanceTimersByTime(301_000)
    await expect.poll(() => sql`select client from rate_limits`).toEqual([{ client: '86400s:lasting' }])
  })

  it('apply in each process while the database is unreachable, which is logged once', async () => {
    const { log, lines, text } = recordedLog()
    await using nowhere = connectDatabase({ url: 'postgres://postgres:secret@127.0.0.1:1/energy', poolSize: 1 })
    await using alone = await openLimitsStore('postgres', { sql: nowhere.sql, version: dataVersion(nowhere.sql), log })
    const limiter = rateLimiter(alone.counter)
    const admitted = []
    for (let i = 0; i < 4; i++) admitted.push((await limiter.consume('a', 2)).admitted)
    expect(admitted).toEqual([true, true, false, false])
    await limiter.refund('a', 'any')
    expect(lines()).toMatchObject([{ level: 'warn', event: 'limits_store_lost', store: 'postgres', windowSeconds: 60 }])
    expect(text()).not.toContain('secret')
  })
})

it('limits in memory apply to one process only', async () => {
  await using one = await openLimitsStore('memory', { ...ofDatabase(), log: silent })
  await using other = await openLimitsStore('memory', { ...ofDatabase(), log: silent })
  await rateLimiter(one.counter).consume('a', 5)
  expect(await rateLimiter(other.counter).peek('a', 5)).toMatchObject({ remaining: 5 })
})
