import { afterEach, describe, expect, it } from 'vitest'
import { rawRequest, type StubOptions, type StubService, startStubService } from '../../../support/stub-service.ts'

const HTTPS = new URL('https://prices.example/')
let service: StubService
afterEach(() => service.stop())

/** Returns the status and where it redirects to. */
async function ask(target: string, headers: Record<string, string>, config: StubOptions['config'] = {}) {
  service = await startStubService({ config: { baseUrl: HTTPS, canonicalHost: true, ...config } })
  const answer = await rawRequest(service.baseUrl, target, { headers })
  return [answer.status, answer.headers.location]
}

describe('a request for another host name', () => {
  it.each([
    ['/v1/pun/today?a=1%20b', 'https://prices.example/v1/pun/today?a=1%20b'],
    ['//evil.example/', 'https://prices.example//evil.example/'],
    ['http://evil.example/x', 'https://prices.example/'],
  ])('308 to the canonical host, whatever its target: %s', async (target, location) => {
    expect(await ask(target, { host: 'old.example' })).toEqual([308, location])
  })

  it.each(['/healthz', '/readyz'])('200 from %s under any host name', async (target) => {
    expect(await ask(target, { host: '10.0.0.7:8080' })).toEqual([200, undefined])
  })

  it('200 if the redirect is disabled', async () => {
    expect(await ask('/v1', { host: 'old.example' }, { canonicalHost: false })).toEqual([200, undefined])
  })

  it.each([
    ['in capitals', 'https://prices.example/', 'PRICES.Example', 200],
    ['with the port of HTTPS', 'https://prices.example/', 'prices.example:443', 200],
    ['with the port of HTTP', 'http://prices.example/', 'prices.example:80', 200],
    ['with its own port', 'https://prices.example:8443/', 'Prices.example:8443', 200],
    ['without its own port', 'https://prices.example:8443/', 'prices.example', 308],
    ['with another port', 'https://prices.example/', 'prices.example:8443', 308],
    ['with a path behind it', 'https://prices.example/', 'prices.example/x', 308],
  ])('is redirected only if its host or port differs: %s', async (_how, baseUrl, host, status) => {
    expect((await ask('/v1', { host }, { baseUrl: new URL(baseUrl) }))[0]).toBe(status)
  })
})

describe('the host name and scheme that a proxy reports', () => {
  const OTHER_HOST = { 'x-forwarded-host': 'old.example' }
  const HTTP = { 'x-forwarded-proto': 'http' }

  it.each([
    [308, 'another host from a trusted proxy', OTHER_HOST, ['127.0.0.1']],
    [200, 'another host from an untrusted client', OTHER_HOST, []],
    [308, 'HTTP from a trusted proxy', HTTP, ['loopback']],
    [200, 'HTTP from an untrusted client', HTTP, []],
    [200, 'HTTPS from a trusted proxy', { 'x-forwarded-proto': 'https' }, ['loopback']],
  ])('%i for %s', async (status, _name, headers, trustedProxies) => {
    const location = status === 308 ? 'https://prices.example/v1' : undefined
    expect(await ask('/v1', { host: 'prices.example', ...headers }, { trustedProxies })).toEqual([status, location])
  })
})

describe('Strict-Transport-Security', () => {
  it.each([
    ['https://prices.example/', 'max-age=31536000; includeSubDomains'],
    ['http://127.0.0.1:8080/', undefined],
  ])('is sent only by a service with HTTPS: %s', async (baseUrl, header) => {
    service = await startStubService({ config: { baseUrl: new URL(baseUrl) } })
    const { headers } = await rawRequest(service.baseUrl, '/v1')
    expect(headers['strict-transport-security']).toBe(header)
  })
})
