import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SQL_PAGE_PATH } from '../../../../src/web/sql/content.ts'
import { rawRequest, type StubService, startStubService } from '../../../support/stub-service.ts'

let service: StubService
beforeAll(async () => {
  service = await startStubService({ prices: [{ asset: 'PUN', day: '2026-11-21', price: 118.43 }] })
})
afterAll(() => service.stop())

describe('methods', () => {
  it.each(['POST', 'PUT', 'DELETE', 'PATCH'])('405 for %s with the methods in Allow', async (method) => {
    const answer = await rawRequest(service.baseUrl, '/v1/pun/today', { method })
    expect(answer.status).toBe(405)
    expect(answer.headers.allow).toBe('GET, HEAD, OPTIONS')
    expect(JSON.parse(answer.body.toString())).toMatchObject({ error: 'method_not_allowed' })
  })
})

describe('methods of pages', () => {
  it.each([
    ['/', 'POST', 'GET, HEAD'],
    ['/it', 'PUT', 'GET, HEAD'],
    ['/en/prices/pun', 'DELETE', 'GET, HEAD'],
    ['/docs/errors', 'PATCH', 'GET, HEAD'],
    [SQL_PAGE_PATH, 'PUT', 'GET, HEAD, POST'],
  ])('405 for %s with %s', async (path, method, allow) => {
    const answer = await rawRequest(service.baseUrl, path, { method })
    expect([answer.status, answer.headers.allow]).toEqual([405, allow])
  })
})

describe('methods of health checks and API docs', () => {
  it.each(
    ['/healthz', '/readyz', '/v1/docs', '/v1/docs/', '/v1/docs/swagger-ui.css'].flatMap((path) =>
      ['POST', 'PUT', 'OPTIONS'].map((method) => [method, path]),
    ),
  )('405 for %s %s with the methods in Allow', async (method = '', path = '') => {
    const answer = await rawRequest(service.baseUrl, path, { method })
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD'])
  })
})

describe('CORS on Open endpoints', () => {
  it.each([
    ['/v1/pun/today', 200],
    ['/v1/psv/today', 503],
    ['/v1/prices/pun/series?unit=x', 400],
  ])('allows scripts to read %s', async (target, status) => {
    const answer = await rawRequest(service.baseUrl, target, { headers: { origin: 'https://page.example' } })
    expect(answer.status).toBe(status)
    expect(answer.headers['access-control-allow-origin']).toBe('*')
    expect(answer.headers['access-control-expose-headers']).toBe(
      'X-Request-Id, ETag, Retry-After, X-Interval-Truncated, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Quota-Remaining, ' +
        'RateLimit, RateLimit-Policy',
    )
  })

  it('204 for a preflight request', async () => {
    const answer = await rawRequest(service.baseUrl, '/v1/prices/pun/series', {
      method: 'OPTIONS',
      headers: { origin: 'https://page.example', 'access-control-request-method': 'GET' },
    })
    expect(answer.status).toBe(204)
    expect(answer.body).toHaveLength(0)
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, OPTIONS',
      'access-control-max-age': '86400',
    })
    expect(answer.headers['access-control-allow-headers']).not.toMatch(/authorization/i)
  })
})
