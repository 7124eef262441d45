/** Attacks on the limits: withholding reads to gain requests, exceeding a quota with concurrent requests. OWASP API4:2023. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import { hashApiKey, makeApiKey } from '../../src/api/access/api-key.ts'
import { KeyCache } from '../../src/api/access/key-cache.ts'
import { QuotaLedger } from '../../src/api/access/quota-ledger.ts'
import { noData } from '../../src/api/contract/errors.ts'
import { endpoint } from '../../src/api/http/endpoint.ts'
import type { UsageChange } from '../../src/store/usage.ts'
import { keyRecord, knownKeys, testAccess } from '../support/access.ts'
import { sendRaw, statuses } from '../support/raw-http.ts'
import { rawRequest, type StubService, startStubService } from '../support/stub-service.ts'

const CONNECTIONS = 4
const REQUESTS_EACH = 900
/** More than the socket buffers between two processes hold. */
const LARGE_BYTES = 24 * 1024 * 1024

const textEndpoint = (path: string, text: string) =>
  endpoint({
    id: path.slice(1),
    method: 'get',
    path,
    tag: 'Tools',
    summary: 'A thing',
    description: 'A thing.',
    plan: 'Open',
    status: 'live',
    cache: '1min',
    reply: z.strictObject({ text: z.string() }),
    example: { text: '' },
    handle: async () => ({ text }),
  })
/** Throws an expected error, after some work. */
const missing = {
  ...textEndpoint('/missing', ''),
  handle: async () => {
    computed += 1
    throw noData('The price', retryAfterSeconds)
  },
}
const registry = [textEndpoint('/large', 'x'.repeat(LARGE_BYTES)), textEndpoint('/small', 'x'), missing]
let computed = 0
let retryAfterSeconds = 3600

let service: StubService
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  vi.advanceTimersByTime(1) // lru-cache never expires entries stored at time 0
})
afterEach(async () => {
  vi.useRealTimers()
  await service.stop()
})

