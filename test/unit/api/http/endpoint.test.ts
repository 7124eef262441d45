import { get } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { type Endpoint, endpoint } from '../../../../src/api/http/endpoint.ts'
import { knownKeys, testAccess } from '../../../support/access.ts'
import { rawRequest, type StubOptions, type StubService, startStubService } from '../../../support/stub-service.ts'

const FACTS = {
  id: 'getThing',
  method: 'get',
  path: '/things/{id}',
  tag: 'Tools',
  summary: 'A thing',
  description: 'A thing.',
  plan: 'Open',
  status: 'live',
  cache: '15min',
  reply: z.strictObject({ n: z.number() }),
  example: { n: 1 },
} as const

const testEndpoint = (changes: object = {}): Endpoint =>
  endpoint({ ...FACTS, pathSchema: z.object({ id: z.string() }), handle: async () => ({ n: 1 }), ...changes })

const KEYED = { headers: { authorization: 'Bearer a-key' } }

let service: StubService
afterEach(() => service?.stop())

async function ask(one: Endpoint, options: Parameters<typeof rawRequest>[2] = {}, config: StubOptions['config'] = {}) {
  const access = testAccess({ keys: knownKeys({ 'a-key': 'API' }) })
  service = await startStubService({ registry: [one], config, access })
  const answer = await rawRequest(service.baseUrl, '/v1/things/7', options)
  return { ...answer, json: JSON.parse(answer.body.toString()) }
}

describe('an endpoint that is not available yet', () => {
  it('404 if the registry marks it as coming', async () => {
    const { status, json } = await ask(testEndpoint({ status: 'coming' }))
    expect(status).toBe(404)
    expect(json).toMatchObject({ error: 'not_found', message: expect.stringContaining('is coming') })
  })

  it('404 if the operator marks it as coming', async () => {
    expect((await ask(testEndpoint(), {}, { comingEndpoints: new Set(['/things/{id}']) })).status).toBe(404)
  })
})

describe('an endpoint of a higher plan', () => {
  it('401 without a key, and without CORS headers', async () => {
    const { status, json, headers } = await ask(testEndpoint({ plan: 'Pro' }))
    expect(status).toBe(401)
    expect(json).toMatchObject({ error: 'missing_key', message: expect.stringContaining('Authorization: Bearer') })
    expect(json).not.toHaveProperty('required_tier')
    expect(headers).not.toHaveProperty('access-control-allow-origin')
  })

  it('403 with the required plan for a key of a lower plan', async () => {
    const { status, json, headers } = await ask(testEndpoint({ plan: 'Pro' }), KEYED)
    expect(status).toBe(403)
    expect(json).toMatchObject({ error: 'tier_required', required_tier: 'Pro' })
    expect(headers).not.toHaveProperty('access-control-allow-origin')
  })

  it('200 for a key of its plan or a higher one', async () => {
    expect((await ask(testEndpoint({ plan: 'Developer' }), KEYED)).status).toBe(200)
  })
})

describe('a deprecated endpoint', () => {
  it('sends the Deprecation, Sunset and Link headers', async () => {
    const deprecation = {
      deprecatedAt: '2026-01-01T00:00:00Z',
      sunsetAt: '2027-01-01T00:00:00Z',
      link: 'https://prices.example/docs/changes',
    }
    expect((await ask(testEndpoint({ deprecation }))).headers).toMatchObject({
      deprecation: '@1767225600',
      sunset: 'Fri, 01 Jan 2027 00:00:00 GMT',
      link: '<https://prices.example/docs/changes>; rel="deprecation"',
    })
  })
})

describe('a reply that violates its schema', () => {
  const broken = testEndpoint({ handle: async () => ({ n: 1, extra: true }) })

  it('500 in tests and development', async () => {
    expect((await ask(broken)).json.error).toBe('internal_error')
    expect(service.logLines()).toContainEqual(expect.objectContaining({ event: 'reply_broke_contract' }))
  })

  it('200 in production, where replies are not checked', async () => {
    expect((await ask(broken, {}, { environment: 'production' })).status).toBe(200)
  })
})

describe('an endpoint that holds no slot of the concurrency limiter', () => {
  it('gets an aborted signal if the client disconnected before the handler ran', async () => {
    const { promise: identifying, resolve: identify } = Promise.withResolvers<void>()
    const { promise: left, resolve: handle } = Promise.withResolvers<AbortSignal>()
    const waiting = testEndpoint({
      cache: 'none',
      isQueued: false,
      async handle(request: { left: AbortSignal }) {
        handle(request.left)
        return { n: 1 }
      },
    })
    const known = knownKeys({ 'a-key': 'API' })
    const verify: typeof known.verify = async (...args) => {
      identify()
      await expect.poll(() => service.logLines()).toContainEqual(expect.objectContaining({ aborted: true }))
      return known.verify(...args)
    }
    service = await startStubService({ registry: [waiting], access: testAccess({ keys: { ...known, verify } }) })
    const req = get(`${service.baseUrl}/v1/things/7`, KEYED)
    req.on('error', () => {}) // the connection is cut
    await identifying
    req.destroy()
    expect(await left).toMatchObject({ aborted: true })
  })
})

