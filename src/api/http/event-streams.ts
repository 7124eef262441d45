/**
 * The open event streams of the process (server-sent events): one heartbeat and one check of keys for all of them. A stream ends with
 * the event `bye` when the service stops or its key is no longer valid, and without it if the client does not read.
 */
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AccessControl } from '../access/access-control.ts'
import { tooManyStreams } from '../contract/errors.ts'
import { REQUEST_ID } from '../contract/headers.ts'
import type { EventFeed, EventSink } from './endpoint.ts'
import type { HeaderList } from './headers.ts'
import { limitHeaders } from './limit-headers.ts'
import { contextOf } from './request-context.ts'

const HEARTBEAT_MS = 15_000
/** Together with the second until other processes detect a revocation, well within five seconds. */
const KEY_CHECK_MS = 2_000
/** Buffer for a slow client: some hundred events. */
const UNREAD_BYTES_MAX = 128 * 1024
/** Random within this range, so that clients do not all reconnect at once after a restart. */
const RETRY_MS = { min: 1_000, max: 4_000 }
const RETRY_AFTER_SECONDS = 30

type Keys = Pick<AccessControl['keys'], 'verify'>

interface StreamOptions {
  /** The client, limited to `max` concurrent streams. */
  client: string
  max: number
  headers: HeaderList
  /** The stream ends when this key is no longer valid; undefined if no key is needed. */
  key?: string | undefined
}

interface OpenStream extends Pick<StreamOptions, 'client' | 'key'> {
  sink: EventSink
}

export class EventStreams {
  readonly #keys: Keys
  readonly #onError: (error: unknown) => void
  readonly #open = new Set<OpenStream>()
  readonly #counts = new Map<string, number>()
  #timers: NodeJS.Timeout[] = []

  constructor({ keys, onError }: { keys: Keys; onError: (error: unknown) => void }) {
    this.#keys = keys
    this.#onError = onError
  }

  /** Throws 429 if the client already has `max` streams. */
  async send(
    { client, max, headers: given, key }: StreamOptions,
    feed: EventFeed,
    req: IncomingMessage,
    res: ServerResponse,
  ): Promise<void> {
    if (res.closed) return // it emits no second `close`, which would free the slot
    if ((this.#counts.get(client) ?? 0) >= max)
      throw tooManyStreams(key === undefined ? 'address' : 'key', max, RETRY_AFTER_SECONDS)
    const context = contextOf(res)
    res.writeHead(200, [...given, ...limitHeaders(context, 200), REQUEST_ID, context.id])
    if (req.method === 'HEAD') {
      res.end()
      return
    }
    const stream: OpenStream = { client, key, sink: sinkOf(res) }
    this.#add(stream)
    let unsubscribe: (() => void) | undefined
    res.once('close', () => {
      this.#remove(stream)
      unsubscribe?.()
    })
    stream.sink.write(`retry: ${Math.round(RETRY_MS.min + Math.random() * (RETRY_MS.max - RETRY_MS.min))}\n\n`)
    try {
      unsubscribe = await feed(stream.sink)
      if (res.closed) unsubscribe()
    } catch (err) {
      this.#onError(err) // the headers are sent, so the connection can only be closed; the client reconnects
      res.destroy()
    }
  }

  #add(stream: OpenStream): void {
    this.#open.add(stream)
    this.#counts.set(stream.client, (this.#counts.get(stream.client) ?? 0) + 1)
    if (this.#open.size > 1) return
    this.#timers = [
      setInterval(() => this.#sendHeartbeat(), HEARTBEAT_MS),
      setInterval(() => this.#checkKeys().catch(this.#onError), KEY_CHECK_MS),
    ]
  }

  #remove(stream: OpenStream): void {
    this.#open.delete(stream)
    const left = (this.#counts.get(stream.client) ?? 1) - 1
    if (left > 0) this.#counts.set(stream.client, left)
    else this.#counts.delete(stream.client)
    if (this.#open.size > 0) return
    for (const timer of this.#timers) clearInterval(timer)
  }

  #sendHeartbeat(): void {
    for (const { sink } of this.#open) sink.write(':\n\n')
  }

  async #checkKeys(): Promise<void> {
    for (const [key, streams] of Map.groupBy(this.#open, (stream) => stream.key)) {
      if (key === undefined) continue
      const { ok } = await this.#keys.verify(key, async () => {})
      if (!ok) for (const { sink } of streams) sink.end('key')
    }
  }
}

function sinkOf(res: ServerResponse): EventSink {
  const isOver = () => res.writableEnded || res.destroyed
  return {
    isOver,
    write(text) {
      if (isOver()) return
      if (res.writableLength > UNREAD_BYTES_MAX) res.destroy()
      else res.write(text)
    },
    end(reason) {
      if (isOver()) return
      res.end(`event: bye\ndata: {"reason":"${reason}"}\n\n`)
    },
    async drained() {
      if (isOver() || !res.writableNeedDrain) return
      const waiting = new AbortController() // without it each wait would leave a listener until the stream closes
      const { signal } = waiting
      await Promise.race([once(res, 'drain', { signal }), once(res, 'close', { signal })]).finally(() =>
        waiting.abort(),
      )
    },
  }
}
