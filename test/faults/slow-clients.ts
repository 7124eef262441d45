/** Slow clients (slowloris), clients that stop reading, and clients that vanish, a few hundred at a time, along with normal traffic. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { endProcess } from '../support/product.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import type { Finding } from './fault.ts'
import { startLoad } from './load.ts'
import { DAY, seedPrices, startDatabase, startService } from './scene.ts'

const CLIENTS = 300
const DRIBBLE_MS = 1_000
/** The time-out for heads is 15 s, checked every 5 s. */
const CUT_OFF_WITHIN_MS = 21_000
const STOPPED_WITHIN_MS = 10_000

export default async function slowClients(): Promise<Finding[]> {
  await using stack = new AsyncDisposableStack()
  const folder = await scratchFolder(stack)
  const database = await startDatabase(folder, stack)
  await seedPrices(database.url)
  const api = await startService(stack, { ROLE: 'api', DATABASE_URL: database.url }, folder)
  const load = await startLoad(api.url, ['/v1/pun/today', `/v1/prices/pun/series?from=${DAY}`])

  const dribbling = await openSockets(api.url)
  const cutOff = dribbleUntilCut(dribbling)
  const nonReading = await openSockets(api.url)
  // Responses many times larger than a socket's buffer, none of them read.
  for (const socket of nonReading) socket.pause().write('GET /v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(20))
  const vanishing = await openSockets(api.url)
  for (const socket of vanishing) {
    socket.write('GET /v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n')
    socket.resetAndDestroy()
  }
  const cutOffMs = await cutOff
  const tally = await load.stop()
  const stopping = performance.now()
  await endProcess(api.process, 'SIGTERM')
  const stopMs = performance.now() - stopping
  for (const socket of nonReading) socket.destroy()
  return [
    {
      promise: 'everybody else is answered',
      isMet: tally.wrongCount + tally.refused === 0,
      seen: `${tally.right} right, ${tally.refused + tally.wrongCount} not, slowest ${tally.slowestMs.toFixed(0)} ms ${tally.wrong.join('; ')}`,
    },
    {
      promise: 'who dribbles is cut off after 15 seconds',
      isMet: cutOffMs < CUT_OFF_WITHIN_MS,
      seen: `all ${CLIENTS} after ${(cutOffMs / 1000).toFixed(1)} s`,
    },
    {
      promise: 'who does not read does not hold up a stop',
      isMet: stopMs < STOPPED_WITHIN_MS,
      seen: `${(stopMs / 1000).toFixed(1)} s`,
    },
  ]
}

function openSockets(base: URL): Promise<Socket[]> {
  return Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      const socket = connect(Number(base.port), base.hostname)
      socket.on('error', () => {})
      await once(socket, 'connect')
      return socket
    }),
  )
}

/** Sends an endless header, one character a second; returns the time until the last connection was closed. */
async function dribbleUntilCut(sockets: Socket[]): Promise<number> {
  const started = performance.now()
  for (const socket of sockets) socket.write('GET /v1/today HTTP/1.1\r\nHost: x\r\nX-Slow: ')
  const timer = setInterval(() => {
    for (const socket of sockets) if (!socket.destroyed) socket.write('x')
  }, DRIBBLE_MS)
  await Promise.all(
    sockets.map((socket) =>
      socket.destroyed ? undefined : new Promise((resolve) => socket.resume().once('close', resolve)),
    ),
  )
  clearInterval(timer)
  return performance.now() - started
}
