/** Warm responses compared with bare servers, and the cost of key checks and limits. */
import { execFile } from 'node:child_process'
import { createServer, type RequestListener } from 'node:http'
import { promisify } from 'node:util'
import autocannon from 'autocannon'
import express from 'express'
import { KeyCache } from '../../src/api/access/key-cache.ts'
import { MemoryCounter } from '../../src/api/access/memory-counter.ts'
import { QuotaLedger } from '../../src/api/access/quota-ledger.ts'
import { rateLimiter } from '../../src/api/access/rate-limiter.ts'
import { quotaPeriod } from '../../src/market/quota-period.ts'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import { findApiKeyByHash } from '../../src/store/api-keys.ts'
import { dataVersion } from '../../src/store/data-version.ts'
import type { Sql } from '../../src/store/database.ts'
import { changeUsage } from '../../src/store/usage.ts'
import { newApiKey } from '../support/api-keys.ts'
import { liveHeapBytes } from '../support/heap.ts'
import { listenLocally } from '../support/local-server.ts'
import { storePrices } from '../support/prices.ts'
import { SITE_NOW, seedSite } from '../support/site.ts'
import { rawRequest } from '../support/stub-service.ts'
import { atLeast, atMost, type BenchRow, median, time, timeOnce } from './bench.ts'
import { scratchDatabase, serve } from './scratch.ts'

const SERIES = '/v1/prices/pun/series'

/**
 * Warm responses with everything that the service adds: request id, access log, key check, limits, quota, strict parameters, security
 * headers, ETag; on a real database, with the server configured as in production.
 */
export async function warmAnswers(): Promise<BenchRow[]> {
  await using scratch = await scratchDatabase()
  const { sql } = scratch.database
  await seedSite({ sql, seed: (items, options) => storePrices(sql, items, options) })
  await refreshAggregates(sql)
  await using service = await serve(scratch, SITE_NOW)
  const { headers } = service
  const url = (path: string) => service.baseUrl.origin + path
  const open = { ofExpress: 1.5, ofNode: 0.75 }
  const keyed = { ofExpress: 1.2, ofNode: 0.6, headers }
  const rows: BenchRow[] = []
  for (const measured of [
    { name: '/v1/today', url: url('/v1/today'), ...open },
    { name: '/v1/pun/today', url: url('/v1/pun/today'), ...open },
    { name: 'series with a key', url: url(SERIES), ...keyed },
    { name: '304 of /v1/today', url: url('/v1/today'), ...open, isUnchanged: true },
    { name: '304 of a series with a key', url: url(SERIES), ...keyed, isUnchanged: true },
    { name: 'home page', url: url('/en/'), ofExpress: 1.2, ofNode: 0.6 },
  ])
    rows.push(...(await compareWithBareRoute(measured)))
  return rows
}

const CONNECTIONS = 50
const ROUNDS = 3
const ROUND_SECONDS = 1
/** The tail must be as short as that of bare Node, within the variation between rounds. */
const P99_OF_NODE = 1.2
const run = promisify(execFile)

export interface Measured {
  name: string
  url: string
  headers?: Record<string, string>
  /** Sends If-None-Match, so that the response is a 304. */
  isUnchanged?: boolean
  /** Minimum throughput relative to Express and Node. */
  ofExpress: number
  ofNode: number
}

interface Load {
  perSecond: number
  p99Ms: number
}

interface Cost extends Load {
  /** CPU time per request on the thread that all servers share; almost independent of other load on the machine. */
  processorUs: number
}

interface Target {
  url: string
  headers: Record<string, string>
}

/**
 * Compares the service with a bare Express route and with bare `node:http`. All send the same bytes, `node:http` also the same headers.
 * All run in this process; another process generates the load (`wrk`, or else autocannon). Rounds alternate, so that disturbances
 * affect all alike.
 */
export async function compareWithBareRoute({ name, url, headers = {}, ...settings }: Measured): Promise<BenchRow[]> {
  const fullResponse = await fetchOnce({ url, headers })
  if (fullResponse.status !== 200) throw new Error(`${url} answered ${fullResponse.status}: ${fullResponse.body}`)
  const body = fullResponse.body.toString()
  const ours = settings.isUnchanged ? conditionalRequest({ url, headers }, fullResponse.etag) : { url, headers }
  const { status, ownHeaders } = await fetchOnce(ours)

  await using app = await listenLocally(createServer(bareExpress(body)))
  const bareNode: RequestListener = (_req, res) =>
    void res.writeHead(status, ownHeaders).end(status === 304 ? '' : body)
  await using node = await listenLocally(createServer(bareNode))
  const plain = { url: `${app.baseUrl}/x`, headers }
  const sides = {
    ours,
    express: settings.isUnchanged ? conditionalRequest(plain, (await fetchOnce(plain)).etag) : plain,
    node: { url: `${node.baseUrl}/x`, headers: ours.headers },
  }
  for (const side of Object.values(sides)) await load(side)
  const rounds: Record<keyof typeof sides, Cost>[] = []
  for (let i = 0; i < ROUNDS; i++)
    rounds.push({ ours: await load(sides.ours), express: await load(sides.express), node: await load(sides.node) })
  return rowsOf(name, settings, rounds)
}

