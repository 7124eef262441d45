import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sendRaw } from '../../../support/raw-http.ts'
import { rawRequest, type StubService, startStubService } from '../../../support/stub-service.ts'

let service: StubService
beforeEach(async () => {
  service = await startStubService()
})
afterEach(() => service.stop())

async function get(target: string, headers: Record<string, string> = {}) {
  const answer = await rawRequest(service.baseUrl, target, { headers })
  const text = answer.body.toString()
  const isJson = answer.headers['content-type']?.startsWith('application/json')
  return { ...answer, text, json: isJson ? JSON.parse(text) : undefined }
}

describe('an unexpected error', () => {
  it('500 without details, which are logged under the request id', async () => {
    service.failWith(new Error('relation "secrets" does not exist'))
    const { status, headers, json } = await get('/v1/today')
    expect(status).toBe(500)
    expect(json).toEqual({
      error: 'internal_error',
      message: 'Something went wrong on our side. Please try again.',
      docs: `${service.baseUrl}/docs/errors#internal_error`,
    })
    expect(service.logLines()).toContainEqual(
      expect.objectContaining({
        level: 'error',
        event: 'request_failed',
        endpoint: 'GET /v1/today',
        requestId: headers['x-request-id'],
        err: expect.objectContaining({ message: 'relation "secrets" does not exist' }),
      }),
    )
  })
})

describe('an unreachable database', () => {
  it('503 internal_error with Retry-After', async () => {
    service.failWith(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }))
    const { status, headers, json } = await get('/v1/today')
    expect([status, headers['retry-after'], json.error]).toEqual([503, '10', 'internal_error'])
  })

  it('leaves /healthz at 200, while /readyz returns 503', async () => {
    service.setReady(false)
    expect((await get('/healthz')).status).toBe(200)
    const { status, json } = await get('/readyz')
    expect(status).toBe(503)
    expect(json).toEqual({ ready: false, checks: { database: 'stopping' } })
    expect(service.readCount()).toBe(0)
    expect(service.logLines()).toContainEqual(expect.objectContaining({ url: '/readyz', status: 503, level: 'warn' }))
  })
})

describe('an API key in the wrong place', () => {
  const KEY = `svc_live_${'0123456789abcdefABCDEF0123456789'}`

  it.each([
    ['the value of a parameter', `/v1/prices/pun/series?unit=${KEY}`, {}],
    ['the name of a parameter', `/v1/today?${KEY}=1`, {}],
    ['a malformed parameter', `/v1/today?${KEY}=%ZZ`, {}],
    ['the path', `/v1/prices/${KEY}/series`, {}],
    ['an unknown path', `/v1/${KEY}`, {}],
    ['the request id', '/v1/today', { 'x-request-id': KEY }],
    ['another scheme', '/v1/today', { authorization: `Basic ${KEY}` }],
    ['the page of an error', `/${KEY}`, { accept: 'text/html' }],
  ])('appears neither in the response nor in the log: %s', async (_name, target, headers) => {
    const answer = await get(target, headers)
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.text + JSON.stringify(answer.headers)).not.toContain(KEY.slice(9))
    expect(JSON.stringify(service.logLines())).not.toContain(KEY.slice(9))
  })
})

describe('the access log', () => {
  it('has one line per request, with a level by status and the key redacted', async () => {
    await get('/v1/docs/')
    await get('/v1/prices/pun/series?key=svc_live_abcdef', { 'x-request-id': 'request-1' })
    await get('/v1/psv/today')
    await get('/v1/today?x=1')
    const lines = service.logLines().filter((line) => line.msg === 'request')
    expect(lines.map(({ level, status, error, endpoint, plan }) => [level, status, error, endpoint, plan])).toEqual([
      ['info', 200, undefined, undefined, undefined],
      ['warn', 401, 'missing_key', 'GET /v1/prices/{asset}/series', undefined],
      // Not yet published: not an error of client or server.
      ['warn', 503, 'no_data', 'GET /v1/psv/today', 'Open'],
      ['warn', 400, 'invalid_parameter', 'GET /v1/today', 'Open'],
    ])
    const url = '/v1/prices/pun/series?key=[redacted]'
    expect(lines[1]).toMatchObject({ requestId: 'request-1', url, method: 'GET' })
    expect(lines[1]?.durationMs).toBeTypeOf('number')
    expect(lines[1]?.bytes).toBeGreaterThan(0)
    expect(JSON.stringify(lines)).not.toContain('abcdef')
  })

  it('contains the URL as sent, whatever its characters', async () => {
    const address = '/v1/a"\\:b@c'
    await sendRaw(service.baseUrl, `GET ${address} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
    expect(service.logLines().filter((line) => line.msg === 'request')).toMatchObject([{ url: address, status: 404 }])
  })
})

describe('requests during the initial import', () => {
  it('503 no_data with a Retry-After of seconds, until the import ends', async () => {
    service.setFilling(true)
    const { status, headers, json } = await get('/v1/ttf/today')
    expect([status, headers['retry-after']]).toEqual([503, '5'])
    expect(json).toMatchObject({
      error: 'no_data',
      message: 'Prices are being stored at the moment. Please try again shortly.',
    })
    service.setFilling(false)
    const after = await get('/v1/ttf/today')
    expect(after.json.message).toMatch(/not published yet/)
    expect(Number(after.headers['retry-after'])).toBeGreaterThan(60)
  })

  it('503 even for data already stored, and the response is not cached', async () => {
    service.publish([{ asset: 'PUN', day: '2024-05-30', price: 99 }])
    expect((await get('/v1/today')).status).toBe(200)
    service.setFilling(true)
    expect((await get('/v1/today')).status).toBe(503)
    service.setFilling(false)
    expect((await get('/v1/today')).status).toBe(200)
  })

  it('503 for pages too, but 200 for endpoints without stored data', async () => {
    service.setFilling(true)
    expect(await get('/en/', { accept: 'text/html' })).toMatchObject({
      status: 503,
      headers: { 'retry-after': '5', refresh: '5', 'content-type': 'text/html; charset=utf-8' },
    })
    const { text } = await get('/it/', { accept: 'text/html' })
    expect(text).toContain('I prezzi sono in arrivo')
    expect(text).not.toContain('Qualcosa è andato storto')
    expect((await get('/v1/plans')).status).toBe(200)
  })
})
