/** One publisher as a real HTTP server on this machine, with faults that can be switched on. */
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listenLocally } from '../local-server.ts'
import type { Truth } from './truth.ts'

export const FAULTS = [
  'late', // well-formed, without values yet
  'empty', // 200 and no body
  'truncated', // half the body, presented as complete
  'cut-off', // the connection breaks in the middle of the body
  'slow', // a byte now and then, endlessly
  'hanging', // no answer at all
  'unreachable', // the connection is closed immediately
  'refused-401',
  'busy-429', // with Retry-After
  'error-500',
  'quota-text', // HTTP 500 with GME's message
  'wrong-content-type', // an HTML page, 200
  'changed-columns', // a column is renamed
  'previous-day', // yesterday's data labelled with the new day
  'redirect', // to another host
  'endless', // a body without an end
] as const
export type Fault = (typeof FAULTS)[number]

export interface PublisherRequest {
  method: string
  url: URL
  headers: IncomingMessage['headers']
  body: string
}

export interface PublisherAnswer {
  status?: number
  type: string
  body: string | Buffer
  /** Cookies to set. */
  cookies?: string[]
  /** Not data but a login, or a page that contains a token; data faults do not affect it. */
  isLoginOrToken?: boolean
}

/** The publisher's state when it responds. */
export interface PublisherState {
  truth: Truth
  at: Temporal.Instant
  /** Set for faults of the content, which only the publisher itself can produce. */
  fault: 'changed-columns' | 'previous-day' | undefined
}

export type Publisher = (request: PublisherRequest, stand: PublisherState) => PublisherAnswer | Promise<PublisherAnswer>

export interface PublisherServer {
  source: string
  url: string
  requests: PublisherRequest[]
  stop(): Promise<void>
}

export interface PublisherServerOptions {
  source: string
  publisher: Publisher
  truth: Truth
  now(): Temporal.Instant
  faultOf(source: string): Fault | undefined
  retryAfterSeconds: number
}

const LONG_AGO = Temporal.Instant.from('1990-01-01T00:00:00Z')
const DRIBBLE_MS = 40
const PAGE =
  '<!doctype html><html><head><title>Manutenzione</title></head><body><h1>Sito in manutenzione</h1></body></html>'

export async function startPublisherServer(options: PublisherServerOptions): Promise<PublisherServer> {
  const requests: PublisherRequest[] = []
  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing, options, requests).catch((err: unknown) => {
      outgoing.writeHead(500, { 'content-type': 'text/plain' }).end(`test server: ${err}`)
    })
  })
  const { baseUrl, [Symbol.asyncDispose]: dispose } = await listenLocally(server)
  return { source: options.source, url: baseUrl, requests, stop: async () => dispose() }
}

async function handle(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  options: PublisherServerOptions,
  requests: PublisherRequest[],
): Promise<void> {
  const chunks = await incoming.toArray()
  const request: PublisherRequest = {
    method: incoming.method ?? 'GET',
    url: new URL(incoming.url ?? '/', 'http://publisher'),
    headers: incoming.headers,
    body: Buffer.concat(chunks).toString('utf8'),
  }
  requests.push(request)
  const fault = options.faultOf(options.source)
  if (fault === 'hanging') return
  if (fault === 'unreachable') {
    incoming.socket.destroy()
    return
  }
  const answer = await options.publisher(request, {
    truth: options.truth,
    at: fault === 'late' ? LONG_AGO : options.now(),
    fault: fault === 'changed-columns' || fault === 'previous-day' ? fault : undefined,
  })
  if (answer.isLoginOrToken && fault !== 'error-500' && fault !== 'busy-429') write(request, outgoing, answer)
  else applyFault(request, outgoing, answer, fault, options)
}

function applyFault(
  request: PublisherRequest,
  outgoing: ServerResponse,
  answer: PublisherAnswer,
  fault: Fault | undefined,
  options: PublisherServerOptions,
): void {
  const bytes = Buffer.from(answer.body)
  const half = bytes.subarray(0, Math.floor(bytes.length / 2))
  switch (fault) {
    case 'empty':
      write(request, outgoing, { ...answer, body: '' })
      return
    case 'truncated':
      write(request, outgoing, { ...answer, body: half })
      return
    case 'cut-off':
      outgoing.writeHead(200, { 'content-type': answer.type, 'content-length': bytes.length })
      outgoing.write(half, () => outgoing.destroy())
      return
    case 'slow':
      dribble(outgoing, answer.type, bytes)
      return
    case 'refused-401':
      // Servers that reject a key often echo it.
      write(request, outgoing, { status: 401, type: 'text/plain', body: `unauthorised: ${secretsIn(request)}` })
      return
    case 'busy-429':
      outgoing.setHeader('retry-after', options.retryAfterSeconds)
      write(request, outgoing, { status: 429, type: 'text/plain', body: 'too many requests' })
      return
    case 'error-500':
      write(request, outgoing, { status: 500, type: 'text/html', body: '<h1>Server Error</h1>' })
      return
    case 'quota-text':
      write(request, outgoing, {
        status: 500,
        type: 'text/plain',
        body: 'The request exceeds quota MaxDataPerMinute',
      })
      return
    case 'wrong-content-type':
      write(request, outgoing, { type: 'text/html', body: PAGE })
      return
    case 'redirect':
      outgoing.writeHead(302, { location: 'http://localhost:9/elsewhere' }).end()
      return
    case 'endless':
      flood(outgoing, answer.type)
      return
    default:
      write(request, outgoing, answer)
      return
  }
}

/** Sends an ETag and answers 304 if the client already has the body. */
function write(request: PublisherRequest, outgoing: ServerResponse, answer: PublisherAnswer): void {
  const { status = 200, type, body, cookies = [] } = answer
  const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"`
  const headers = { 'content-type': type, ...(cookies.length > 0 && { 'set-cookie': cookies }) }
  if (status === 200 && request.method === 'GET' && request.headers['if-none-match'] === etag) {
    outgoing.writeHead(304, { etag }).end()
  } else {
    outgoing.writeHead(status, status === 200 && request.method === 'GET' ? { ...headers, etag } : headers).end(body)
  }
}

function dribble(outgoing: ServerResponse, type: string, bytes: Buffer): void {
  outgoing.writeHead(200, { 'content-type': type })
  let at = 0
  const timer = setInterval(() => {
    outgoing.write(bytes.subarray(at, at + 1))
    at = Math.min(at + 1, bytes.length - 2)
  }, DRIBBLE_MS)
  outgoing.on('close', () => clearInterval(timer))
}

function flood(outgoing: ServerResponse, type: string): void {
  outgoing.writeHead(200, { 'content-type': type })
  const chunk = Buffer.alloc(256 * 1024, ' ')
  const pour = () => {
    while (!outgoing.destroyed && outgoing.write(chunk));
  }
  outgoing.on('drain', pour)
  pour()
}

function secretsIn({ url, headers }: PublisherRequest): string {
  return [headers.authorization, url.searchParams.get('securityToken'), url.searchParams.get('api_key')].join(' ')
}
