/**
 * Attacks at the protocol level: request smuggling, header injection, cache poisoning, log
 * forging. OWASP API8:2023; README.md describes the coverage of each test.
 */
import { afterAll, describe, expect, it } from 'vitest'
import { endpoints } from '../../src/api/endpoints/index.ts'
import { REQUIRED } from '../contract/spec/requests.ts'
import { dailyPrice, zoneDay } from '../support/prices.ts'
import { sendRaw, statuses } from '../support/raw-http.ts'
import { serviceOfFile } from '../support/service.ts'
import { startStubService } from '../support/stub-service.ts'

const service = await serviceOfFile({ now: '2026-11-21T10:00:00Z' })
await service.seed([zoneDay('nazionale', '2026-11-21', 60, (hour) => hour), dailyPrice('PSV', '2026-11-20', 30)])
/** Under its canonical name, without a proxy. */
const canonicalService = await startStubService({
  config: { canonicalHost: true, baseUrl: new URL('https://energy.example') },
})
afterAll(() => canonicalService.stop())

/** A head exactly as stated: no client library adds or corrects anything. */
const request = (line: string, ...headers: string[]) => [`${line} HTTP/1.1`, ...headers, '', ''].join('\r\n')
/** Ends the connection. */
const FINAL_REQUEST = request('GET /v1/nothing', 'Host: x', 'Connection: close')
const SMUGGLED = request('GET /v1/status?smuggled', 'Host: x')
const post = (headers: string[], rest: string) =>
  request('POST /v1/tools/margin-simulator', 'Host: x', 'Content-Type: application/json', ...headers) + rest

/** Bytes that two parsers could read as two different sequences of requests. */
const SMUGGLING: Record<string, string> = {
  'both lengths': post(['Content-Length: 6', 'Transfer-Encoding: chunked'], `0\r\n\r\n${SMUGGLED}`),
  'both lengths, the other way round': post(
    ['Transfer-Encoding: chunked', 'Content-Length: 6'],
    `0\r\n\r\n${SMUGGLED}`,
  ),
  'two lengths': post(['Content-Length: 0', `Content-Length: ${SMUGGLED.length}`], SMUGGLED),
  'a list of lengths': post([`Content-Length: 0, ${SMUGGLED.length}`], SMUGGLED),
  'a signed length': post(['Content-Length: +0'], SMUGGLED),
  'a negative length': post(['Content-Length: -1'], SMUGGLED),
  'a length in hexadecimal': post(['Content-Length: 0x0'], SMUGGLED),
  'a length of 2^64': post(['Content-Length: 18446744073709551616'], SMUGGLED),
  'a blank before the colon': post(['Transfer-Encoding : chunked', 'Content-Length: 0'], SMUGGLED),
  'an unknown coding last': post(['Transfer-Encoding: chunked, xchunked'], `0\r\n\r\n${SMUGGLED}`),
  'a coding twice': post(['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'], `0\r\n\r\n${SMUGGLED}`),
  'a coding with a vertical tab': post(['Transfer-Encoding:\x0bchunked', 'Content-Length: 0'], SMUGGLED),
  'a folded header': post(['Content-Length: 0', 'X-Folded: a', ' Transfer-Encoding: chunked'], SMUGGLED),
  'a bare carriage return in a header': post(['Content-Length: 0', 'X-A: b\rTransfer-Encoding: chunked'], SMUGGLED),
  'a bare line feed between headers': `POST /v1/tools/margin-simulator HTTP/1.1\nHost: x\nContent-Length: 0\n\n${SMUGGLED}`,
  'a zero byte in a header': post(['Content-Length: 0', 'X-A: \0b'], SMUGGLED),
  'a chunk of 2^64 bytes': post(['Transfer-Encoding: chunked'], `FFFFFFFFFFFFFFFFF\r\n${SMUGGLED}`),
  'a chunk size that is none': post(['Transfer-Encoding: chunked'], `0x1\r\nx\r\n0\r\n\r\n${SMUGGLED}`),
  'a chunk longer than it says': post(['Transfer-Encoding: chunked'], `1\r\nxx\r\n0\r\n\r\n${SMUGGLED}`),
  'a chunk extension with a line feed': post(['Transfer-Encoding: chunked'], `1;a\nb\r\nx\r\n0\r\n\r\n${SMUGGLED}`),
  'two versions': `GET /v1/status HTTP/1.1 HTTP/1.1\r\nHost: x\r\n\r\n${SMUGGLED}`,
  'another protocol': `GET /v1/status HTTP/2.0\r\nHost: x\r\n\r\n${SMUGGLED}`,
}

