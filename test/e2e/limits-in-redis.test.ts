import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LimitsStore, openLimitsStore } from '../../src/api/access/limits-store.ts'
import { type RateLimiter, rateLimiter } from '../../src/api/access/rate-limiter.ts'
import { createLogger } from '../../src/platform/log.ts'
import type { Sql } from '../../src/store/database.ts'
import { describeCounter } from '../support/counter-contract.ts'
import { hasRedisServer, needsRedisServer, type RedisServer, startRedisServer } from '../support/redis-server.ts'

const PASSWORD = 'p@ss/word'
/** A busy machine must not look like a failed store. */
const STORE_TIMEOUT_MS = 30_000
/** The database is not used for counting here. */
const NO_SQL = undefined as unknown as Sql

/** The data version as a process sees it, and its notifications to other processes. */
function fakeDataVersion() {
  return {
    seen: 0,
    tell: async (_data: number) => {},
    advance(data: number) {
      this.seen = Math.max(this.seen, data)
    },
    async announceBy(tell: (data: number) => Promise<void>) {
      this.tell = tell
    },
  }
}

describe.skipIf(!hasRedisServer)(needsRedisServer('limits in Redis'), () => {
  const lines: Record<string, unknown>[] = []
  const log = createLogger({ level: 'info', destination: { write: (line) => lines.push(JSON.parse(line)) } })
  let server: RedisServer
  let store: LimitsStore
  let admin: Redis
  beforeAll(async () => {
    server = await startRedisServer(PASSWORD)
    store = await openLimitsStore(server.url, { sql: NO_SQL, version: fakeDataVersion(), log }, STORE_TIMEOUT_MS)
    admin = new Redis(server.url.href)
  })
  afterAll(async () => {
    admin.disconnect()
    await store[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  })

  describeCounter('in Redis', {
    counter: () => store.counter,
    // The server's clock cannot be changed, so every window is shortened.
    elapse: async (seconds) => {
      for (const key of await admin.keys('*')) {
        const leftMs = (await admin.pttl(key)) - seconds * 1000
        await (leftMs > 0 ? admin.pexpire(key, leftMs) : admin.del(key))
      }
    },
  })

  it('expire automatically', async () => {
    await rateLimiter(store.counter).consume('a', 5)
    await rateLimiter(store.dayCounter).consume('a', 5)
    const keys = await admin.keys('*:a')
    expect(keys.toSorted()).toEqual(['energy-prices:60s:a', 'energy-prices:86400s:a'])
    for (const key of await admin.keys('*')) expect(await admin.pttl(key)).toBeGreaterThan(0)
  })

  it('are shared by processes, under a valkey:// address too', async () => {
    await using other = await openLimitsStore(
      new URL(server.url.href.replace('redis', 'valkey')),
      { sql: NO_SQL, version: fakeDataVersion(), log },
      STORE_TIMEOUT_MS,
    )
    await rateLimiter(store.counter).consume('shared', 2)
    await rateLimiter(other.counter).consume('shared', 2)
    expect(await rateLimiter(store.counter).consume('shared', 2)).toMatchObject({ admitted: false })
  })

  it('propagate the newest data version between processes', async () => {
    const [here, there] = [fakeDataVersion(), fakeDataVersion()]
    const setting = server.url
    await using one = await openLimitsStore(setting, { sql: NO_SQL, version: here, log }, STORE_TIMEOUT_MS)
    await using other = await openLimitsStore(setting, { sql: NO_SQL, version: there, log }, STORE_TIMEOUT_MS)
    for (const number of [41, 7]) await here.tell(number)
    await rateLimiter(other.counter).consume('a reader', 5)
    expect(there.seen).toBe(41)
    await there.tell(43)
    await rateLimiter(one.counter).consume('another', 5)
    expect(here.seen).toBe(43)
  })

  it('apply per process while the server is down, and are shared again once it is back', async () => {
    lines.length = 0
    const limiter = rateLimiter(store.counter)
    await server.stop()
    const admitted = []
    for (let i = 0; i < 4; i++) admitted.push((await limiter.consume('b', 2)).admitted)
    expect(admitted).toEqual([true, true, false, false])
    expect(events(lines)).toEqual(['limits_store_lost'])

    await server.start()
    await expect.poll(() => sharedCount(limiter, admin)).toBeGreaterThan(0)
    expect(events(lines)).toEqual(['limits_store_lost', 'limits_store_back'])
  })

  it('apply per process if the server was never reachable; no password is logged', async () => {
    lines.length = 0
    await server.stop()
    await using alone = await openLimitsStore(
      server.url,
      { sql: NO_SQL, version: fakeDataVersion(), log },
      STORE_TIMEOUT_MS,
    )
    const limiter = rateLimiter(alone.counter)
    const admitted = []
    for (let i = 0; i < 4; i++) admitted.push((await limiter.consume('c', 2)).admitted)
    expect(admitted).toEqual([true, true, false, false])
    expect(events(lines)).toContain('limits_store_lost')
    expect(JSON.stringify(lines)).not.toMatch(/p@ss|p%40ss/)
  })
})

const events = (lines: Record<string, unknown>[]) => lines.map(({ event }) => event)

/** Consumes one request and returns the client's count on the server. */
async function sharedCount(limiter: RateLimiter, admin: Redis): Promise<number> {
  await limiter.consume('d', 100)
  return Number((await admin.hget('energy-prices:60s:d', 'used').catch(() => null)) ?? 0)
}
