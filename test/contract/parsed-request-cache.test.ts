/**
 * Requests whose URL was served before bypass the framework. Their responses must equal those of Express: status, every header, every
 * byte. Both paths get the same requests, in two apps on one database; one of the apps never caches a URL.
 */
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { openAccessControl } from '../../src/api/access/open-access-control.ts'
import { endpoints } from '../../src/api/endpoints/index.ts'
import { httpServer, serveRequests } from '../../src/api/http/http-server.ts'
import { ParsedRequestCache } from '../../src/api/http/parsed-request-cache.ts'
import { createApp } from '../../src/service/app.ts'
import type { KeyedPlan, NewApiKey } from '../../src/store/api-keys.ts'
import type { DataVersion } from '../../src/store/data-version.ts'
import { allAssets } from '../../src/web/assets.ts'
import { inEveryLanguage } from '../../src/web/i18n/language.ts'
import { pages } from '../../src/web/page-list.ts'
import { seedIssue } from '../support/forecasts.ts'
import { listenLocally } from '../support/local-server.ts'
import { exampleOffers, publishOffers } from '../support/offers.ts'
import { addressOf, operationsOf } from '../support/operations.ts'
import { validValues } from '../support/parameter-values.ts'
import { dailyPrice, zoneDay } from '../support/prices.ts'
import { repetitions } from '../support/repetitions.ts'
import { serviceOfFile } from '../support/service.ts'

const REQUESTS = repetitions(400, 2_000)
const OPEN_LIMIT = 5
const NOW = '2026-11-21T10:00:00Z'

const BASE_URL = new URL('https://prices.example/')
/** This endpoint and page report a request count, which grows. */
const USAGE = '/usage'
/** This response never ends. */
const STREAM = '/stream'
/** This parameter delays the response. */
const WAIT = 'wait'
const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g

interface SentRequest {
  method: string
  address: string
  headers: Record<string, string | string[]>
}

/** Counts the requests that bypass Express. */
class CountingCache extends ParsedRequestCache {
  hits = 0
  override find(req: Parameters<ParsedRequestCache['find']>[0]) {
    const found = super.find(req)
    if (found !== undefined) this.hits += 1
    return found
  }
}

class DisabledCache extends ParsedRequestCache {
  override find() {
    return undefined
  }
}

const known = new CountingCache()

const service = await serviceOfFile({ now: NOW })
await service.seed([
  zoneDay('nazionale', '2026-10-25', 15, (quarter) => quarter),
  ...(['nazionale', 'nord', 'cnor', 'csud', 'sud', 'sici', 'sard'] as const).map((zone, i) =>
    zoneDay(zone, '2026-11-21', 60, (hour) => 100 + i + hour),
  ),
  dailyPrice('PSV', '2026-11-20', 30.5),
  dailyPrice('Brent', '2026-11-20', 68.91),
])
await publishOffers(service, exampleOffers('luce'), { day: '2026-11-21' })
await seedIssue(service.sql, { asset: 'PUN', infoDate: '2026-11-21', issuedAt: '2026-11-20T18:00:00Z' })
const revoked = await service.issueKey('API')
await service.revokeKey(revoked.id)
const key = async (plan: KeyedPlan, about: Partial<NewApiKey> = {}) =>
  (await service.issueKey(plan, { requestsPerMinute: 100_000, requestsPerMonth: 1_000_000, ...about })).key
const keys = {
  Developer: await key('Developer'),
  API: await key('API'),
  Pro: await key('Pro'),
  Enterprise: await key('Enterprise', { requestsPerMonth: null }),
  'white-label': await key('Enterprise', { requestsPerMonth: null, attribution: 'Prices by Somebody' }),
  'used up': await key('API', { requestsPerMonth: 1 }),
  revoked: revoked.key,
}

/** The URL of a page, with an asset if it needs one. */
const filled = (path: string) => path.replace(/\{\w+\}/g, 'pun')
const operations = operationsOf((await service.ask('/v1/openapi.json')).json() as Parameters<typeof operationsOf>[0])
const addresses = [
  // Every documented value of each operation's parameters, one at a time.
  ...operations
    .filter(({ method, path }) => method === 'get' && path !== USAGE && path !== STREAM)
    .flatMap((operation) => [
      addressOf(operation, []),
      ...operation.parameters
        .filter(({ name }) => name !== WAIT)
        .flatMap((of) => validValues(of).map((value) => addressOf(operation, [[of.name, value]]))),
    ]),
  ...allAssets().map(({ address }) => address),
  ...pages.filter(({ path }) => path !== USAGE).flatMap(({ path }) => inEveryLanguage(filled(path))),
  ...['light', 'dark'].map((theme) => `/it/card/pun.svg?theme=${theme}`),
  '/card/psv.svg',
]
const agent = new Agent({ keepAlive: true, maxSockets: 4 })
afterAll(() => agent.destroy())
const servers = { past: await start(known), through: await start(new DisabledCache()) }

