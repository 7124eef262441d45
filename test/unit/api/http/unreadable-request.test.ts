import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerUnreadable } from '../../../../src/api/http/unreadable-request.ts'
import { createLogger } from '../../../../src/platform/log.ts'

const server = createServer((_req, res) => res.end('read'))
let logged = ''

beforeAll(async () => {
  const log = createLogger({
    level: 'info',
    destination: {
      write: (line) => {
        logged += line
      },
    },
  })
  server.on('clientError', answerUnreadable(new URL('https://energy.example/'), log))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => {
  server.close()
})

/** Everything that comes back until the other side ends the connection. */
async function send(bytes: string): Promise<{ head: string; body: Record<string, unknown> }> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => {}) // it may be cut while it still sends
  socket.write(bytes)
  const answer = Buffer.concat(await socket.toArray()).toString()
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  return { head, body: JSON.parse(body) }
}

describe('a request that cannot be read', () => {
  it.each([
    ['no HTTP', 'hello\r\n\r\n', 400],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 400],
    ['a head without end', `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(40_000)}`, 431],
  ])('%s', async (_name, bytes, status) => {
    const { head, body } = await send(bytes)
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(head).toContain('Content-Type: application/json')
    expect(head).toContain('Connection: close')
    expect(body).toMatchObject({ error: 'invalid_parameter', docs: expect.stringContaining('https://energy.example/') })
    const id = /X-Request-Id: (\S+)/.exec(head)?.[1]
    expect(logged).toContain(`"requestId":"${id}"`)
  })
})
