import { once } from 'node:events'
import { createServer as createTcpServer } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { svcSignature } from '../../../../src/delivery/webhooks/webhook-signature.ts'
import type { Resolve } from '../../../../src/platform/egress/checked-lookup.ts'
import { testWebhookClient } from '../../../support/alerts.ts'
import {
  closeSocket,
  neverRespond,
  type Reaction,
  respondWith,
  startWebhookReceiver,
  streamForever,
  type WebhookReceiver,
} from '../../../support/webhook-receiver.ts'

const SECRETS = [
  'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=',
  'whsec_ZmVkY2JhOTg3NjU0MzIxMGZlZGNiYTk4NzY1NDMyMTA=',
] as const
/** For calls that must time out; the others use the service's. */
const DEADLINE_MS = 400

let receiver: WebhookReceiver
beforeAll(async () => {
  receiver = await startWebhookReceiver()
})
afterAll(() => receiver[Symbol.asyncDispose]())
beforeEach(() => {
  receiver.calls.length = 0
  receiver.setReaction(respondWith(204))
})

const never = new AbortController().signal
interface CallOptions extends Partial<Parameters<typeof testWebhookClient>[0]> {
  url?: string
  secrets?: readonly [string, ...string[]]
  challenge?: string
}

async function call(options: CallOptions = {}) {
  const { url = `https://receiver.test:${receiver.port}/hook?a=1`, secrets = [SECRETS[0]], challenge } = options
  await using client = testWebhookClient({ ports: [receiver.port], now: () => Temporal.Now.instant(), ...options })
  return await client.call({ url, eventId: 'msg_1', body: '{"unit":"€/MWh"}', challenge, secrets }, never)
}

describe('a webhook call', () => {
  it('is delivered to the requested path with both kinds of signature', async () => {
    expect(await call()).toMatchObject({ outcome: 'delivered', statusCode: 204 })
    const [{ path, headers, body }] = receiver.calls as [(typeof receiver.calls)[0]]
    expect(path).toBe('/hook?a=1')
    expect(headers['content-type']).toBe('application/json')
    expect(headers['x-svc-signature']).toBe(svcSignature(SECRETS[0], body))
    expect(headers).not.toHaveProperty('x-svc-signature-previous')
    expect(new Webhook(SECRETS[0]).verify(body, headers)).toEqual({ unit: '€/MWh' })
  })

  it('carries the signatures of both secrets after a rotation', async () => {
    await call({ secrets: SECRETS })
    const [{ headers, body }] = receiver.calls as [(typeof receiver.calls)[0]]
    for (const secret of SECRETS) new Webhook(secret).verify(body, headers)
    expect(headers['x-svc-signature-previous']).toBe(svcSignature(SECRETS[1], body))
  })

  it.each<[string, Reaction, object]>([
    ['500', respondWith(500), { outcome: 'bad_status', statusCode: 500 }],
    ['404', respondWith(404), { outcome: 'bad_status', statusCode: 404 }],
    ['410', respondWith(410), { outcome: 'gone', statusCode: 410 }],
    ['a redirect', respondWith(302, { Location: 'https://127.0.0.1/' }), { outcome: 'redirect', statusCode: 302 }],
    ['429', respondWith(429, { 'Retry-After': '120' }), { outcome: 'bad_status', retryAfterSeconds: 120 }],
    ['a closed connection', closeSocket, { outcome: 'connection_failed' }],
    ['200 and a body without end', streamForever, { outcome: 'delivered', statusCode: 200 }],
  ])('reports the outcome of %s', async (_name, reaction, expected) => {
    receiver.setReaction(reaction)
    expect(await call()).toMatchObject(expected)
    expect(receiver.calls).toHaveLength(1)
  })

  it('times out without a response', async () => {
    receiver.setReaction(neverRespond)
    // On a busy machine the deadline may pass before the call is sent.
    for (let deadlineMs = DEADLINE_MS; receiver.calls.length === 0; deadlineMs *= 2)
      expect(await call({ deadlineMs })).toMatchObject({ outcome: 'timeout' })
  })

  it('times out if the TLS handshake never completes', async () => {
    await using stack = new AsyncDisposableStack()
    const dribbling = createTcpServer((socket) => void socket.on('error', () => {}))
    dribbling.listen(0, '127.0.0.1')
    await once(dribbling, 'listening')
    stack.defer(() => void dribbling.close())
    const { port } = dribbling.address() as { port: number }
    const target = { url: `https://receiver.test:${port}/`, ports: [port] }
    expect(await call({ ...target, deadlineMs: DEADLINE_MS })).toMatchObject({ outcome: 'timeout' })
  })

  it('is not sent to a server with a certificate for another name', async () => {
    expect(await call({ url: `https://other.example:${receiver.port}/` })).toMatchObject({
      outcome: 'connection_failed',
      detail: 'the connection failed: ERR_TLS_CERT_ALTNAME_INVALID',
    })
    expect(receiver.calls).toEqual([])
  })
})