/** Starts an app on the service's database with separate counters. */
async function start(cache: ParsedRequestCache): Promise<{ port: number }> {
  const access = await openAccessControl({
    config: {
      limits: {
        store: 'memory',
        openRequestsPerMinute: OPEN_LIMIT,
        openRequestsPerDay: 1_000,
        pageRequestsPerMinute: OPEN_LIMIT,
      },
    },
    database: { sql: service.sql },
    clock: service.service.clock,
    dataVersion: service.service.dataVersion as DataVersion,
    log: service.service.log,
  })
  const config = { ...service.service.config, baseUrl: BASE_URL, canonicalHost: true, trustedProxies: ['loopback'] }
  const server = httpServer()
  serveRequests(server, createApp({ ...service.service, config, access }, endpoints, cache), {
    baseUrl: BASE_URL,
    log: service.service.log,
  })
  const listening = await listenLocally(server)
  afterAll(async () => {
    await listening[Symbol.asyncDispose]()
    await access[Symbol.asyncDispose]()
  })
  return listening
}

async function sendTo({ port }: { port: number }, { method, address, headers }: SentRequest) {
  const sent = request({
    agent,
    port,
    method,
    path: address,
    headers: flatHeaders({ host: BASE_URL.host, ...headers }),
  })
  sent.end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  const bytes = Buffer.concat(await answer.toArray())
  const ofHeaders = Array.from({ length: answer.rawHeaders.length / 2 }, (_, i) =>
    answer.rawHeaders.slice(2 * i, 2 * i + 2),
  )
  return {
    status: answer.statusCode,
    headers: ofHeaders.map(([name = '', value = '']) => `${name}: ${withoutCounters(name, value, headers)}`).sort(),
    etag: answer.headers.etag,
    left: answer.headers['x-ratelimit-remaining'],
    body: bytes.toString('latin1').replace(UUID, '<id>'),
  }
}

/** Headers as a flat list, which Node sends unchanged, including repeated ones. */
function flatHeaders(headers: SentRequest['headers']): string[] {
  return Object.entries(headers).flatMap(([name, values]) => [values].flat().flatMap((value) => [name, value]))
}

/** Masks legitimate differences between two responses to the same request: clock, generated ids, and remaining limits. */
function withoutCounters(name: string, value: string, sent: SentRequest['headers']): string {
  if (name === 'X-Request-Id') return sent['x-request-id'] === value ? value : '<id>'
  if (['Date', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'X-Quota-Remaining', 'Retry-After'].includes(name))
    return '<n>'
  return name === 'RateLimit' ? value.replace(/\d+/g, '<n>') : value
}

/** Sends the request on both paths; the first one bypasses Express only on its second request. */
async function expectSameResponse(asked: SentRequest) {
  await sendTo(servers.past, asked)
  const [past, through] = await Promise.all([sendTo(servers.past, asked), sendTo(servers.through, asked)])
  expect({ ...past, left: undefined }, JSON.stringify(asked)).toEqual({ ...through, left: undefined })
  return through
}

/** Each request has its own client address, so that none reaches a limit by accident. */
let clients = 0
const nextClientAddress = () =>
  `10.${Math.floor(clients / 65_536)}.${Math.floor(clients / 256) % 256}.${clients++ % 256}`
const get = (address: string, headers: SentRequest['headers'] = {}): SentRequest => ({
  method: 'GET',
  address,
  headers: { 'x-forwarded-for': nextClientAddress(), ...headers },
})
const withKey = (name: keyof typeof keys) => ({ authorization: `Bearer ${keys[name]}` })

it('the cached path equals Express for every documented URL and page, with and without a key', async () => {
  for (const address of addresses) {
    for (const key of [{}, withKey('Enterprise')]) {
      const { etag } = await expectSameResponse(get(address, key))
      if (etag !== undefined) await expectSameResponse(get(address, { ...key, 'if-none-match': etag }))
    }
  }
})

