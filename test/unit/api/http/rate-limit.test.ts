/** Which client is counted, for which requests, and the headers of each response; on in-memory counters, without a database. */
import { setImmediate } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import type { AccessControl } from '../../../../src/api/access/access-control.ts'
import { MemoryCounter } from '../../../../src/api/access/memory-counter.ts'
import { rateLimiter } from '../../../../src/api/access/rate-limiter.ts'
import { rateLimited } from '../../../../src/api/contract/errors.ts'
import { getPlans } from '../../../../src/api/endpoints/plans/get-plans.ts'
import { knownKeys, testAccess } from '../../../support/access.ts'
import { rawRequest, type StubOptions, type StubService, startStubService } from '../../../support/stub-service.ts'

let service: StubService
afterEach(() => service.stop())

async function start(limit: number, access: Partial<AccessControl> = {}, options: StubOptions = {}): Promise<void> {
  service = await startStubService({
    prices: [{ asset: 'PUN', day: '2026-11-21', price: 118.43 }],
    access: testAccess({ openRequestsPerMinute: limit, keys: knownKeys({ 'a-key': 'API' }), ...access }),
    ...options,
  })
}

const ask = (target: string, headers: Record<string, string> = {}, method = 'GET') =>
  rawRequest(service.baseUrl, target, { method, headers })
/** The remaining requests, read without counting. */
const left = async () => Number((await ask('/v1/today', {}, 'OPTIONS')).headers['x-ratelimit-remaining'])

describe('the rate-limit cost of a request', () => {
  it.each([
    [1, 200, 'GET', '/v1/pun/today', {}],
    [1, 200, 'HEAD', '/v1/pun/today', {}],
    [1, 304, 'GET', '/v1/pun/today', { 'if-none-match': '*' }],
    [1, 400, 'GET', '/v1/pun/today?x=1', {}],
    [1, 400, 'GET', '/v1/prices/%ZZ/series', {}],
    [1, 400, 'GET', '/v1/prices/pun/series?key=a&key=b', {}],
    [1, 401, 'GET', '/v1/pun/hourly', {}],
    [1, 401, 'GET', '/v1/pun/today', { authorization: 'Bearer other' }],
    [1, 401, 'GET', '/v1/pun/today', { authorization: 'Basic YTpi' }],
    [1, 403, 'GET', '/v1/prices/pun/series?format=csv', {}],
    [1, 404, 'GET', '/v1/nothing', {}],
    [1, 405, 'DELETE', '/v1/pun/today', {}],
    [0, 204, 'OPTIONS', '/v1/pun/today', {}],
    [1, 503, 'GET', '/v1/psv/today', {}],
    [0, 200, 'GET', '/v1/docs/', {}],
  ] as const)('is %i for status %i: %s %s %j', async (count, status, method, target, headers) => {
    await start(10)
    const answer = await ask(target, headers, method)
    expect(answer.status).toBe(status)
    expect(await left()).toBe(10 - count)
    if (target !== '/v1/docs/') {
      expect(answer.headers).toMatchObject({
        'x-ratelimit-limit': '10',
        'x-ratelimit-remaining': status === 204 ? '10' : '9',
        'x-ratelimit-reset': expect.stringMatching(/^\d+$/),
      })
    }
  })

  it('is 0 after an internal error', async () => {
    await start(10)
    service.failWith(new Error('once'))
    const answer = await ask('/v1/pun/today')
    expect([answer.status, answer.headers['x-ratelimit-remaining'], await left()]).toEqual([500, '9', 10])
  })

  it('is 1 if an endpoint applies a rate limit of its own', async () => {
    await start(10)
    service.failWith(rateLimited(6, 30, 'tests'))
    expect((await ask('/v1/pun/today')).status).toBe(429)
    expect(await left()).toBe(9)
  })

  it('is 0 for refused requests, and an internal error is refunded immediately', async () => {
    const failing = Promise.withResolvers<never>()
    const entered = Promise.withResolvers<void>()
    const handle = () => {
      entered.resolve()
      return failing.promise
    }
    await start(1, {}, { registry: [{ ...getPlans, handle }] })
    const first = ask('/v1/plans')
    await entered.promise
    expect((await ask('/v1/plans')).status).toBe(429)
    expect((await ask('/v1/plans')).status).toBe(429)
    failing.reject(new Error('by our fault'))
    expect((await first).status).toBe(500)
    expect((await ask('/v1/nothing')).status).toBe(404)
  })
})

