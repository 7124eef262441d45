import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { gzipSync } from 'node:zlib'
import { Agent } from 'undici'
import { afterEach, describe, expect, it } from 'vitest'
import {
  type HttpClientOptions,
  type HttpRequest,
  makeHttpClient,
  retryAfterSeconds,
} from '../../../../src/platform/fetch/http-client.ts'
import { BudgetSpent, SourceRefused, SourceUnreachable } from '../../../../src/platform/fetch/outcomes.ts'
import { RequestThrottle } from '../../../../src/platform/fetch/request-throttle.ts'
import { Secret } from '../../../../src/platform/secret.ts'
import { listenLocally } from '../../../support/local-server.ts'

const NOW = Temporal.Instant.from('2026-11-21T12:00:00Z')
const SECRET = new Secret('example-secret-8c1d/+')
const ENCODED_SECRET = encodeURIComponent(SECRET.reveal())

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

/** A client, and a server that uses the listeners in turn, and the last one for all further requests. */
async function clientFor(listeners: RequestListener[], options: Partial<HttpClientOptions> = {}, budget = Infinity) {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    listeners[Math.min(requests.length, listeners.length) - 1]?.(request, response)
  })
  const { baseUrl: base, [Symbol.asyncDispose]: close } = await listenLocally(server)
  const dispatcher = new Agent()
  stops.push(async () => {
    await dispatcher.destroy()
    await close()
  })
  const pauses: number[] = []
  const sleep = async (milliseconds: number) => {
    if (milliseconds > 0) pauses.push(milliseconds)
  }
  let left = budget
  const takeFromBudget = async () => left-- > 0
  const throttle = new RequestThrottle({ minIntervalMs: 0, concurrency: 1, takeFromBudget, sleep })
  const client = makeHttpClient({
    dispatcher: async () => dispatcher,
    userAgent: 'test/1 (+https://energy.example)',
    clock: { now: () => NOW },
    throttle,
    sleep,
    random: () => 0,
    ...options,
  })
  const ask = (request: Partial<HttpRequest> = {}) =>
    client.send({ url: new URL('/data?day=1', base), signal: new AbortController().signal, ...request })
  return { ask, requests, pauses, base, client }
}

const answer =
  (status: number, body: string | Buffer = '', headers: Record<string, string> = {}): RequestListener =>
  (_request, response) => {
    response.writeHead(status, headers).end(body)
  }

describe('a response', () => {
  it('has its decompressed bytes and its headers', async () => {
    const { ask, requests } = await clientFor([
      answer(200, gzipSync('hello'), { 'content-encoding': 'gzip', etag: '"1"', 'set-cookie': 'a=1; path=/' }),
    ])
    const got = await ask()
    expect(got?.bytes.toString()).toBe('hello')
    expect(got?.headers.get('etag')).toBe('"1"')
    expect(got).toMatchObject({ status: 200, cookies: ['a=1'], receivedAt: NOW })
    expect(requests[0]?.headers['user-agent']).toBe('test/1 (+https://energy.example)')
  })

  it('is requested conditionally if its validators are known', async () => {
    const validatorsOf = async (address: string) =>
      address.endsWith('/data?day=1') ? { etag: '"v"', lastModified: null } : undefined
    const { ask, requests, base } = await clientFor([answer(304)], { validatorsOf })
    expect(await ask({ conditional: true })).toBeUndefined()
    expect(requests[0]?.headers['if-none-match']).toBe('"v"')
    await ask({ conditional: true, url: new URL('/other', base) })
    expect(requests[1]?.headers).not.toHaveProperty('if-none-match')
  })

  it('is refused above the size limit, which applies to the decompressed body', async () => {
    const bomb = gzipSync(Buffer.alloc(2_000_000))
    const { ask, requests } = await clientFor([answer(200, bomb, { 'content-encoding': 'gzip' })])
    await expect(ask({ maxBytes: 100_000 })).rejects.toThrow(/more than 100000 bytes/)
    expect(requests).toHaveLength(1)
  })

  it.each([
    ['packed otherwise', answer(200, 'x', { 'content-encoding': 'zstd' }), /in the encoding zstd/],
    ['not what it says', answer(200, 'plain', { 'content-encoding': 'gzip' }), /not sound gzip/],
  ])('is refused if its body is %s', async (_name, listener, reason) => {
    const { ask } = await clientFor([listener])
    await expect(ask()).rejects.toThrow(reason)
  })
})

