/** Limits as seen by clients. Spec: "Limits"; decisions: "Limits". */
import { afterEach, describe, expect, it } from 'vitest'
import { zoneDay } from '../support/prices.ts'
import { type Answer, serviceOfFile } from '../support/service.ts'
import { SPEC_PLANS } from './spec/plans.ts'

const NOW = '2026-11-21T10:00:00Z'
const OPEN_PATH = '/v1/plans'
const HOURS = '/v1/pun/hourly'

const service = await serviceOfFile({ now: NOW, env: { OPEN_REQUESTS_PER_MINUTE: '60', TRUSTED_PROXIES: 'loopback' } })
await service.seed([zoneDay('nazionale', '2026-11-21', 60, () => 100)])
afterEach(() => service.setNow(NOW))

/** Each test uses its own client addresses. */
const from = (address: string, path = OPEN_PATH, headers: Record<string, string> = {}) =>
  service.ask(path, { headers: { 'x-forwarded-for': address, ...headers } })
const withKey = (key: string, path = HOURS, headers: Record<string, string> = {}) =>
  service.ask(path, { headers: { authorization: `Bearer ${key}`, ...headers } })
const left = ({ headers }: Answer) => Number(headers.get('x-ratelimit-remaining'))
const quotaLeft = ({ headers }: Answer) => headers.get('x-quota-remaining')

async function repeatRequest(count: number, ask: () => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = []
  for (let i = 0; i < count; i++) answers.push(await ask())
  return answers
}

function expectRateLimited(answer: Answer | undefined): void {
  expect(answer?.status).toBe(429)
  expect(answer?.json().error).toBe('rate_limited')
  expect(answer?.headers.get('x-ratelimit-remaining')).toBe('0')
  expect(answer?.headers.get('retry-after')).toBe(answer?.headers.get('x-ratelimit-reset'))
  expect(Number(answer?.headers.get('retry-after'))).toBeLessThanOrEqual(60)
}

describe('an address without a key', () => {
  it('has 60 requests a minute, counted down, and the 61st is 429 until the minute ends', async () => {
    const answers = await repeatRequest(62, () => from('192.0.2.1'))
    expect(answers.slice(0, 60).map(({ status }) => status)).toEqual(Array(60).fill(200))
    expect(answers.slice(0, 60).map(left)).toEqual(Array.from({ length: 60 }, (_, i) => 59 - i))
    const [refused, again] = answers.slice(60)
    expectRateLimited(refused)
    expectRateLimited(again)
    expect(refused?.headers.get('access-control-allow-origin')).toBe('*')
  })

  it('is not delayed further by refused requests', async () => {
    const answers = await repeatRequest(80, () => from('192.0.2.2'))
    const resets = answers.map(({ headers }) => Number(headers.get('x-ratelimit-reset')))
    expect(resets).toEqual([...resets].sort((a, b) => b - a))
  })

  it('does not share its limit with another', async () => {
    await repeatRequest(61, () => from('192.0.2.3'))
    expect(left(await from('192.0.2.4'))).toBe(59)
  })

  it('is limited per /64 in IPv6, and per address in IPv4, also if IPv4-mapped', async () => {
    expect(left(await from('2001:db8:0:1::1'))).toBe(59)
    expect(left(await from('2001:db8:0:1:ffff:ffff:ffff:ffff'))).toBe(58)
    expect(left(await from('2001:db8:0:2::1'))).toBe(59)
    expect(left(await from('192.0.2.5'))).toBe(59)
    expect(left(await from('::ffff:192.0.2.5'))).toBe(58)
  })

  it('is the last untrusted address in X-Forwarded-For, not the first', async () => {
    await from('198.51.100.1, 192.0.2.6')
    expect(left(await from('198.51.100.2, 192.0.2.6'))).toBe(58)
  })
})

describe('invalid keys', () => {
  it('count towards the limit of the address, which still accepts valid keys beyond it', async () => {
    const { key } = await service.issueKey('API')
    const guess = () => from('192.0.2.10', HOURS, { authorization: 'Bearer svc_live_guess' })
    const answers = await repeatRequest(61, guess)
    expect(answers.slice(0, 60).map(({ status }) => status)).toEqual(Array(60).fill(401))
    expect(answers.slice(0, 60).map(left)).toEqual(Array.from({ length: 60 }, (_, i) => 59 - i))
    expectRateLimited(answers[60])
    expectRateLimited(await from('192.0.2.10'))
    expect((await from('192.0.2.10', HOURS, { authorization: `Bearer ${key}` })).status).toBe(200)
  })
})

describe('a key', () => {
  it('has 120 requests a minute on Developer, whatever the client address', async () => {
    const { key } = await service.issueKey('Developer')
    const authorization = `Bearer ${key}`
    let n = 0
    const answers = await repeatRequest(121, () =>
      from(`192.0.2.${20 + (n++ % 100)}`, '/v1/pun/zones', { authorization }),
    )
    expect(answers.slice(0, 120).map(left)).toEqual(Array.from({ length: 120 }, (_, i) => 119 - i))
    expectRateLimited(answers[120])
  })

  it('reports its quota but does not use it when rate limited', async () => {
    const { key } = await service.issueKey('Enterprise', { requestsPerMinute: 2, requestsPerMonth: 100 })
    const answers = await repeatRequest(4, () => withKey(key))
    expectRateLimited(answers[2])
    expect(answers.map(quotaLeft)).toEqual(['99', '98', '98', '98'])
  })

  it('of Enterprise has its individual limits', async () => {
    const { key } = await service.issueKey('Enterprise', { requestsPerMinute: 5 })
    const answers = await repeatRequest(6, () => withKey(key))
    expect(answers.map(left)).toEqual([4, 3, 2, 1, 0, 0])
    expectRateLimited(answers[5])
    expect(quotaLeft(answers[0] as Answer)).toBeNull()
  })
})

