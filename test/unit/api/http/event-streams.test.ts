/** Streams over real sockets; only the heartbeat timer is simulated. */
import { once } from 'node:events'
import { get, type IncomingMessage, type ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { EventSink } from '../../../../src/api/http/endpoint.ts'
import { EventStreams } from '../../../../src/api/http/event-streams.ts'
import { httpServer } from '../../../../src/api/http/http-server.ts'
import { startContext } from '../../../../src/api/http/request-context.ts'
import { type LocalServer, listenLocally } from '../../../support/local-server.ts'

const CHUNK = `data: ${'x'.repeat(64 * 1024)}\n\n`
/** More than the socket buffers of both ends hold. */
const CHUNKS_MAX = 2_000

const server = httpServer()
let listening: LocalServer
const sinks: EventSink[] = []
const errors: unknown[] = []
/** Node's warnings about listeners that are added repeatedly. */
const leaks: Error[] = []
const recordWarning = (warning: Error) => leaks.push(warning)
process.on('warning', recordWarning)
afterAll(() => void process.off('warning', recordWarning))
let isKeyValid = true
/** What the server waits for before it opens a stream. */
let beforeOpening = async (_res: ServerResponse): Promise<unknown> => undefined
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  isKeyValid = true
  const verify = async () => ({ ok: isKeyValid }) as never
  const streams = new EventStreams({ keys: { verify }, onError: (err) => errors.push(err) })
  server.removeAllListeners('request')
  server.on('request', async (req, res) => {
    startContext(req, res)
    await beforeOpening(res)
    const feed = async (sink: EventSink) => {
      sinks.push(sink)
      return () => {}
    }
    const options = { client: 'a', max: 3, headers: ['Content-Type', 'text/event-stream'], key: 'key' }
    await streams.send(options, feed, req, res)
  })
  listening = await listenLocally(server)
})
afterEach(async () => {
  await listening[Symbol.asyncDispose]()
  vi.useRealTimers()
  sinks.length = 0
})

async function open(): Promise<IncomingMessage> {
  const req = get({ port: listening.port, host: '127.0.0.1', agent: false })
  const [res] = (await once(req, 'response')) as [IncomingMessage]
  res.on('error', () => {}) // the connection is cut
  return res
}

it('event streams send a heartbeat every 15 seconds until the last client disconnects', async () => {
  const clients = await Promise.all([open(), open()])
  const texts = ['', '']
  for (const [i, client] of clients.entries()) client.on('data', (chunk) => (texts[i] += chunk))
  for (let beats = 1; beats <= 2; beats += 1) {
    vi.advanceTimersByTime(14_999)
    vi.advanceTimersByTime(1)
    while (texts.some((text) => text.split(':\n\n').length <= beats)) await setImmediate()
  }
  for (const text of texts) expect(text).toMatch(/^retry: \d+\n\n:\n\n:\n\n$/)
  for (const client of clients) client.destroy()
  while (vi.getTimerCount() > 0) await setImmediate()
})

it('a client that disconnects before its event stream opens takes no slot', async () => {
  const { promise: leaving, resolve } = Promise.withResolvers<void>()
  beforeOpening = async (res) => {
    resolve()
    await once(res, 'close')
  }
  const req = get({ port: listening.port, host: '127.0.0.1', agent: false })
  req.on('error', () => {}) // the connection is cut
  await leaving
  beforeOpening = async () => undefined
  req.destroy()
  const clients = await Promise.all([open(), open(), open()])
  expect(sinks).toHaveLength(3)
  for (const client of clients) client.destroy()
  while (vi.getTimerCount() > 0) await setImmediate()
})

it('an event stream ends with a bye event when its key becomes invalid', async () => {
  const client = await open()
  isKeyValid = false
  vi.advanceTimersByTime(2_000)
  const text = Buffer.concat(await client.toArray()).toString()
  expect(text).toContain('event: bye\ndata: {"reason":"key"}\n\n')
})

it('a slow consumer of an event stream is disconnected without affecting others', async () => {
  const [idle, reading] = [await open(), await open()]
  let read = 0
  reading.on('data', (chunk: Buffer) => (read += chunk.length))
  idle.pause()
  const [toIdle, toReading] = sinks as [EventSink, EventSink]
  let sent = 0
  while (!toIdle.isOver() && sent < CHUNKS_MAX) {
    for (const sink of sinks) sink.write(CHUNK)
    sent += 1
    await toReading.drained()
  }
  expect(sent).toBeLessThan(CHUNKS_MAX)
  expect(toReading.isOver()).toBe(false)
  while (read < sent * CHUNK.length) await setImmediate()
  expect(errors).toEqual([])
  expect(leaks).toEqual([])
})
