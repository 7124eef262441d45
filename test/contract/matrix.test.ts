/** Every plan and no key, every endpoint, every way to send a key: each response matches the specification's tables. */
import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeApiKey } from '../../src/api/access/api-key.ts'
import type { Plan, PlanName } from '../../src/api/contract/plans.ts'
import { ASSET_CODES } from '../../src/market/assets.ts'
import { STORED_ZONES } from '../../src/market/zones.ts'
import type { KeyedPlan } from '../../src/store/api-keys.ts'
import { insertExportOrder } from '../../src/store/export-orders.ts'
import { seedWebhook } from '../support/alerts.ts'
import { seedIssue } from '../support/forecasts.ts'
import { fundamentalDay, storeFundamentals } from '../support/fundamentals.ts'
import { seedHours } from '../support/hourly-forecasts.ts'
import { exampleOffers, publishOffers } from '../support/offers.ts'
import { dailyPrice, zoneDay } from '../support/prices.ts'
import { type Answer, serviceOfFile } from '../support/service.ts'
import { type KeyCondition, SPEC_KEY_CASES, type SpecKeyCase } from './spec/authentication.ts'
import { SPEC_ENDPOINTS, type SpecEndpoint } from './spec/endpoints.ts'
import { SPEC_PLANS } from './spec/plans.ts'
import { REQUIRED } from './spec/requests.ts'

const KEYED_PLANS = ['Developer', 'API', 'Pro', 'Trading', 'Enterprise'] as const
const NOW = '2026-11-21T10:00:00Z'
/** Endpoints cached until the end of the quarter-hour. */
const TO_THE_QUARTER = /^\/(pun\/now-and-next|tools\/cheapest-window|feeds\/.*)$/
const OPEN_REQUESTS_PER_MINUTE = 1_000_000

/** Valid, revoked and expired keys of each plan, and keys without a plan. */
const keys = new Map<string, string>()
/** The holder of each valid key, with the digits in the ids of its alert and webhook. */
const holders = new Map<KeyedPlan, { keyId: string; digits: string; delivery: string }>()
const answers: Answer[] = []

const service = await serviceOfFile({ now: NOW, analysts: true })
await service.seed([
  ...STORED_ZONES.map((zone) => zoneDay(zone, '2026-11-21', 60, (hour) => 100 + hour)),
  ...ASSET_CODES.map((asset) => dailyPrice(asset, '2026-11-20', 50)),
  ...recentPrices(),
])
const load = fundamentalDay('load/IT', '2026-11-20', () => 30_000)
await storeFundamentals(service.sql, [load], { source: 'entsoe-actuals', at: NOW })
const auction = fundamentalDay('mi-a1-price/nord', '2026-11-21', (hour) => 100 + hour)
await storeFundamentals(service.sql, [auction], { source: 'gme-intraday', at: NOW })
await service.seed([])
await publishOffers(service, exampleOffers('luce'), { day: '2026-11-21' })
await seedIssue(service.sql, { asset: 'TTF', infoDate: '2026-11-20', issuedAt: '2026-11-20T18:00:00Z' })
await seedIssue(service.sql, { asset: 'PUN', infoDate: '2026-11-21', issuedAt: '2026-11-20T18:00:00Z' })
await seedHours(service.sql, { zone: 'nazionale', infoDate: '2026-11-21', issuedAt: '2026-11-20T18:00:00Z' })
await service.sql`update sources set redistributable = true`
await service.publishFile('pun-hourly', 'parquet')
await service.publishIcebergTable('pun-hourly')
for (const plan of KEYED_PLANS) await issueKeys(plan)
const unknown = makeApiKey(randomBytes)
keys.set('unknown', unknown)
keys.set('wrong checksum', unknown.slice(0, -1) + (unknown.endsWith('0') ? '1' : '0'))
keys.set('malformed', 'not-a-key')

