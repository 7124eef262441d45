/**
 * What it costs to know who asks and what is left to him, with 100,000 keys in the database: a key seen before, a key seen for the
 * first time, and a flood of keys that are none.
 */

import { KeyCache } from '../../src/api/access/key-cache.ts'
import { MemoryCounter } from '../../src/api/access/memory-counter.ts'
import { QuotaLedger } from '../../src/api/access/quota-ledger.ts'
import { rateLimiter } from '../../src/api/access/rate-limiter.ts'
import { quotaPeriod } from '../../src/market/quota-period.ts'
import { findApiKeyByHash } from '../../src/store/api-keys.ts'
import { dataVersion } from '../../src/store/data-version.ts'
import type { Sql } from '../../src/store/database.ts'
import { changeUsage } from '../../src/store/usage.ts'
import { newApiKey } from '../support/api-keys.ts'
import { liveHeapBytes } from '../support/heap.ts'
import { type BenchRow, median, time } from './bench.ts'
import { scratchDatabase } from './scratch-database.ts'

const KEYS = 100_000
const KEYS_PER_INSERT = 10_000
/** As many of them are in use, and so many of those without a pause. */
const KEYS_SEEN = 5_000
const KEYS_BUSY = 50
const ROUNDS = 40
const REQUESTS_PER_ROUND = 500
const MALFORMED_KEYS = 1_000_000

export default async function keys(): Promise<BenchRow[]> {
  await using scratch = await scratchDatabase()
  const { sql } = scratch.database
  const seen = (await fill(sql)).slice(0, KEYS_SEEN)
  await using keyCache = await openKeyCache(sql)

  const coldMs = await time(KEYS_SEEN, () => keyCache.verify(seen[keyCache.reads()] ?? ''))
  const one = await requestMicroseconds(() => keyCache.verify(seen[0] ?? ''))
  const judged = await requestMicroseconds((i) => keyCache.verify(seen[i % KEYS_SEEN] ?? ''))
  const busy = await requestMicroseconds((i) => keyCache.admit(seen[i % KEYS_BUSY] ?? ''))
  const admitted = await requestMicroseconds((i) => keyCache.admit(seen[i % KEYS_SEEN] ?? ''))
  const flood = await floodOfMalformedKeys(keyCache)
  return [
    {
      name: 'identity and limits of a request with a busy key: median',
      measured: busy,
      unit: 'µs',
      bound: { atMost: 300 },
      details: `${KEYS} keys in the database, ${KEYS_BUSY} busy; the key check alone ${judged.toFixed(1)} µs`,
    },
    {
      name: 'the same with a key that comes now and then: median',
      measured: admitted / 1000,
      unit: 'ms',
      bound: { atMost: 10 },
      details: `${KEYS_SEEN} in use, one after the other: most reserve one request in the database`,
    },
    {
      name: `key check, ${KEYS_SEEN} keys in use against one`,
      measured: judged / one,
      unit: 'ratio',
      bound: { atMost: 3 },
      details: `${judged.toFixed(1)} µs against ${one.toFixed(1)} µs`,
    },
    {
      name: 'key seen for the first time: median',
      measured: median(coldMs),
      unit: 'ms',
      bound: { atMost: 10 },
      details: `one read of ${KEYS} keys by their hash`,
    },
    {
      name: 'a million malformed keys: reads of the database',
      measured: flood.reads,
      unit: 'reads',
      bound: { atMost: 0 },
      details: `${flood.microseconds.toFixed(1)} µs each`,
    },
    {
      name: 'a million malformed keys: memory kept',
      measured: flood.megabytes,
      unit: 'MB',
      bound: { atMost: 5 },
      details: 'live heap after against before',
    },
  ]
}

/** Stores the keys and returns their texts. */
async function fill(sql: Sql): Promise<string[]> {
  const texts: string[] = []
  while (texts.length < KEYS) {
    const batch = Array.from({ length: KEYS_PER_INSERT }, () => newApiKey())
    await sql`
      insert into api_keys (id, sha256, hint, plan, owner, created_at)
      select k.id, k.sha256, k.hint, 'Pro', 'benchmark', now()
      from unnest(
        ${batch.map(({ record }) => record.id)}::text[], ${batch.map(({ record }) => record.sha256)}::text[],
        ${batch.map(({ record }) => record.hint)}::text[]
      ) as k (id, sha256, hint)`
    texts.push(...batch.map(({ key }) => key))
  }
  await sql`analyze api_keys`
  return texts
}

/** Key cache, limiter and ledger as a service has them, its look-ups counted. */
async function openKeyCache(sql: Sql) {
  const now = Temporal.Now.instant()
  const version = dataVersion(sql)
  await version.refresh()
  let reads = 0
  const cache = new KeyCache({
    find: (sha256) => {
      reads += 1
      return findApiKeyByHash(sql, sha256)
    },
    // Nothing changes here, and nobody follows the version.
    version: () => ({ ...version.keys(), ageMs: 0 }),
    now: () => now,
  })
  const minutes = rateLimiter(new MemoryCounter())
  const quotas = new QuotaLedger({ change: (changes) => changeUsage(sql, changes) }, (err) => {
    throw err
  })
  const verify = (text: string) => cache.verify(text, async () => {})
  return {
    verify,
    reads: () => reads,
    /** The way of a request: who is it, is it within the minute, what has it used of the month; and counted. */
    async admit(text: string): Promise<void> {
      const verdict = await verify(text)
      if (!verdict.ok) throw new Error(`refused: ${verdict.reason}`)
      await minutes.consume(verdict.key.id, 1_000_000)
      const { month } = quotaPeriod(now)
      await quotas.reserve(verdict.key.id, month, 1_000_000_000)
    },
    [Symbol.asyncDispose]: () => quotas[Symbol.asyncDispose](),
  }
}

/** Median of the rounds, one request after the other, once every key has been seen. */
async function requestMicroseconds(request: (i: number) => Promise<unknown>): Promise<number> {
  let i = 0
  const round = async () => {
    for (let n = 0; n < REQUESTS_PER_ROUND; n++) await request(i++)
  }
  await time(Math.ceil(KEYS_SEEN / REQUESTS_PER_ROUND), round)
  return (median(await time(ROUNDS, round)) * 1000) / REQUESTS_PER_ROUND
}

async function floodOfMalformedKeys({ verify, reads }: Awaited<ReturnType<typeof openKeyCache>>) {
  const send = async () => {
    for (let i = 0; i < MALFORMED_KEYS; i++) await verify(`svc_live_${i.toString(36).padStart(32, '0')}`)
  }
  await verify('svc_live_')
  const [bytesBefore, readsBefore] = [liveHeapBytes(), reads()]
  const [durationMs = Number.NaN] = await time(1, send)
  return {
    reads: reads() - readsBefore,
    megabytes: (liveHeapBytes() - bytesBefore) / 1024 ** 2,
    microseconds: (durationMs * 1000) / MALFORMED_KEYS,
  }
}