describe('a monthly quota', () => {
  it('is counted down, then returns 429 until the month ends in Rome', async () => {
    const { key } = await service.issueKey('Enterprise', { requestsPerMonth: 3 })
    const answers = await repeatRequest(5, () => withKey(key))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429])
    expect(answers.map(quotaLeft)).toEqual(['2', '1', '0', '0', '0'])
    expect(answers[3]?.json()).toMatchObject({
      error: 'quota_exceeded',
      message: expect.stringContaining('3 requests'),
    })
    expect(answers[3]?.headers.get('retry-after')).toBe(String(9 * 86_400 + 13 * 3_600)) // 30 November, 23:00 UTC
    expect(answers.map(left)).toEqual([9999, 9998, 9997, 9996, 9996])

    service.setNow('2026-11-30T22:59:58.600Z')
    expect((await withKey(key)).headers.get('retry-after'), 'rounded up: not a moment too early').toBe('2')
    service.setNow('2026-11-30T23:00:00Z')
    expect(quotaLeft(await withKey(key, OPEN_PATH))).toBe('2')
  })

  it('that is used up can still be read from GET /v1/usage', async () => {
    const { key } = await service.issueKey('Enterprise', { requestsPerMonth: 1 })
    await withKey(key, OPEN_PATH)
    expect((await withKey(key, OPEN_PATH)).status).toBe(429)
    const usage = await withKey(key, '/v1/usage')
    expect(usage.status).toBe(200)
    expect(usage.json()).toMatchObject({ used: 1, left: 0 })
  })

  it('ends an hour earlier in UTC in summer', async () => {
    service.setNow('2026-03-30T22:00:00Z')
    const { key } = await service.issueKey('Enterprise', { requestsPerMonth: 1 })
    await withKey(key, OPEN_PATH)
    expect((await withKey(key, OPEN_PATH)).headers.get('retry-after')).toBe(String(24 * 3_600))
  })

  it('is used by every response except 304, 401, 429 and 5xx', async () => {
    const { key } = await service.issueKey('Developer')
    const { headers } = await withKey(key, '/v1/pun/zones')
    const etag = String(headers.get('etag'))
    const used = [
      [200, await withKey(key, '/v1/pun/zones')],
      [304, await withKey(key, '/v1/pun/zones', { 'if-none-match': etag })],
      [400, await withKey(key, '/v1/pun/zones?date=x')],
      [403, await withKey(key, HOURS)],
      [404, await withKey(key, '/v1/pun/zones?date=2010-01-01')],
      [503, await withKey(key, '/v1/psv/today')],
      [401, await service.ask(`/v1/pun/zones?key=${key}`)],
      [200, await withKey(key, '/v1/pun/zones')],
    ] as const
    expect(used.map(([, { status }]) => status)).toEqual(used.map(([status]) => status))
    expect(used.map(([, answer]) => quotaLeft(answer))).toEqual([
      '9998',
      '9998',
      '9997',
      '9996',
      '9995',
      '9995',
      null,
      '9994',
    ])
  })
})

describe('GET /v1/usage', () => {
  it('matches the response headers', async () => {
    const { key } = await service.issueKey('Enterprise', { requestsPerMonth: 50 })
    const answers = await repeatRequest(7, () => withKey(key))
    const usage = await withKey(key, '/v1/usage')
    expect(usage.json()).toEqual({
      plan: 'Enterprise',
      limits: { requests_per_minute: 10_000, requests_per_month: 50 },
      period: { from: '2026-11-01T00:00:00+01:00', to: '2026-12-01T00:00:00+01:00' },
      used: 7,
      left: Number(quotaLeft(answers[6] as Answer)),
    })
    expect(quotaLeft(usage)).toBe('42')
    expect((await withKey(key, '/v1/usage')).json()).toMatchObject({ used: 8, left: 42 })
    expect(usage.headers.get('cache-control')).toBe('no-store')
  })

  it('counts requests without a quota and omits the quota fields', async () => {
    const { key } = await service.issueKey('Enterprise')
    await repeatRequest(2, () => withKey(key))
    const usage = (await withKey(key, '/v1/usage')).json()
    expect(usage).toMatchObject({ used: 2, limits: { requests_per_minute: 10_000 } })
    expect(usage).not.toHaveProperty('left')
    expect(usage.limits).not.toHaveProperty('requests_per_month')
  })

  it('reports a month whose start and end have different UTC offsets', async () => {
    service.setNow('2026-10-31T22:59:59Z')
    const { key } = await service.issueKey('Developer')
    expect((await withKey(key, '/v1/usage')).json()).toMatchObject({
      period: { from: '2026-10-01T00:00:00+02:00', to: '2026-11-01T00:00:00+01:00' },
    })
  })
})

describe('GET /v1/plans', () => {
  it('matches the specification', async () => {
    expect((await from('192.0.2.200')).json()).toEqual({
      plans: SPEC_PLANS.map((plan) => ({
        name: plan.name,
        price_eur_month: plan.priceEurMonth,
        requests_per_minute: plan.requestsPerMinute,
        requests_per_month: plan.requestsPerMonth,
        history_days: plan.historyDepthDays === 'complete' ? undefined : plan.historyDepthDays,
        series_formats: plan.formats,
        scenario_months_max: plan.scenarioMonthsMax,
        bulk: plan.bulk,
        streams_max: plan.streamsMax || undefined,
        webhooks_max: plan.webhooksMax || undefined,
      })),
      pages: { requests_per_minute: 1_000_000, history_days: 3653, streams_max: 20 },
    })
  })
})