/** Changing prices that cover at least the last full month: volatility, correlations, backtests and reference averages need them. */
function recentPrices() {
  const last = Temporal.PlainDate.from('2026-11-19')
  return Array.from({ length: 60 }, (_, i) => last.subtract({ days: i }).toString()).flatMap((day, i) =>
    ASSET_CODES.map((asset, j) => dailyPrice(asset, day, 50 + ((i * (j + 3)) % 7))),
  )
}

async function issueKeys(plan: KeyedPlan): Promise<void> {
  await issueGoodKey(plan)
  const revoked = await service.issueKey(plan)
  await service.revokeKey(revoked.id)
  const expired = await service.issueKey(plan)
  await service.rotateKey(expired.id, NOW)
  keys.set(`revoked ${plan}`, revoked.key).set(`expired ${plan}`, expired.key)
}

async function issueGoodKey(plan: KeyedPlan): Promise<void> {
  const { id, key } = await service.issueKey(plan)
  const ids = { digits: `${id.slice('key_'.length)}0000`, delivery: `dlv_${randomBytes(16).toString('hex')}` }
  holders.set(plan, { keyId: id, ...ids })
  keys.set(`good ${plan}`, key)
}

describe.each(SPEC_ENDPOINTS.map((row) => [`${row.method} ${row.path}`, row] as const))('%s', (_name, row) => {
  // New keys, so that the lower plans do not reach their limits.
  beforeAll(() => Promise.all((['Developer', 'API'] as const).map(issueGoodKey)))

  it.each(SPEC_KEY_CASES.map((one) => [one.name, one] as const))('with %s', async (_case, one) => {
    for (const plan of plansOf(one)) {
      const answer = await requestEndpoint(row, one, plan)
      expect(observed(answer), plan).toEqual(expected(row, one, plan))
      expectWindow(answer)
    }
  })
})

describe('a white-label key', () => {
  const LABEL = 'Prices as shown by the holder of this key'
  const PATHS = [
    '/v1/today',
    '/v1/pun/today',
    '/v1/prices/pun/series',
    '/v1/pun/zones',
    '/v1/pun/hourly',
    '/v1/svc-index',
  ]
  const attributions = (text: string) => [...text.matchAll(/"attribution":"([^"]*)"/g)].map(([, shown]) => shown)
  const bearer = (key: string | undefined) => ({ headers: { authorization: `Bearer ${key}` } })

  it.each(PATHS)('gets its own attribution in %s; other callers do not', async (path) => {
    const labelled = bearer((await service.issueKey('Enterprise', { attribution: LABEL })).key)
    const other = bearer((await service.issueKey('Enterprise', { attribution: `${LABEL} too` })).key)
    const plain = bearer(keys.get('good Enterprise'))
    const ours = new Set(attributions((await service.ask(path, plain)).text))
    for (const _again of [1, 2]) {
      expect(new Set(attributions((await service.ask(path, labelled)).text))).toEqual(new Set([LABEL]))
      expect(new Set(attributions((await service.ask(path, other)).text))).toEqual(new Set([`${LABEL} too`]))
      expect(new Set(attributions((await service.ask(path, plain)).text))).toEqual(ours)
    }
    expect([...ours].join()).toMatch(/^Source: .*, via /)
  })

  it('gets a separate entity tag', async () => {
    const labelled = bearer((await service.issueKey('Enterprise', { attribution: LABEL })).key)
    const ours = (await service.ask('/v1/pun/today', bearer(keys.get('good Enterprise')))).headers.get('etag')
    const { authorization } = labelled.headers
    const answer = await service.ask('/v1/pun/today', { headers: { authorization, 'if-none-match': String(ours) } })
    expect(answer.status).toBe(200)
  })

  it('leaves the OpenAPI document unchanged, except for the examples', async () => {
    const labelled = bearer((await service.issueKey('Enterprise', { attribution: LABEL })).key)
    const { components } = (await service.ask('/v1/openapi.json', labelled)).json()
    expect(components).toEqual((await service.ask('/v1/openapi.json')).json().components)
  })
})

