import { afterEach, describe, expect, it } from 'vitest'
import { rawRequest, type StubOptions, type StubService, startStubService } from '../../../support/stub-service.ts'

const HTTPS = new URL('https://prices.example/')
let service: StubService
afterEach(() => service.stop())

async function ask(config: StubOptions['config'], target: string, headers: Record<string, string>) {
  service = await startStubService({ config: { baseUrl: HTTPS, canonicalHost: true, ...config } })
  const answer = await rawRequest(service.baseUrl, target, { headers })
  return [answer.status, answer.headers.location] as const
}

describe('a request for another host name', () => {
  it('308 to the canonical host with the same path and query', async () => {
    expect(await ask({}, '/v1/pun/today?a=1%20b', { host: 'old.example' })).toEqual([
      308,
      'https://prices.example/v1/pun/today?a=1%20b',
    ])
  })

  it('308 to the canonical host even for an absolute or protocol-relative URL', async () => {
    expect(await ask({}, '//evil.example/', { host: 'old.example' })).toEqual([
      308,
      'https://prices.example//evil.example/',
    ])
    await service.stop()
    expect(await ask({}, 'http://evil.example/x', { host: 'old.example' })).toEqual([308, 'https://prices.example/'])
  })

  it.each(['/healthz', '/readyz'])('200 from %s under any host name', async (target) => {
    expect(await ask({}, target, { host: '10.0.0.7:8080' })).toEqual([200, undefined])
  })

  it('200 if the redirect is disabled', async () => {
    expect((await ask({ canonicalHost: false }, '/v1', { host: 'old.example' }))[0]).toBe(200)
  })

  it.each([
    ['in capitals', 'https://prices.example/', 'PRICES.Example', 200],
    ['with the port of HTTPS', 'https://prices.example/', 'prices.example:443', 200],
    ['with the port of HTTP', 'http://prices.example/', 'prices.example:80', 200],
    ['with its own port', 'https://prices.example:8443/', 'Prices.example:8443', 200],
    ['without its own port', 'https://prices.example:8443/', 'prices.example', 308],
    ['with another port', 'https://prices.example/', 'prices.example:8443', 308],
    ['with a path behind it', 'https://prices.example/', 'prices.example/x', 308],
  ])(
    'is redirected only if its host or port differs, not if it is written differently: %s',
    async (_how, baseUrl, host, status) => {
      expect((await ask({ baseUrl: new URL(baseUrl) }, '/v1', { host }))[0]).toBe(status)
    },
  )

  it('is recognised by X-Forwarded-Host only behind a trusted proxy', async () => {
    const headers = { host: 'prices.example', 'x-forwarded-host': 'old.example' }
    expect((await ask({}, '/v1', headers))[0]).toBe(200)
    await service.stop()
    expect((await ask({ trustedProxies: ['127.0.0.1'] }, '/v1', headers))[0]).toBe(308)
  })
})

describe('plain HTTP to an HTTPS service', () => {
  const headers = { host: 'prices.example', 'x-forwarded-proto': 'http' }

  it('308 to HTTPS behind a trusted proxy', async () => {
    expect(await ask({ trustedProxies: ['loopback'] }, '/v1', headers)).toEqual([308, 'https://prices.example/v1'])
  })

  it('200 if X-Forwarded-Proto comes from an untrusted client', async () => {
    expect((await ask({}, '/v1', headers))[0]).toBe(200)
  })

  it('200 if a trusted proxy reports https', async () => {
    expect((await ask({ trustedProxies: ['loopback'] }, '/v1', { ...headers, 'x-forwarded-proto': 'https' }))[0]).toBe(
      200,
    )
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