async function fetchOnce({ url, headers }: Target) {
  const { origin, pathname, search } = new URL(url)
  const answer = await rawRequest(origin, pathname + search, { headers })
  const { date: _date, connection: _connection, 'keep-alive': _keepAlive, ...own } = answer.headers
  return { ...answer, etag: answer.headers.etag, ownHeaders: Object.entries(own).flat() as string[] }
}

function conditionalRequest(side: Target, etag: string | undefined): Target {
  if (etag === undefined) throw new Error(`${side.url} has no entity tag`)
  return { ...side, headers: { ...side.headers, 'If-None-Match': etag } }
}

function bareExpress(body: string): RequestListener {
  const app = express()
  app.get('/x', (_req, res) => {
    res.type('json').send(body)
  })
  return app
}

const hasWrk = await run('wrk', ['-v']).then(
  () => true,
  (err: { code?: unknown }) => err.code !== 'ENOENT', // `wrk -v` exits with a status of its own
)

/** wrk needs less CPU than the servers it measures; autocannon does not, which brings all ratios closer to 1. */
async function load(side: Target): Promise<Cost> {
  const before = process.threadCpuUsage()
  const measured = await (hasWrk ? loadByWrk(side) : loadByAutocannon(side))
  const { user, system } = process.threadCpuUsage(before)
  return { ...measured, processorUs: (user + system) / (measured.perSecond * ROUND_SECONDS) }
}

async function loadByWrk({ url, headers }: Target): Promise<Load> {
  const sent = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const { stdout } = await run('wrk', ['-t1', `-c${CONNECTIONS}`, `-d${ROUND_SECONDS}s`, '--latency', ...sent, url])
  const perSecond = /Requests\/sec: +([\d.]+)/.exec(stdout)?.[1]
  const [, p99, unit] = /\n +99% +([\d.]+)(us|ms|s)\n/.exec(stdout) ?? []
  if (/Non-2xx|Socket errors/.test(stdout) || perSecond === undefined || p99 === undefined)
    throw new Error(`${url}: ${stdout}`)
  return { perSecond: Number(perSecond), p99Ms: Number(p99) * { us: 0.001, ms: 1, s: 1000 }[unit as 'us' | 'ms' | 's'] }
}

async function loadByAutocannon({ url, headers }: Target): Promise<Load> {
  const result = await autocannon({ url, headers, connections: CONNECTIONS, duration: ROUND_SECONDS, workers: 1 })
  if (result['4xx'] > 0 || result['5xx'] > 0 || result.errors > 0) throw new Error(`${url}: refusals or errors`)
  return { perSecond: result.requests.average, p99Ms: result.latency.p99 }
}

function rowsOf(
  name: string,
  { ofExpress, ofNode }: Pick<Measured, 'ofExpress' | 'ofNode'>,
  rounds: Record<'ours' | 'express' | 'node', Cost>[],
): BenchRow[] {
  const rate = (side: 'ours' | 'express' | 'node') => Math.round(median(rounds.map((one) => one[side].perSecond)))
  const p99 = (side: 'ours' | 'express' | 'node') => median(rounds.map((one) => one[side].p99Ms)).toFixed(1)
  const cost = (side: 'ours' | 'express' | 'node') => median(rounds.map((one) => one[side].processorUs)).toFixed(1)
  const share = (side: 'express' | 'node') => median(rounds.map((one) => one.ours.perSecond / one[side].perSecond))
  return [
    atLeast(ofExpress, 'ratio', share('express'), {
      name: `${name}: requests/s of a bare Express route`,
      details: `${rate('ours')}/s against ${rate('express')}/s, ${CONNECTIONS} connections, ${hasWrk ? 'wrk' : 'autocannon'}; processor ${cost('ours')} against ${cost('express')} µs`,
    }),
    atLeast(ofNode, 'ratio', share('node'), {
      name: `${name}: requests/s of bare node:http with the same headers`,
      details: `against ${rate('node')}/s, ${cost('node')} µs`,
    }),
    atMost(P99_OF_NODE, 'ratio', median(rounds.map(({ ours, node }) => ours.p99Ms / node.p99Ms)), {
      name: `${name}: p99 of bare node:http with the same headers`,
      details: `${p99('ours')} ms against ${p99('node')} ms, Express ${p99('express')} ms`,
    }),
  ]
}

