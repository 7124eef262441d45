/**
 * `npm start` until /v1/today returns 200: with a new folder, with an existing one after a clean stop, and after `kill -9`; and the memory
 * of all processes together afterwards.
 */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { prepareFirstDatabase } from '../../src/service/prepare-first-database.ts'
import { freePort } from '../support/free-port.ts'
import { type Product, startProduct } from '../support/product.ts'
import { residentMb } from '../support/resident-memory.ts'
import { atMost, type BenchRow, median } from './bench.ts'

const ROUNDS = 3
const FRESH_SECONDS_MAX = 5
const EXISTING_SECONDS_MAX = 2
const IDLE_MB_MAX = 400
/** Long enough for the background work after a start; the first start creates all bulk files. */
const IDLE_AFTER_MS = 20_000
const FILES_AFTER_MS = 60_000
const POLL_MS = 20

export async function start(): Promise<BenchRow[]> {
  await prepareFirstDatabase('sample') // as the installation does
  const seconds = { fresh: [] as number[], stopped: [] as number[], killed: [] as number[] }
  let idleMb = 0
  for (let round = 0; round < ROUNDS; round++) {
    const dataDir = await mkdtemp(path.join(os.tmpdir(), 'energy-prices-bench-'))
    try {
      const first = await timedStart(dataDir, FILES_AFTER_MS)
      seconds.fresh.push(first.seconds)
      await end(first.product, 'SIGTERM')
      const afterStop = await timedStart(dataDir)
      seconds.stopped.push(afterStop.seconds)
      if (round === ROUNDS - 1) idleMb = await residentMb(afterStop.product.pid)
      await end(afterStop.product, 'SIGKILL')
      const afterKill = await timedStart(dataDir)
      seconds.killed.push(afterKill.seconds)
      await end(afterKill.product, 'SIGTERM')
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  }
  return [
    startRow('a new folder', seconds.fresh, FRESH_SECONDS_MAX),
    startRow('an existing folder after a clean stop', seconds.stopped, EXISTING_SECONDS_MAX),
    startRow('an existing folder after kill -9', seconds.killed, EXISTING_SECONDS_MAX),
    atMost(IDLE_MB_MAX, 'MB', idleMb, { name: 'idle memory of all processes', details: 'resident, npm among them' }),
  ]
}

function startRow(where: string, seconds: number[], bound: number): BenchRow {
  return atMost(bound, 's', median(seconds), {
    name: `npm start on ${where} to /v1/today 200`,
    details: `three years of sample data, ${ROUNDS} starts: ${seconds.map((one) => one.toFixed(2)).join(', ')}`,
  })
}

/** Resolves when the background work after the start is over. */
async function timedStart(
  dataDir: string,
  idleAfterMs = IDLE_AFTER_MS,
): Promise<{ product: Product; seconds: number }> {
  const port = await freePort()
  const started = performance.now()
  const starting = startProduct({
    dataDir,
    env: { PORT: String(port), BULK_EXPORTS: 'on' },
    command: ['npm', 'start'],
    ready: false,
  })
  const answered = await untilAnswered(`http://127.0.0.1:${port}/v1/today`, starting)
  const product = await starting
  await sleep(idleAfterMs)
  return { product, seconds: (answered - started) / 1000 }
}

/** Time of the first response with 200; rejects if the process ends instead. */
async function untilAnswered(url: string, starting: Promise<Product>): Promise<number> {
  let problem: unknown
  starting.catch((err) => (problem = err))
  for (;;) {
    const response = await fetch(url).catch(() => undefined)
    await response?.body?.cancel()
    if (response?.status === 200) return performance.now()
    if (problem !== undefined) throw problem
    await sleep(POLL_MS)
  }
}

/** Ends npm and its children. */
async function end({ process: npm, pid }: Product, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  const exited = once(npm, 'exit')
  process.kill(signal === 'SIGKILL' ? -pid : pid, signal)
  await exited
}
