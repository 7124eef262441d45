/** A response head written as text has the same bytes as Node's own: one server answers in both ways. */
import { createServer } from 'node:http'
import { afterAll, expect, it } from 'vitest'
import { KEEP_ALIVE_MS, PreparedResponse } from '../../../../src/api/http/prepared-response.ts'
import { listenLocally } from '../../../support/local-server.ts'
import { sendRaw } from '../../../support/raw-http.ts'

const SHARED = ['Content-Type', 'text/plain; charset=utf-8', 'Content-Disposition', 'attachment; filename="é.csv"']
const BODIES = { short: 'abc', none: '', long: Buffer.alloc(100_000, 'x') }

const server = createServer({ ServerResponse: PreparedResponse, keepAliveTimeout: KEEP_ALIVE_MS })
server.on('request', (req, res: PreparedResponse) => {
  const { searchParams, pathname } = new URL(req.url ?? '', 'http://localhost')
  const status = Number(searchParams.get('status') ?? 200)
  const body = BODIES[(searchParams.get('body') ?? 'short') as keyof typeof BODIES]
  const own = status === 200 ? ['X-Own', '1', 'Content-Length', String(body.length)] : ['X-Own', '1']
  if (searchParams.has('set')) res.setHeader('X-Set', 'before')
  if (pathname === '/prepared' && res.isPlain) res.writePrepared(status, SHARED, own)
  else res.writeHead(status, [...SHARED, ...own])
  res.end(body, 'latin1')
})

const listening = await listenLocally(server)
afterAll(() => listening[Symbol.asyncDispose]())

/** Responses to two requests on one connection, which the first keeps open; without their dates. */
async function answers(path: string, method: string, query: string, version: string): Promise<string> {
  const request = `${method} /${path}?${query} HTTP/${version}\r\nHost: a\r\n`
  const received = await sendRaw(listening.baseUrl, `${request}\r\n${request}Connection: close\r\n\r\n`)
  return received.replace(/Date: \w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT\r\n/g, 'Date\r\n')
}

it.each([
  ['GET', 'status=200', '1.1'],
  ['GET', 'status=200&body=long', '1.1'],
  ['GET', 'status=200&body=none', '1.1'],
  ['GET', 'status=200&set=1', '1.1'],
  ['HEAD', 'status=200', '1.1'],
  ['GET', 'status=304', '1.1'],
  ['GET', 'status=204', '1.1'],
  ['GET', 'status=200', '1.0'],
])('a prepared response has the same bytes as that of Node: %s %s HTTP/%s', async (method, query, version) => {
  const prepared = await answers('prepared', method, query, version)
  expect(prepared).toBe(await answers('by-node', method, query, version))
  expect(prepared).toContain('Date\r\n')
  if (version === '1.1') expect(prepared).toContain(`Keep-Alive: timeout=${KEEP_ALIVE_MS / 1000}\r\n`)
})

it('a prepared response refuses line breaks in header names and values', () => {
  const res = new PreparedResponse({ method: 'GET', httpVersionMajor: 1, httpVersionMinor: 1 } as never)
  expect(() => res.writePrepared(200, ['X-A', 'a\r\nX-B: b'], [])).toThrow('Invalid character')
  expect(() => res.writePrepared(200, ['X-A\r\n', 'a'], [])).toThrow('Header name')
})