const KEYS = 100_000
const KEYS_PER_INSERT = 10_000
/** Keys in use, and keys in use without pause. */
const KEYS_IN_USE = 5_000
const KEYS_BUSY = 50
const KEY_ROUNDS = 40
const REQUESTS_PER_ROUND = 500
const MALFORMED_KEYS = 1_000_000

/**
 * The cost of key checks, limits and quota, with 100,000 keys in the database: a known key, a key seen for the first time, and a flood of
 * malformed keys.
 */
export async function keys(): Promise<BenchRow[]> {
  await using scratch = await scratchDatabase()
  const { sql } = scratch.database
  const usedKeys = (await fill(sql)).slice(0, KEYS_IN_USE)
  await using keyCache = await openKeyCache(sql)

  const coldMs = await time(KEYS_IN_USE, () => keyCache.verify(usedKeys[keyCache.reads()] ?? ''))
  const one = await requestMicroseconds(() => keyCache.verify(usedKeys[0] ?? ''))
  const verifiedUs = await requestMicroseconds((i) => keyCache.verify(usedKeys[i % KEYS_IN_USE] ?? ''))
  const busy = await requestMicroseconds((i) => keyCache.admit(usedKeys[i % KEYS_BUSY] ?? ''))
  const admitted = await requestMicroseconds((i) => keyCache.admit(usedKeys[i % KEYS_IN_USE] ?? ''))
  const flood = await floodOfMalformedKeys(keyCache)
  return [
    atMost(300, 'µs', busy, {
      name: 'identity and limits of a request with a busy key: median',
      details: `${KEYS} keys in the database, ${KEYS_BUSY} busy; the key check alone ${verifiedUs.toFixed(1)} µs`,
    }),
    atMost(10, 'ms', admitted / 1000, {
      name: 'the same with a key that comes now and then: median',
      details: `${KEYS_IN_USE} in use, one after the other: most reserve one request in the database`,
    }),
    atMost(3, 'ratio', verifiedUs / one, {
      name: `key check, ${KEYS_IN_USE} keys in use against one`,
      details: `${verifiedUs.toFixed(1)} µs against ${one.toFixed(1)} µs`,
    }),
    atMost(10, 'ms', median(coldMs), {
      name: 'key seen for the first time: median',
      details: `one read of ${KEYS} keys by their hash`,
    }),
    atMost(0, 'reads', flood.reads, {
      name: 'a million malformed keys: reads of the database',
      details: `${flood.microseconds.toFixed(1)} µs each`,
    }),
    atMost(5, 'MB', flood.megabytes, {
      name: 'a million malformed keys: memory kept',
      details: 'live heap after against before',
    }),
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

/** Key cache, limiter and ledger configured as in the service, with a counter of look-ups. */
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
    // No key changes here, and nothing refreshes the version.
    version: () => ({ ...version.keys(), ageMs: 0 }),
    now: () => now,
  })
  const minutes = rateLimiter(new MemoryCounter())
  const quotas = new QuotaLedger(
    { change: (changes) => changeUsage(sql, changes), recordReached: async () => {} },
    (err) => {
      throw err
    },
  )
  const verify = (text: string) => cache.verify(text, async () => {})
  return {
    verify,
    reads: () => reads,
    /** The path of a request: verify the key, consume the minute limit, reserve the monthly quota. */
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

/** Median of sequential rounds, after every key has been seen. */
async function requestMicroseconds(request: (i: number) => Promise<unknown>): Promise<number> {
  let i = 0
  const round = async () => {
    for (let n = 0; n < REQUESTS_PER_ROUND; n++) await request(i++)
  }
  await time(Math.ceil(KEYS_IN_USE / REQUESTS_PER_ROUND), round)
  return (median(await time(KEY_ROUNDS, round)) * 1000) / REQUESTS_PER_ROUND
}

async function floodOfMalformedKeys({ verify, reads }: Awaited<ReturnType<typeof openKeyCache>>) {
  const send = async () => {
    for (let i = 0; i < MALFORMED_KEYS; i++) await verify(`svc_live_${i.toString(36).padStart(32, '0')}`)
  }
  await verify('svc_live_')
  const [bytesBefore, readsBefore] = [liveHeapBytes(), reads()]
  const durationMs = await timeOnce(send)
  return {
    reads: reads() - readsBefore,
    megabytes: (liveHeapBytes() - bytesBefore) / 1024 ** 2,
    microseconds: (durationMs * 1000) / MALFORMED_KEYS,
  }
}
