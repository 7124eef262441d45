import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { stripAllowedInline } from '../../../support/pages.ts'
import { rawRequest, type StubService, startStubService } from '../../../support/stub-service.ts'

let service: StubService
beforeAll(async () => {
  service = await startStubService({ prices: [{ asset: 'PUN', day: '2026-11-21', price: 118.43 }] })
})
afterAll(() => service.stop())

/** Every kind of response. */
const RESPONSES: [method: string, target: string, status: number][] = [
  ['GET', '/v1', 200],
  ['GET', '/v1/', 200],
  ['GET', '/v1/today', 200],
  ['HEAD', '/v1/today', 200],
  ['OPTIONS', '/v1/today', 204],
  ['POST', '/v1/today', 405],
  ['GET', '/v1/psv/today', 503],
  ['GET', '/v1/openapi.json', 200],
  ['GET', '/v1/docs', 308],
  ['GET', '/v1/docs/', 200],
  ['GET', '/v1/docs/swagger-ui-init.js', 200],
  ['GET', '/v1/docs/swagger-ui.css', 200],
  ['GET', '/v1/docs/index.html', 404],
  ['GET', '/v1/docs/package.json', 404],
  ['GET', '/v1/nothing', 404],
  ['GET', '/v1/pun/TODAY', 404],
  ['GET', '/v1/prices/%ZZ/series', 400],
  ['GET', '/v1/prices/xyz/series', 400],
  ['GET', '/', 200],
  ['GET', '/it/', 200],
  ['GET', '/it/prices/pun', 200],
  ['GET', '/docs/errors', 200],
  ['GET', '/docs/sample-data', 200],
  ['GET', '/prices/pun', 200],
  ['GET', '/prices/psv', 200],
  ['GET', '/prices/xyz', 404],
  ['GET', '/nothing', 404],
  ['GET', '/healthz', 200],
  ['GET', '/readyz', 200],
]

it.each(RESPONSES)('%s %s: %i with a request id and the security headers', async (method, target, status) => {
  const answer = await rawRequest(service.baseUrl, target, { method, headers: { 'x-request-id': 'my-id_0.1' } })
  expect(answer.status).toBe(status)
  expect(answer.headers).toMatchObject({
    'x-request-id': 'my-id_0.1',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
    ...(status >= 400 && { 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' }),
  })
  expect(answer.headers).not.toHaveProperty('x-powered-by')
})

describe('X-Request-Id', () => {
  it.each(['short', 'x'.repeat(65), 'with space 123', 'quote"12345', 'ünïcödé-123'])(
    'is generated in place of the invalid %j',
    async (id) => {
      const { headers } = await rawRequest(service.baseUrl, '/v1/today', { headers: { 'x-request-id': id } })
      expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    },
  )
})

describe('pages', () => {
  it('load only local assets, and contain only inline scripts and styles that the policy allows', async () => {
    for (const target of ['/', '/docs/errors', '/docs/sample-data', '/prices/pun']) {
      const { body, headers } = await rawRequest(service.baseUrl, target)
      expect(headers['content-security-policy']).toMatch(
        /script-src 'self'( 'sha256-[^']+')+;style-src 'self'( 'sha256-[^']+')+;/,
      )
      expect(headers['content-security-policy']).not.toContain('unsafe')
      const loaded = [
        ...body.toString().matchAll(/<(?:script|link rel="(?:icon|stylesheet)"|img)[^>]* (?:src|href)="([^"]*)"/g),
      ]
      expect(loaded.length).toBeGreaterThan(1)
      expect(loaded.map(([, address]) => address).filter((address) => !address?.startsWith('/assets/'))).toEqual([])
      const html = stripAllowedInline(body.toString(), String(headers['content-security-policy']))
      expect(html).not.toMatch(/<script(?! src)|<style| style="| on\w+="/)
    }
  })

  it('return an HTML 404 to a browser for an unknown path', async () => {
    const headers = { accept: 'text/html' }
    const answer = await rawRequest(service.baseUrl, '/nothing<b>', { headers })
    expect([answer.status, answer.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    expect(answer.body.toString()).toContain('<h1>Page not found</h1>')
  })

  it('show the latest price of an index', async () => {
    const { body } = await rawRequest(service.baseUrl, '/prices/pun')
    expect(body.toString()).toContain('<data value="0.11843">0.11843</data> €/kWh')
    expect(body.toString()).toContain('Synthetic sample data')
  })

  it('contain the section that the `docs` link of an error points to', async () => {
    const refused = await rawRequest(service.baseUrl, '/v1/today?x=1')
    const { docs } = JSON.parse(refused.body.toString())
    expect(docs).toBe(`${service.baseUrl}/docs/errors#invalid_parameter`)
    expect((await rawRequest(service.baseUrl, '/docs/errors')).body.toString()).toContain('id="invalid_parameter"')
  })
})

describe('the API documentation', () => {
  it('allows only its own scripts, and loads the OpenAPI document of this service', async () => {
    const { headers } = await rawRequest(service.baseUrl, '/v1/docs/')
    expect(headers['content-security-policy']).toContain("script-src 'self'")
    expect(headers['content-security-policy']).toContain("connect-src 'self'")
    const init = await rawRequest(service.baseUrl, '/v1/docs/swagger-ui-init.js')
    expect(init.body.toString()).toContain('"swaggerUrl": "../openapi.json"')
  })
})
