/** A proxy in front of the service that injects faults: each of the first requests below a prefix gets one, later requests pass. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type LocalServer, listenLocally } from './local-server.ts'

export interface Fault {
  status?: 429 | 503
  /** Seconds. */
  retry_after?: number
  /** The same as an HTTP date, by a clock that is an hour slow; the `Date` header shows the same clock. */
  retry_after_date?: number
  /** The connection breaks in the middle of the body. */
  cut?: boolean
  /** The connection is closed before the response. */
  close?: boolean
  /** A stream breaks off after this many events. */
  cut_stream_after?: number
}

interface FaultScenario {
  faults: Fault[]
  requests: number
  notModified: number
}

export class FaultProxy implements AsyncDisposable {
  readonly #target: string
  readonly #server = createServer((req, res) => void this.#forward(req, res).catch(() => res.destroy()))
  readonly #scenarios = new Map<string, FaultScenario>()

  #listening!: LocalServer

  private constructor(target: string) {
    this.#target = target
  }

  static async start(target: string): Promise<FaultProxy> {
    const proxy = new FaultProxy(target)
    proxy.#listening = await listenLocally(proxy.#server)
    return proxy
  }

  /** Returns the base URL of the service behind these faults. */
  prepare(name: string, faults: Fault[] = []): string {
    this.#scenarios.set(name, { faults: [...faults], requests: 0, notModified: 0 })
    return `${this.#listening.baseUrl}/${name}`
  }

  stats(name: string): Readonly<FaultScenario> {
    return this.#scenarios.get(name) as FaultScenario
  }

  async #forward(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const [, name = '', path = ''] = /^\/([^/]+)(\/.*)$/.exec(req.url ?? '') ?? []
    const scene = this.#scenarios.get(name)
    if (scene === undefined) throw new Error(`there is no scene ${name}`)
    scene.requests += 1
    const fault = scene.faults.shift()
    if (fault?.close) return void req.socket.destroy()
    if (fault?.status) return refuse(res, fault)
    const headers = Object.fromEntries(
      ['authorization', 'accept', 'if-none-match', 'last-event-id'].flatMap((one) =>
        req.headers[one] === undefined ? [] : [[one, String(req.headers[one])]],
      ),
    )
    const clientGone = new AbortController()
    res.once('close', () => clientGone.abort())
    const answer = await fetch(this.#target + path, { headers, signal: clientGone.signal })
    if (answer.status === 304) scene.notModified += 1
    if (answer.headers.get('content-type')?.startsWith('text/event-stream'))
      return await forwardStream(answer, res, fault)
    const body = Buffer.from(await answer.arrayBuffer())
    const forwardedHeaders = ['content-type', 'etag', 'retry-after', 'x-request-id', 'cache-control']
    for (const header of forwardedHeaders) {
      const value = answer.headers.get(header)
      if (value !== null) res.setHeader(header, value)
    }
    res.writeHead(answer.status, answer.status === 304 ? {} : { 'content-length': body.length })
    if (!fault?.cut) return void res.end(body)
    res.write(body.subarray(0, Math.floor(body.length / 2)), () => req.socket.destroy())
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.#listening[Symbol.asyncDispose]()
  }
}

function refuse(res: ServerResponse, { status = 503, retry_after: seconds, retry_after_date: dated }: Fault): void {
  const error = status === 429 ? 'rate_limited' : 'internal_error'
  const inSeconds = (count: number) => new Date(Date.now() - 3_600_000 + count * 1_000).toUTCString()
  res.writeHead(status, {
    'content-type': 'application/json',
    ...(dated !== undefined && { date: inSeconds(0), 'retry-after': inSeconds(dated) }),
    ...(seconds !== undefined && { 'retry-after': String(seconds) }),
  })
  res.end(JSON.stringify({ error, message: 'As the test wants it.' }))
}

async function forwardStream(answer: Response, res: ServerResponse, fault: Fault | undefined): Promise<void> {
  res.writeHead(200, { 'content-type': 'text/event-stream' })
  let text = ''
  let events = 0
  for await (const chunk of answer.body as ReadableStream<Uint8Array>) {
    text += Buffer.from(chunk).toString()
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const event = text.slice(0, end + 2)
      text = text.slice(end + 2)
      // Otherwise the test would wait as long as the service's `retry`.
      res.write(event.startsWith('retry:') ? 'retry: 10\n\n' : event)
      if (event.includes('\ndata:')) events += 1
      if (fault?.cut_stream_after !== undefined && events >= fault.cut_stream_after) {
        await new Promise((resolve) => res.write('event: day.pub', resolve))
        return void res.destroy()
      }
    }
  }
  res.end()
}