describe('a failed key look-up', () => {
  it('500 with the remaining requests of the address, and the request is refunded', async () => {
    const verify = async () => {
      throw new Error('the database is gone')
    }
    await start(10, { keys: { verify, recall: () => undefined } })
    const { status, headers } = await ask('/v1/pun/today', { authorization: 'Bearer a-key' })
    expect([status, headers['x-ratelimit-remaining'], await left()]).toEqual([500, '9', 10])
  })
})

describe('a failed refund of a request', () => {
  it('is logged, and the response is still sent', async () => {
    const minutes = rateLimiter(new MemoryCounter())
    const refund = async () => {
      throw new Error('the counters are gone')
    }
    await start(10, { minutes: { ...minutes, refund } })
    service.failWith(new Error('once'))
    expect((await ask('/v1/psv/today')).status).toBe(500)
    await setImmediate() // an unhandled rejection would end the run
    expect(service.logLines()).toContainEqual(
      expect.objectContaining({ level: 'warn', err: expect.objectContaining({ message: 'the counters are gone' }) }),
    )
  })
})

describe('an untrusted proxy', () => {
  it('cannot set the address of the client', async () => {
    await start(10)
    await ask('/v1/pun/today', { 'x-forwarded-for': '192.0.2.1' })
    expect((await ask('/v1/pun/today', { 'x-forwarded-for': '192.0.2.2' })).headers['x-ratelimit-remaining']).toBe('8')
  })
})

describe('a trusted proxy', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1:5678', '192.0.2.2:5678'],
    ['2001:db8::1', '[2001:db8::1]:443', '[2001:db8:1::1]:443'],
    ['2001:db8::1', '[2001:db8::2]', '2001:db8:1::1'],
    ['192.0.2.1', '192.0.2.1:5678, 127.0.0.1:9', '192.0.2.2:5678, 127.0.0.1:9'],
  ])('identifies clients with or without ports: %s equals %s but not %s', async (first, same, other) => {
    await start(10, {}, { config: { trustedProxies: ['loopback'] } })
    const remaining = []
    for (const address of [first, same, other]) {
      const { headers } = await ask('/v1/pun/today', { 'x-forwarded-for': address })
      remaining.push(headers['x-ratelimit-remaining'])
    }
    expect(remaining).toEqual(['9', '8', '9'])
  })
})

describe('the daily limit for requests without a key', () => {
  const days = () => ({ limiter: rateLimiter(new MemoryCounter(86_400), 86_400), limit: 2 })

  it('429 quota_exceeded until the day ends, without using the minute limit or affecting keys', async () => {
    await start(10, { days: days() })
    await ask('/v1/pun/today')
    await ask('/v1/pun/today')
    const refused = await ask('/v1/pun/today')
    expect(refused.status).toBe(429)
    expect(JSON.parse(refused.body.toString())).toMatchObject({
      error: 'quota_exceeded',
      message: expect.stringContaining('2 requests a day'),
    })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(60)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(86_400)
    expect(refused.headers).not.toHaveProperty('x-quota-remaining')
    expect(await left()).toBe(8)
    expect((await ask('/v1/pun/today', { authorization: 'Bearer a-key' })).status).toBe(200)
  })

  it('is not used up by internal errors', async () => {
    await start(10, { days: days() })
    service.failWith(new Error('twice'))
    const answers = [(await ask('/v1/psv/today')).status, (await ask('/v1/psv/today')).status]
    service.failWith(undefined)
    for (let i = 0; i < 3; i++) answers.push((await ask('/v1/pun/today')).status)
    expect(answers).toEqual([500, 500, 200, 200, 429])
  })
})