describe('request parsing', () => {
  it.each(Object.entries(SMUGGLING))('%s: one 400, and nothing after it is read', async (_name, bytes) => {
    const received = await sendRaw(service.baseUrl, bytes)
    expect(statuses(received)).toEqual([400])
    expect(received).toMatch(/^Connection: close\r$/m)
    expect(service.logText()).not.toContain('smuggled')
  })

  it('an unexpected body is not read as the next request', async () => {
    const head = request('GET /v1/status', 'Host: x', `Content-Length: ${SMUGGLED.length}`)
    expect(statuses(await sendRaw(service.baseUrl, head + SMUGGLED + FINAL_REQUEST))).toEqual([200, 404])
    expect(service.logText()).not.toContain('smuggled')
  })

  it.each(['CONNECT other.example:443', 'TRACE /v1/status', 'PROPFIND /v1/status'])(
    '%s is refused, and its headers are not echoed',
    async (line) => {
      const bytes = request(line, 'Host: x', 'X-Mine: reflected', 'Connection: close')
      const received = await sendRaw(service.baseUrl, bytes)
      expect(received).toMatch(/^HTTP\/1\.1 4\d\d /)
      expect(received).not.toContain('reflected')
    },
  )

  const head = (...headers: string[]) =>
    request('GET /v1/status', ...headers, 'X-Request-Id: my-id_0.1', 'Connection: close')
  it.each([
    ['two hosts', head('Host: x', 'Host: evil.example'), 400, 'Host'],
    ['two hosts in other letters', head('Host: x', 'hOST: x'), 400, 'Host'],
    ['no host', head(), 400, 'Host'],
    ['two keys', head('Host: x', 'Authorization: Bearer a', 'authorization: Bearer b'), 400, 'Authorization'],
    ['an expectation that nobody knows', head('Host: x', 'Expect: bogus'), 417, 'Expect'],
    ['one of several expectations', head('Host: x', 'Expect: 100-continue, bogus'), 417, 'Expect'],
  ])('%s: refused with the documented error body', async (_name, bytes, status, param) => {
    const received = await sendRaw(service.baseUrl, bytes)
    const [answerHead = '', body = ''] = received.split('\r\n\r\n').slice(-2)
    expect(answerHead).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(answerHead).toContain('X-Request-Id: my-id_0.1')
    expect(answerHead).toContain('Cache-Control: no-store')
    expect(JSON.parse(body)).toMatchObject({ error: 'invalid_parameter', param })
  })

  it('HTTP/1.0 needs no host', async () => {
    expect(statuses(await sendRaw(service.baseUrl, 'GET /v1/status HTTP/1.0\r\n\r\n'))).toEqual([200])
  })

  it('a head of more than 16 kB is refused', async () => {
    const bytes = request('GET /v1/status', 'Host: x', `X-Long: ${'x'.repeat(20_000)}`)
    expect(statuses(await sendRaw(service.baseUrl, bytes))).toEqual([431])
  })
})