describe('a challenge', () => {
  const CHALLENGE = 'Zm9yIHRoZSByZWNlaXZlciBhbG9uZQ'
  const sending =
    (status: number, body: string): Reaction =>
    (_req, res) =>
      res.writeHead(status).end(body)

  it.each([
    ['as text', sending(200, CHALLENGE)],
    ['as text with a line end', sending(202, `${CHALLENGE}\n`)],
    ['as JSON', sending(200, JSON.stringify({ challenge: CHALLENGE, more: 1 }))],
  ])('is passed if echoed %s', async (_how, reaction) => {
    receiver.setReaction(reaction)
    expect(await call({ challenge: CHALLENGE })).toMatchObject({ outcome: 'delivered' })
  })

  it.each<[string, Reaction, object]>([
    ['nothing', respondWith(204), { outcome: 'not_echoed', statusCode: 204 }],
    ['a page', sending(200, '<html>Hello</html>'), { outcome: 'not_echoed' }],
    ['another challenge', sending(200, CHALLENGE.toLowerCase()), { outcome: 'not_echoed' }],
    ['a page that holds it', sending(200, `<p>${CHALLENGE}</p>`), { outcome: 'not_echoed' }],
    ['it in a list', sending(200, JSON.stringify([CHALLENGE])), { outcome: 'not_echoed' }],
    ['null', sending(200, 'null'), { outcome: 'not_echoed' }],
    ['it behind 4 kB', sending(200, `${' '.repeat(5_000)}${CHALLENGE}`), { outcome: 'not_echoed' }],
    ['text without end', streamForever, { outcome: 'not_echoed' }],
    ['it with a status that is a failure', sending(500, CHALLENGE), { outcome: 'bad_status' }],
  ])('fails if the response is %s', async (_name, reaction, expected) => {
    receiver.setReaction(reaction)
    expect(await call({ challenge: CHALLENGE })).toMatchObject(expected)
  })

  it('fails if the response does not end in time', async () => {
    receiver.setReaction((_req, res) => res.writeHead(200).write(CHALLENGE))
    expect(await call({ challenge: CHALLENGE, deadlineMs: DEADLINE_MS })).toMatchObject({ outcome: 'timeout' })
  })
})

describe('a forbidden webhook address', () => {
  it.each([
    ['by number', 'https://127.0.0.1'],
    ['by number in brackets', 'https://[::1]'],
    ['by name', 'https://receiver.test'],
  ])('is never connected to when given %s', async (_name, origin) => {
    const { outcome } = await call({ url: `${origin}:${receiver.port}/`, allowed: [] })
    expect(outcome).toBe('refused_address')
    expect(receiver.calls).toEqual([])
  })

  it('is refused even if it is one of several', async () => {
    const addresses = [
      { address: '93.184.215.14', family: 4 },
      { address: '::ffff:127.0.0.1', family: 6 },
    ]
    const { outcome } = await call({ allowed: [], resolve: (_host, callback) => callback(null, addresses) })
    expect(outcome).toBe('refused_address')
    expect(receiver.calls).toEqual([])
  })

  it('is distinguished from an unresolvable name only in the log', async () => {
    const inner = await call({ allowed: [] })
    const failing: Resolve = (_host, callback) =>
      callback(Object.assign(new Error('ENOTFOUND'), { code: 'ENOTFOUND' }), [])
    const nowhere = await call({ resolve: failing })
    const refusal = { outcome: 'refused_address', detail: 'receiver.test does not lead to a public address' }
    expect(inner).toMatchObject({ ...refusal, cause: 'Error: 127.0.0.1 is not a public address (loopback)' })
    expect(nowhere).toMatchObject({ ...refusal, cause: 'Error: ENOTFOUND' })
  })

  it('is not reached by DNS rebinding after the check', async () => {
    const answers = ['93.184.215.14', '127.0.0.1']
    let asked = 0
    const result = await call({
      allowed: [],
      resolve: (_host, callback) => callback(null, [{ address: answers[Math.min(asked++, 1)] as string, family: 4 }]),
    })
    expect(result.outcome).not.toBe('delivered')
    expect(receiver.calls).toEqual([])
    expect(asked).toBe(1)
  })

  it('is also one on another port or with credentials in the URL', async () => {
    const results = [
      await call({ ports: [] }),
      await call({ url: 'https://receiver.test:8444/', ports: [8443] }),
      await call({ url: `https://me:pw@receiver.test:${receiver.port}/` }),
    ]
    expect(results).toMatchObject([
      { outcome: 'refused_address', detail: 'the address must use port 443' },
      { outcome: 'refused_address', detail: 'the address must use port 443 or 8443' },
      { outcome: 'refused_address' },
    ])
  })
})