const A_KEY = 'Authorization: Bearer a-key\r\n'
const request = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`

/** Requests large responses on one connection and reads nothing, so that responses after the first cannot be sent. */
async function requestWithoutReading(headers: string): Promise<Socket> {
  const { hostname, port } = new URL(service.baseUrl)
  const socket = connect(Number(port), hostname).pause()
  await once(socket, 'connect')
  const small = request('/v1/small', headers).repeat(REQUESTS_EACH - 1)
  socket.write(request('/v1/large', headers) + small + request('/v1/small', `${headers}Connection: close\r\n`))
  return socket
}

async function drainSocket(socket: Socket): Promise<void> {
  const closed = once(socket, 'close')
  socket.resume()
  await closed
}

/** Statuses of requests pipelined on one connection. */
const pipelined = async (path: string, count: number, headers = '') =>
  statuses(
    await sendRaw(
      service.baseUrl,
      request(path, headers).repeat(count - 1) + request(path, `${headers}Connection: close\r\n`),
    ),
  )

describe('responses left unread until the next minute', () => {
  it.each([
    ['an address', ''],
    ['a key', A_KEY],
  ])('do not raise the rate limit of %s', async (_who, headers) => {
    const keys = knownKeys({ 'a-key': { plan: 'Enterprise', requestsPerMinute: 60 } })
    service = await startStubService({ registry, access: testAccess({ openRequestsPerMinute: 60, keys }) })
    const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => requestWithoutReading(headers)))
    while (!(await pipelined('/v1/small', 1, headers)).includes(429));

    vi.advanceTimersByTime(60_000)
    expect(await pipelined('/v1/small', 1, headers)).toEqual([200])
    await Promise.all(sockets.map(drainSocket))
    const afterwards = await pipelined('/v1/small', REQUESTS_EACH, headers)
    expect(afterwards.toSorted()).toEqual([...Array(59).fill(200), ...Array(REQUESTS_EACH - 59).fill(429)])
  })
})

describe('a monthly quota requested all at once', () => {
  const keys = knownKeys({ 'a-key': { plan: 'Enterprise', requestsPerMonth: 5 } })
  const start = async () => {
    let total = 0
    // Asynchronous like a database, so that all requests have arrived before the first is counted.
    const change = async ([wanted]: UsageChange[]) => {
      await setImmediate()
      if (wanted === undefined) throw new Error('nothing to change')
      const before = total
      total = Math.max(0, Math.min(before + wanted.requests, Math.max(before, wanted.quota ?? 0)))
      return [{ keyId: wanted.keyId, month: wanted.month, granted: total - before, total }]
    }
    const quotas = new QuotaLedger({ change, recordReached: async () => {} }, (err) => expect.unreachable(String(err)))
    service = await startStubService({ registry, access: testAccess({ keys, quotas }) })
  }

  it('is exact for 100 requests pipelined on one connection', async () => {
    await start()
    const answers = await pipelined('/v1/small', 100, A_KEY)
    expect(answers.toSorted()).toEqual([...Array(5).fill(200), ...Array(95).fill(429)])
  })

  it('is exact across 100 connections, and not consumed by 304 responses', async () => {
    await start()
    const unchanged = await Promise.all(
      Array.from({ length: 5 }, () => pipelined('/v1/small', 1, `${A_KEY}If-None-Match: *\r\n`)),
    )
    expect(unchanged.flat()).toEqual(Array(5).fill(304))
    const answers = await Promise.all(Array.from({ length: 100 }, () => pipelined('/v1/small', 1, A_KEY)))
    expect(answers.flat().toSorted()).toEqual([...Array(5).fill(200), ...Array(95).fill(429)])
  })
})

describe('a value that is not published yet', () => {
  beforeEach(async () => {
    computed = 0
    retryAfterSeconds = 3600
    const keys = knownKeys({ 'a-key': { plan: 'Enterprise', requestsPerMinute: 120 } })
    service = await startStubService({ registry, access: testAccess({ keys }) })
  })

  it('may be requested up to the rate limit, and is looked up at most every 15 seconds', async () => {
    const answers = await pipelined('/v1/missing', 800, A_KEY)
    expect(answers.toSorted()).toEqual([...Array(680).fill(429), ...Array(120).fill(503)])
    expect(computed).toBe(1)
    vi.advanceTimersByTime(60_000)
    await pipelined('/v1/missing', 1, A_KEY)
    vi.advanceTimersByTime(14_999)
    await pipelined('/v1/missing', 1, A_KEY)
    expect(computed).toBe(2)
    vi.advanceTimersByTime(2)
    await pipelined('/v1/missing', 1, A_KEY)
    expect(computed).toBe(3)
  })

  it('is looked up again at its expected time, or when the data change', async () => {
    retryAfterSeconds = 4
    await pipelined('/v1/missing', 1, A_KEY)
    vi.advanceTimersByTime(3_999)
    await pipelined('/v1/missing', 1, A_KEY)
    expect(computed).toBe(1)
    vi.advanceTimersByTime(2)
    await pipelined('/v1/missing', 2, A_KEY)
    expect(computed).toBe(2)
    service.publish([])
    await pipelined('/v1/missing', 2, A_KEY)
    expect(computed).toBe(3)
  })
})

describe('well-formed keys that were never issued', () => {
  it('are looked up at most 60 times a minute per address; a valid key is still served', async () => {
    const key = makeApiKey(randomBytes)
    let lookUps = 0
    const keys = new KeyCache({
      find: async (sha256) => {
        lookUps += 1
        return sha256 === hashApiKey(key) ? keyRecord('a-key', { plan: 'Enterprise' }) : undefined
      },
      version: () => ({ number: 1, ageMs: 0 }),
      now: () => Temporal.Instant.from('2026-11-21T10:00:00Z'),
    })
    service = await startStubService({ registry, access: testAccess({ openRequestsPerMinute: 60, keys }) })
    const guess = () => pipelined('/v1/small', 1, `Authorization: Bearer ${makeApiKey(randomBytes)}\r\n`)
    const good = () => pipelined('/v1/small', 1, `Authorization: Bearer ${key}\r\n`)

    expect(await pipelined('/v1/small', 61)).toContain(429)
    expect(await good()).toEqual([200])
    const answers = await Promise.all(Array.from({ length: 200 }, guess))
    expect(new Set(answers.flat())).toEqual(new Set([429]))
    expect(lookUps).toBe(1 + 60)
    expect(await good()).toEqual([200])
    expect(lookUps).toBe(1 + 60)

    vi.advanceTimersByTime(60_000)
    const later = await Promise.all(Array.from({ length: 200 }, guess))
    expect(later.flat().toSorted()).toEqual([...Array(60).fill(401), ...Array(140).fill(429)])
    expect(lookUps).toBe(1 + 120)
    expect(await good()).toEqual([200])
  })
})

describe('pages', () => {
  const page = (language: string) =>
    rawRequest(service.baseUrl, '/prices/pun', { headers: { accept: 'text/html', 'accept-language': language } })

  it('have a separate rate limit: beyond it, 429 as a page in the reader’s language', async () => {
    const access = testAccess({ openRequestsPerMinute: 2, pageRequestsPerMinute: 3 })
    service = await startStubService({ access })
    expect(await pipelined('/v1/plans', 3)).toContain(429)
    for (let i = 0; i < 3; i++) expect((await page('en')).status).not.toBe(429)
    const refused = await page('it')
    expect(refused.status).toBe(429)
    expect(refused.headers).toMatchObject({ 'retry-after': '60', 'content-type': 'text/html; charset=utf-8' })
    for (const text of ['<html lang="it"', 'Troppe pagine insieme', 'Riprova fra 60 secondi'])
      expect(refused.body.toString()).toContain(text)
    expect((await page('en')).body.toString()).toContain('Try again in 60 seconds')
    const json = await rawRequest(service.baseUrl, '/nothing', { headers: { accept: 'application/json' } })
    expect([json.status, JSON.parse(json.body.toString()).error]).toEqual([429, 'rate_limited'])
    vi.advanceTimersByTime(60_000)
    expect((await page('it')).status).not.toBe(429)
  })
})