describe('a key', () => {
  it('appears in no answer and in no line of the log', () => {
    const secrets = [...keys.values()].filter((key) => key.startsWith('svc_live_')).map((key) => key.slice(9, -6))
    expect(secrets).toHaveLength(3 * KEYED_PLANS.length + 2)
    const log = service.logText()
    const seen = answers.map(({ text, headers }) => text + JSON.stringify([...headers])).join('\n')
    expect(log.length).toBeGreaterThan(10_000)
    for (const secret of secrets) {
      expect(log).not.toContain(secret)
      expect(seen).not.toContain(secret)
    }
  })
})

/** Cases that do not depend on the plan are tested once. */
function plansOf({ header, query }: SpecKeyCase): readonly KeyedPlan[] {
  const depends = [header, query].some((condition) => condition && ['good', 'revoked', 'expired'].includes(condition))
  return depends ? KEYED_PLANS : ['Enterprise']
}

async function requestEndpoint(
  row: SpecEndpoint,
  { header, query, csv }: SpecKeyCase,
  plan: KeyedPlan,
): Promise<Answer> {
  const { query: required, body } = REQUIRED[`${row.method} ${row.path}`] ?? {}
  const parameters = new URLSearchParams(required)
  if (csv) parameters.set('format', 'csv')
  if (query) parameters.set('key', keyOf(query, plan))
  const path = `/v1${await filledPath(row, plan)}`.replace(/\/$/, '')
  const headers: Record<string, string> = {
    via: '1.1 proxy', // local clients do not need a key for feeds
    ...(header && { authorization: `Bearer ${keyOf(header, plan)}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  const answer = await service.ask(parameters.size === 0 ? path : `${path}?${parameters}`, {
    method: row.method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
  })
  answers.push(answer)
  return answer
}

/** Recreates the alert or webhook that the operation needs, unverified for `/verify`. */
async function filledPath({ path }: SpecEndpoint, plan: KeyedPlan): Promise<string> {
  const holder = holders.get(plan)
  if (holder === undefined) throw new Error(`there is no key of ${plan}`)
  if (path.startsWith('/bulk/exports')) return filledOrderPath(path, holder)
  const id = (path.startsWith('/alerts') ? 'alr_' : 'whk_') + holder.digits
  if (path.includes('{id}')) {
    await service.sql`delete from webhooks where key_root = ${holder.keyId}`
    await seedWebhook(service.sql, holder.keyId, { id, delivery: holder.delivery })
    if (path.endsWith('/verify')) await service.sql`update webhooks set verification = 'pending' where id = ${id}`
  }
  // A key can be rotated only once.
  if (path === '/keys/rotate') await service.sql`update api_keys set expires_at = null where id = ${holder.keyId}`
  return path
    .replace('{asset}', 'pun')
    .replace('{series}', 'load')
    .replace('{market}', 'mi-a1')
    .replace('{dataset}', 'pun-hourly')
    .replace('{id}', id)
    .replace('{delivery_id}', holder.delivery)
}

/** The same for exports. */
async function filledOrderPath(path: string, { keyId, digits }: { keyId: string; digits: string }): Promise<string> {
  const id = `exp_${digits}`
  await service.sql`delete from export_orders where key_root = ${keyId}`
  const [at, day] = [Temporal.Instant.from(NOW), '2026-11-21']
  const all = { parts: null, columns: null, asOf: null }
  if (path.includes('{id}'))
    await insertExportOrder(
      service.sql,
      keyId,
      { ...all, id, dataset: 'pun-hourly', format: 'csv.gz', firstDay: day, lastDay: day, requestedAt: at },
      1,
    )
  return path.replace('{id}', id)
}

function keyOf(condition: KeyCondition, plan: KeyedPlan): string {
  const key = keys.get(condition) ?? keys.get(`${condition} ${plan}`)
  if (key === undefined) throw new Error(`no key is ${condition}`)
  return key
}

interface Observed {
  status: number
  error?: unknown
  required_tier?: unknown
  param?: unknown
  cacheControl: string | null
  /** Access-Control-Allow-Origin */
  origin: string | null
  challenge: string | null
  requestsPerMinute: number
  hasQuota: boolean
}

function observed({ status, headers, json }: Answer): Observed {
  const { error, required_tier, param } = status < 300 ? {} : json()
  return {
    status,
    error,
    required_tier,
    param,
    cacheControl: headers.get('cache-control'),
    origin: headers.get('access-control-allow-origin'),
    challenge: headers.get('www-authenticate'),
    requestsPerMinute: Number(headers.get('x-ratelimit-limit')),
    hasQuota: headers.has('x-quota-remaining'),
  }
}

function expected(row: SpecEndpoint, one: SpecKeyCase, plan: KeyedPlan): Observed {
  const hasCsv = row.formats.includes('csv')
  const leadsTo = one.csvOnly && !hasCsv ? 'missing_key' : one.leadsTo
  const held = leadsTo === 'holder' ? plan : 'Open'
  const { requestsPerMinute, requestsPerMonth } = SPEC_PLANS.find(({ name }) => name === held) as Plan
  const rank = (plan: PlanName) => SPEC_PLANS.findIndex(({ name }) => name === plan)
  const always = {
    origin: row.plan === 'Open' ? '*' : null,
    challenge: null,
    requestsPerMinute: held === 'Open' ? OPEN_REQUESTS_PER_MINUTE : requestsPerMinute,
    hasQuota: requestsPerMonth !== undefined,
  }
  const refuse = (status: number, error: string, more: Partial<Observed> = {}) => ({
    ...always,
    status,
    error,
    cacheControl: 'no-store',
    ...more,
  })
  if (leadsTo === 'invalid_key') return refuse(401, leadsTo, { challenge: 'Bearer error="invalid_token"' })
  if (leadsTo === 'missing_key') return refuse(401, leadsTo, { challenge: 'Bearer' })
  if (rank(held) < rank(row.plan)) {
    return held === 'Open'
      ? refuse(401, 'missing_key', { challenge: 'Bearer' })
      : refuse(403, 'tier_required', { required_tier: row.plan })
  }
  if (one.csv && !hasCsv) return refuse(400, 'invalid_parameter', { param: 'format' })
  const isSeries = row.path === '/prices/{asset}/series'
  if (one.csv && isSeries && held === 'Open') return refuse(403, 'tier_required', { required_tier: 'Developer' })
  return {
    ...always,
    status: row.status ?? (row.method === 'DELETE' ? 204 : 200),
    cacheControl: cacheControl(row, held),
  }
}

function cacheControl(row: SpecEndpoint, held: string): string {
  if (row.cacheSeconds === 0) return 'no-store'
  const scope = held === 'Open' ? 'public' : 'private'
  // NOW is the beginning of a quarter-hour.
  if (TO_THE_QUARTER.test(row.path)) return `${scope}, max-age=900, must-revalidate`
  return `${scope}, max-age=${row.cacheSeconds}, stale-while-revalidate=3600`
}

/** The rate-limit headers, also on errors, and the equivalent IETF fields. */
function expectWindow({ headers }: Answer): void {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`))
  expect(Number(remaining)).toBeLessThan(Number(limit))
  expect(reset).toMatch(/^([1-9]|[1-5]\d|60)$/)
  expect(headers.get('ratelimit')).toBe(`"minute";r=${remaining};t=${reset}`)
  expect(headers.get('ratelimit-policy')).toBe(`"minute";q=${limit};w=60`)
  if (headers.has('x-quota-remaining')) expect(headers.get('x-quota-remaining')).toMatch(/^\d+$/)
}
