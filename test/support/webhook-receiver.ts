/** A webhook receiver: an HTTPS server with a certificate of the tests' own CA, which records every call and answers as configured. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import path from 'node:path'

const TLS = path.join(import.meta.dirname, '../fixtures/tls')
export const TEST_CA_FILE = path.join(TLS, 'ca.pem')
export const TEST_CA = readFileSync(TEST_CA_FILE, 'utf8')

export interface ReceivedCall {
  path: string
  headers: Record<string, string>
  /** The raw body. */
  body: string
}

export type Reaction = (req: IncomingMessage, res: ServerResponse, call: ReceivedCall) => void

/** Responds at once with that status. */
export const respondWith =
  (status: number, headers: Record<string, string> = {}): Reaction =>
  (_req, res) =>
    res.writeHead(status, headers).end()
export const neverRespond: Reaction = () => {}
export const closeSocket: Reaction = (req) => req.socket.destroy()
/** Answers 200 and never stops sending. */
export const streamForever: Reaction = (_req, res) => {
  res.writeHead(200)
  const more = () => {
    while (res.write('x'.repeat(1024)));
  }
  res.on('drain', more)
  more()
}

export interface WebhookReceiver extends AsyncDisposable {
  port: number
  calls: ReceivedCall[]
  setReaction(reaction: Reaction): void
  /** Resolves once this many calls have arrived in total. */
  untilReceived(count: number): Promise<void>
}

export async function startWebhookReceiver(reaction: Reaction = respondWith(204)): Promise<WebhookReceiver> {
  let react = reaction
  const calls: ReceivedCall[] = []
  let waiters: (() => void)[] = []
  const server = createServer(
    { cert: readFileSync(path.join(TLS, 'server.pem')), key: readFileSync(path.join(TLS, 'server.key')) },
    async (req, res) => {
      res.on('error', () => {}) // the caller may hang up at any time
      const body = Buffer.concat(await req.toArray()).toString()
      const call = { path: req.url ?? '', headers: req.headers as Record<string, string>, body }
      calls.push(call)
      for (const wake of waiters.splice(0)) wake()
      react(req, res, call)
    },
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    calls,
    setReaction: (next) => {
      react = next
    },
    async untilReceived(count) {
      while (calls.length < count) await new Promise<void>((resolve) => waiters.push(resolve))
    },
    async [Symbol.asyncDispose]() {
      waiters = []
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
