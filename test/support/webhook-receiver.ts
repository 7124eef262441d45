/** A webhook receiver: an HTTPS server with a certificate of the tests' own CA, which records every call and answers as configured. */
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import path from 'node:path'
import { listenLocally } from './local-server.ts'

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
  const waiters: (() => void)[] = []
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
  const { port, [Symbol.asyncDispose]: dispose } = await listenLocally(server)
  return {
    port,
    calls,
    setReaction: (next) => {
      react = next
    },
    async untilReceived(count) {
      while (calls.length < count) await new Promise<void>((resolve) => waiters.push(resolve))
    },
    [Symbol.asyncDispose]: dispose,
  }
}