describe('an endpoint with a request body', () => {
  const posting = testEndpoint({
    method: 'post',
    cache: 'none',
    body: z.strictObject({ n: z.number() }),
    handle: async ({ body }: { body: { n: number } }) => ({ n: body.n + 1 }),
  })
  const post = (body: string, headers = {}) =>
    ask(posting, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } })

  it('200 with Cache-Control: no-store', async () => {
    const { status, json, headers } = await post('{"n":41}')
    expect([status, json, headers['cache-control']]).toEqual([200, { n: 42 }, 'no-store'])
  })

  it.each([
    ['malformed JSON', '{"n":', {}, 'body'],
    ['JSON that is no object', '41', {}, 'body'],
    ['no body', '', {}, 'n'],
    ['another content type', '{"n":1}', { 'content-type': 'text/plain' }, 'body'],
    ['another charset', '{"n":1}', { 'content-type': 'application/json; charset=koi8-r' }, 'body'],
    ['more than 32 kB', `{"n":1,"pad":"${'x'.repeat(33_000)}"}`, {}, 'body'],
    ['an unknown field', '{"n":1,"m":2}', {}, 'm'],
    ['a field of the wrong type', '{"n":"1"}', {}, 'n'],
    ['a missing field', '{}', {}, 'n'],
    ['a body that is not gzip', '{"n":41}', { 'content-encoding': 'gzip' }, 'body', 'cannot be unpacked'],
    ['a body that is not deflate', '{"n":41}', { 'content-encoding': 'deflate' }, 'body', 'cannot be unpacked'],
    ['a body that is not Brotli', '{"n":41}', { 'content-encoding': 'br' }, 'body', 'cannot be unpacked'],
    ['an unknown encoding', '{"n":41}', { 'content-encoding': 'compress' }, 'body', 'unknown Content-Encoding'],
  ])('400 for %s', async (_name, body, headers, param, problem = '') => {
    const { status, json } = await post(body, headers)
    expect(status).toBe(400)
    expect(json).toMatchObject({ error: 'invalid_parameter', param, message: expect.stringContaining(problem) })
  })
})

describe('an operation without a request body', () => {
  const handled: unknown[] = []
  const resuming = testEndpoint({
    method: 'post',
    cache: 'none',
    async handle({ body }: { body: unknown }) {
      handled.push(body)
      return { n: 1 }
    },
  })
  const post = (body: string | undefined, headers: Record<string, string>) =>
    ask(resuming, { method: 'POST', headers, ...(body !== undefined && { body }) })
  beforeEach(() => void handled.splice(0))

  const JSON_TYPE = { 'content-type': 'application/json' }
  it.each([
    ['no body', undefined, {}],
    ['no body, but the content type of JSON', undefined, JSON_TYPE],
    ['an empty body', '', { ...JSON_TYPE, 'content-length': '0' }],
    ['an empty body in chunks', '', { 'transfer-encoding': 'chunked' }],
    ['an empty object', '{}', JSON_TYPE],
  ])('200 for %s', async (_name, body, headers) => {
    expect((await post(body, headers)).status).toBe(200)
    expect(handled).toEqual([undefined])
  })

  it.each([
    ['a field', '{"overlap_hours":1}', JSON_TYPE, 'overlap_hours'],
    ['a list', '[]', JSON_TYPE, 'body'],
    ['malformed JSON', '{"n":', JSON_TYPE, 'body'],
    ['another content type', 'n=1', { 'content-type': 'application/x-www-form-urlencoded' }, 'body'],
    ['text without a content type', 'now', {}, 'body'],
    ['more than 32 kB', ' '.repeat(33_000), JSON_TYPE, 'body'],
  ])('400 for %s, before anything is done', async (_name, body, headers, param) => {
    const { status, json } = await post(body, headers)
    expect([status, json]).toMatchObject([400, { error: 'invalid_parameter', param }])
    expect(handled).toEqual([])
  })
})

describe('the definition of an endpoint', () => {
  it('is refused if it has CSV but no table', () => {
    expect(() => testEndpoint({ formats: ['json', 'csv'] })).toThrow('come together')
  })
})
