import type { ServerResponse } from 'node:http'
import { afterAll, describe, expect, it } from 'vitest'
import { httpServer, serveRequests } from '../../../../src/api/http/http-server.ts'
import { listenLocally } from '../../../support/local-server.ts'
import { sendRaw } from '../../../support/raw-http.ts'
import { recordedLog } from '../../../support/recorded-log.ts'

const server = httpServer()
const { log, text: logged } = recordedLog()
/** The response to any readable request begins but never ends. */
const begin = (_req: unknown, res: ServerResponse) => void res.writeHead(200).write('begun')
serveRequests(server, begin, { baseUrl: new URL('https://energy.example/'), log })
const listening = await listenLocally(server)
afterAll(() => listening[Symbol.asyncDispose]())

/** Returns everything received until the server ends the connection. */
const receive = (bytes: string) => sendRaw(listening.baseUrl, bytes)

describe('a request that cannot be parsed', () => {
  it.each([
    ['no HTTP', 'hello\r\n\r\n', 400],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 400],
    ['a method that there is not', 'FOO / HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['a head without end', `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(40_000)}`, 431],
  ])('is refused with an error body and a logged request id: %s', async (_name, bytes, status) => {
    const [head = '', body = ''] = (await receive(bytes)).split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(head).toContain('Content-Type: application/json')
    expect(head).toContain('Connection: close')
    expect(head).toContain('Cache-Control: no-store')
    expect(JSON.parse(body)).toMatchObject({
      error: 'invalid_parameter',
      docs: expect.stringContaining('https://energy.example/'),
    })
    const id = /X-Request-Id: (\S+)/.exec(head)?.[1]
    expect(logged()).toContain(`"requestId":"${id}"`)
  })

  it('adds nothing to a response that has already begun', async () => {
    const received = await receive('GET / HTTP/1.1\r\nHost: x\r\n\r\nhello\r\n\r\n')
    expect(received).not.toContain('invalid_parameter')
  })
})

it('a CONNECT request is refused with 405 and keeps its request id', async () => {
  const received = await receive('CONNECT other.example:443 HTTP/1.1\r\nHost: x\r\nX-Request-Id: my-id_0.1\r\n\r\n')
  const [head = '', body = ''] = received.split('\r\n\r\n')
  expect(head).toMatch(/^HTTP\/1.1 405 /)
  expect(head).toContain('X-Request-Id: my-id_0.1')
  expect(head).toContain('Allow: GET, HEAD, POST, PATCH, DELETE, OPTIONS')
  expect(JSON.parse(body)).toMatchObject({ error: 'method_not_allowed' })
  expect(logged()).toContain('"requestId":"my-id_0.1"')
})