describe('a request to a publisher', () => {
  it.each([429, 500, 502, 503, 504])('is retried after %d with growing pauses', async (status) => {
    const { ask, pauses } = await clientFor([answer(status), answer(status), answer(200, 'at last')])
    expect((await ask())?.bytes.toString()).toBe('at last')
    expect(pauses).toEqual([1_000, 2_000])
  })

  it('is retried after the Retry-After of the publisher', async () => {
    const { ask, pauses } = await clientFor([answer(503, '', { 'retry-after': '7' }), answer(200)])
    await ask()
    expect(pauses).toEqual([7_000])
  })

  it('is not retried after a long Retry-After, which is passed to the caller', async () => {
    const { ask, requests } = await clientFor([answer(429, '', { 'retry-after': 'Sat, 21 Nov 2026 13:00:00 GMT' })])
    await expect(ask()).rejects.toMatchObject({ name: 'SourceUnreachable', retryable: true, retryAfterSeconds: 3600 })
    expect(requests).toHaveLength(1)
  })

  it.each([400, 404, 410, 422])('is not retried after %d', async (status) => {
    const { ask, requests } = await clientFor([answer(status, 'no such thing')])
    await expect(ask()).rejects.toMatchObject({ retryable: false, message: expect.stringMatching(/no such thing/) })
    expect(requests).toHaveLength(1)
  })

  it.each([401, 403])('is not retried after %d, which means refused credentials', async (status) => {
    const { ask, requests } = await clientFor([answer(status)])
    await expect(ask()).rejects.toBeInstanceOf(SourceRefused)
    expect(requests).toHaveLength(1)
  })

  it('is tried three times if the connection breaks', async () => {
    const { ask, requests } = await clientFor([(request) => request.socket.destroy()])
    await expect(ask()).rejects.toBeInstanceOf(SourceUnreachable)
    expect(requests).toHaveLength(3)
  })

  it('is not retried after an abort', async () => {
    const stopping = new AbortController()
    const stop: RequestListener = (_request, response) => {
      response.writeHead(500).end()
      stopping.abort(new Error('stopping'))
    }
    const { ask, requests } = await clientFor([stop])
    await expect(ask({ signal: stopping.signal })).rejects.toThrow('stopping')
    expect(requests).toHaveLength(1)
  })

  it("is retried only within the day's budget", async () => {
    const { ask, requests } = await clientFor([answer(500)], {}, 2)
    await expect(ask()).rejects.toBeInstanceOf(BudgetSpent)
    expect(requests).toHaveLength(2)
  })
})

describe('Retry-After', () => {
  it.each([
    ['120', 120],
    ['Sat, 21 Nov 2026 12:05:00 GMT', 300],
    ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
    ['soon', undefined],
    ['-5', undefined],
    [undefined, undefined],
  ])('%s is %s seconds', (header, seconds) => {
    expect(retryAfterSeconds(header, NOW)).toBe(seconds)
  })
})

describe('a redirect', () => {
  it('is followed on the same host', async () => {
    const { ask, requests } = await clientFor([answer(302, '', { location: '/elsewhere' }), answer(200, 'there')])
    expect((await ask())?.bytes.toString()).toBe('there')
    expect(requests[1]?.url).toBe('/elsewhere')
  })

  it.each([
    ['to another host', 'http://localhost:1/x'],
    ['to nowhere', 'http://'],
    ['with credentials', '//user:word@127.0.0.1'],
  ])('%s is not followed', async (_name, location) => {
    const { ask, requests } = await clientFor([answer(302, '', { location })])
    await expect(ask()).rejects.toMatchObject({ retryable: false })
    expect(requests).toHaveLength(1)
  })

  it('loop ends with an error after three redirects', async () => {
    const { ask, requests } = await clientFor([answer(302, '', { location: '/again' })])
    await expect(ask()).rejects.toThrow(/more than 3 times/)
    expect(requests).toHaveLength(4)
  })
})

describe('a secret', () => {
  const request = {
    secretQuery: { api_key: SECRET },
    secretHeaders: { authorization: SECRET },
    method: 'POST' as const,
    body: SECRET,
  }

  it('is sent in the query and in a header', async () => {
    const { ask, requests } = await clientFor([answer(200)])
    await ask(request)
    expect(new URL(requests[0]?.url ?? '', 'http://x').searchParams.get('api_key')).toBe(SECRET.reveal())
    expect(requests[0]?.headers.authorization).toBe(SECRET.reveal())
  })

  it.each([
    ['an error page repeats it', answer(400, `bad key ${SECRET.reveal()} / ${ENCODED_SECRET}`)],
    ['a redirect repeats it', answer(302, '', { location: `http://localhost/?k=${ENCODED_SECRET}` })],
    ['the connection breaks', (incoming: IncomingMessage) => incoming.socket.destroy()],
  ])('appears in no error when %s', async (_name, listener) => {
    const { ask } = await clientFor([listener])
    const failure = (await ask(request).catch((err: unknown) => err)) as Error
    expect(failure).toBeInstanceOf(SourceUnreachable)
    const shown = `${failure.message}\n${failure.stack}\n${JSON.stringify(failure)}\n${String(failure.cause)}`
    expect(shown).not.toContain(SECRET.reveal())
    expect(shown).not.toContain(ENCODED_SECRET)
  })
})