describe('response headers', () => {
  it.each(['%0d%0a', '%0a', '%E5%98%8A%E5%98%8D', '%00'])('contain nothing injected after %s', async (lineBreak) => {
    const text = `${lineBreak}X-Injected:%201`
    for (const { baseUrl } of [service, canonicalService]) {
      for (const target of [
        `/${text}`,
        `/v1/prices/${text}/series`,
        `/v1/prices/pun/series?format=csv&from=${text}`,
        `/?${text}`,
      ]) {
        const received = await sendRaw(baseUrl, request(`GET ${target}`, 'Host: x', 'Connection: close'))
        expect(statuses(received), target).toHaveLength(1)
        expect(received, target).not.toMatch(/^X-Injected/im)
      }
    }
  })

  it.each(['//evil.example/', '/\\evil.example', 'https://evil.example/', '/.//evil.example', '/%2f/evil.example'])(
    'redirect %s to the canonical host only',
    async (target) => {
      const bytes = request(`GET ${target}`, 'Host: evil.example', 'Connection: close')
      const received = await sendRaw(canonicalService.baseUrl, bytes)
      expect(received).toMatch(/^Location: https:\/\/energy\.example\//m)
    },
  )

  it('contain only well-formed request ids', async () => {
    const bytes = request('GET /v1/status', 'Host: x', 'X-Request-Id: 12345678\tX-Injected: 1', 'Connection: close')
    expect(await sendRaw(service.baseUrl, bytes)).not.toContain('X-Injected')
  })
})

/** Headers with which a client could poison a response that a cache then serves to others. */
const POISONS: Record<string, string> = {
  host: 'evil.example',
  'x-forwarded-host': 'evil.example',
  'x-forwarded-proto': 'http',
  'x-forwarded-port': '1',
  'x-forwarded-prefix': '/evil',
  'x-forwarded-server': 'evil.example',
  'x-forwarded-for': '10.0.0.1',
  forwarded: 'host=evil.example;proto=http',
  'x-host': 'evil.example',
  'x-original-url': '/evil',
  'x-rewrite-url': '/evil',
  'x-http-method-override': 'DELETE',
  'x-method-override': 'DELETE',
  'x-original-host': 'evil.example',
  origin: 'https://evil.example',
  referer: 'https://evil.example/',
  'accept-language': 'evil',
  'user-agent': '<script>evil</script>',
}

const PUBLIC_ADDRESSES = [
  ...endpoints
    .filter(
      ({ method, plan, path }) => method === 'get' && plan === 'Open' && !path.includes(':') && !path.includes('{'),
    )
    .map(({ method, path }) => {
      const { query = {} } = REQUIRED[`${method.toUpperCase()} ${path}`] ?? {}
      return `/v1${path === '/' ? '' : path}${Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : ''}`
    }),
  '/v1/prices/pun/series',
  '/v1/prices/brent/series?unit=kwh',
  '/v1/nothing',
  '/',
  '/docs/errors',
]

describe('cacheable responses', () => {
  /** Head and body, without parts that differ between requests. */
  const answerTo = async (target: string, headers: Record<string, string>) => {
    const sent = Object.entries({ host: new URL(service.baseUrl).host, ...headers, connection: 'close' })
    const bytes = request(`GET ${target}`, ...sent.map(([name, value]) => `${name}: ${value}`))
    const received = await sendRaw(service.baseUrl, bytes)
    return received.replace(/^(date|x-request-id|x-ratelimit-\w+|ratelimit[\w-]*): .*\r\n/gim, '')
  }

  it('are tested for more than 15 public URLs', () => {
    expect(PUBLIC_ADDRESSES.length).toBeGreaterThan(15)
  })

  it.each(PUBLIC_ADDRESSES)(
    '%s: poisoned headers change neither their own response nor the next client’s',
    async (target) => {
      const poisoned = await answerTo(target, POISONS)
      const clean = await answerTo(target, {})
      expect(clean).toMatch(/^HTTP\/1\.1 (200|400|404|503) [\s\S]*\r\n\r\n[\s\S]{100}/)
      expect(poisoned).toBe(clean)
      expect(clean).not.toContain('evil')
    },
  )

  it.each(Object.entries(POISONS))('are not changed by a single header: %s', async (name, value) => {
    const clean = await answerTo('/v1/today', {})
    expect(clean).toMatch(/^HTTP\/1\.1 200 /)
    expect(await answerTo('/v1/today', { [name]: value })).toBe(clean)
  })
})

it('a client cannot inject lines or colours into the log', async () => {
  const before = service.logText().length
  const line = '{"level":"error","msg":"made up"}'
  const target = `/v1/x%0a${encodeURIComponent(line)}?a=%1b[31m%0d%0a`
  const bytes = request(`GET ${target}`, 'Host: x', `X-Request-Id: ${line}`, 'Connection: close')
  await sendRaw(service.baseUrl, bytes)
  await expect.poll(() => service.logText().slice(before)).toContain('\n')
  const lines = service.logText().slice(before).trimEnd().split('\n')
  const shown = lines.map((text) => JSON.parse(text) as { msg: string })
  expect(shown.map(({ msg }) => msg)).not.toContain('made up')
  expect(/\p{Cc}/u.test(lines.join(''))).toBe(false)
})