it.each([
  ['no key', '/v1/pun/hourly', () => ({})],
  ['a malformed key', '/v1/today', () => ({ authorization: 'Bearer svc_live_x' })],
  ['another scheme', '/v1/today', () => ({ authorization: 'Basic YTpi' })],
  ['a revoked key', '/v1/today', () => withKey('revoked')],
  ['a lower plan', '/v1/trading/vitals', () => withKey('Developer')],
  ['a quota that is used up', '/v1/pun/hourly', () => withKey('used up')],
  ['a format that the plan lacks', '/v1/prices/pun/series?format=csv', () => ({})],
  ['a value that is not published', '/v1/ttf/today', () => ({})],
  ['an unknown parameter', '/v1/today?a=1', () => ({})],
  ['a repeated parameter', '/v1/prices/pun/series?unit=kwh&unit=mwh', () => ({})],
  ['malformed encoding', '/v1/prices/%ZZ/series', () => ({})],
  ['nothing there', '/v1/nothing', () => ({})],
  ['no page there', '/it/nothing', () => ({ accept: 'text/html' })],
  ['two keys', '/v1/today', () => ({ authorization: ['Bearer a', 'Bearer b'] })],
  ['two hosts', '/v1/today', () => ({ host: ['a.example', 'b.example'] })],
  ['another expectation', '/v1/today', () => ({ expect: 'a miracle' })],
  ['another host', '/v1/today', () => ({ host: 'other.example' })],
  ['HTTP in front', '/v1/today', () => ({ 'x-forwarded-proto': 'http' })],
])('the cached path equals Express for %s', async (_name, address, headers) => {
  await expectSameResponse(get('/v1/today'))
  const { status } = await expectSameResponse(get(address, headers()))
  expect(status).not.toBe(200)
})

it.each(['/v1/today', '/en/'])('the cached path counts down the rate limit like Express: %s', async (address) => {
  await expectSameResponse(get(address))
  const asked = { ...get(address), headers: { 'x-forwarded-for': nextClientAddress() } }
  const left = { past: [] as unknown[], through: [] as unknown[] }
  for (const way of ['past', 'through'] as const) {
    for (let i = 0; i < OPEN_LIMIT + 2; i++) {
      const { status, left: remaining } = await sendTo(servers[way], asked)
      left[way].push([status, remaining])
    }
  }
  expect(left.past.map((one) => (one as unknown[])[0])).toEqual([...Array(OPEN_LIMIT).fill(200), 429, 429])
  expect(left.past).toEqual(left.through)
})

it(`the cached path equals Express for ${REQUESTS} random requests`, async () => {
  const etags = await Promise.all(
    addresses.slice(0, 40).map(async (address) => (await sendTo(servers.through, get(address))).etag),
  )
  const asked = fc.record({
    method: fc.constantFrom(...Array(8).fill('GET'), 'HEAD', 'HEAD', 'OPTIONS', 'POST', 'DELETE', 'PUT'),
    address: fc.constantFrom(...addresses),
    behind: fc.constantFrom(...Array(12).fill(''), '/', '?', '?a=1', '&a=1', '?key=x', '?format=csv', '?lang=it'),
    headers: fc.record(
      {
        authorization: fc.constantFrom(
          ...Object.values(keys).map((key) => `Bearer ${key}`),
          `bearer  ${keys.API} `,
          'Bearer x',
        ),
        accept: fc.constantFrom(
          '*/*',
          'text/csv',
          'application/vnd.apache.arrow.stream',
          'text/html,*/*;q=0.8',
          'text/csv;q=0',
        ),
        'accept-encoding': fc.constantFrom(
          'gzip, deflate, br',
          'gzip',
          'br;q=0.5, gzip',
          'identity',
          '*',
          'gzip;q=0',
          'x',
        ),
        'accept-language': fc.constantFrom('it', 'en', 'it-IT,it;q=0.9,en;q=0.8', 'fr'),
        'if-none-match': fc.constantFrom(
          '*',
          '"x"',
          ...etags.flatMap((etag) => (etag ? [etag, `W/${etag}`, `"a", ${etag}`] : [])),
        ),
        'x-request-id': fc.constantFrom('my-id_0.1', 'x'),
        'x-forwarded-proto': fc.constantFrom('https', 'https', 'http', 'https, http'),
        'x-forwarded-host': fc.constantFrom(BASE_URL.host, 'other.example'),
        origin: fc.constantFrom('https://a.example'),
        range: fc.constantFrom('bytes=0-10'),
      },
      { requiredKeys: [] },
    ),
  })
  const before = known.hits
  for (const { method, address, behind, headers } of fc.sample(asked, { numRuns: REQUESTS, seed: 19 }))
    await expectSameResponse({ ...get(address + behind, headers as Record<string, string>), method })
  expect(known.hits - before, 'many went past Express').toBeGreaterThan(REQUESTS / 4)
})
