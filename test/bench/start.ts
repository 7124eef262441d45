/** `npm start` on a new folder and on an existing one until /v1/today answers 200, and what all processes together then hold in memory. */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { prepareFirstDatabase } from '../../src/service/prepare-first-database.ts'
import { type Product, startProduct } from '../support/product.ts'
import { residentMb } from '../support/resident-memory.ts'
import { type BenchRow, median } from './bench.ts'

const ROUNDS = 3
const FRESH_SECONDS_MAX = 5
const EXISTING_SECONDS_MAX = 2
const IDLE_MB_MAX = 400
/** Long enough for the work that follows a start to be over. */
const IDLE_AFTER_MS = 10_000

export default async function start(): Promise<BenchRow[]> {
  await prepareFirstDatabase('sample') // as the installation does
  const fresh: number[] = []
  const existing: number[] = []
  let idleMb = 0
  for (let round = 0; round < ROUNDS; round++) {
    const dataDir = await mkdtemp(path.join(os.tmpdir(), 'energy-prices-bench-'))
    try {
      const first = await timedStart(dataDir)
      fresh.push(first.seconds)
      await stop(first.product)
      const again = await timedStart(dataDir)
      existing.push(again.seconds)
      if (round === ROUNDS - 1) {
        await new Promise((resolve) => setTimeout(resolve, IDLE_AFTER_MS))
        idleMb = await residentMb(again.product.pid)
      }
      await stop(again.product)
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  }
  const details = `three years of sample data, ${ROUNDS} starts`
  return [
    {
      name: 'npm start on a new folder to /v1/today 200',
      measured: median(fresh),
      unit: 's',
      bound: { atMost: FRESH_SECONDS_MAX },
      details,
    },
    {
      name: 'npm start on an existing folder to /v1/today 200',
      measured: median(existing),
      unit: 's',
      bound: { atMost: EXISTING_SECONDS_MAX },
      details,
    },
    {
      name: 'idle memory of all processes',
      measured: idleMb,
      unit: 'MB',
      bound: { atMost: IDLE_MB_MAX },
      details: 'resident, npm among them',
    },
  ]
}

async function timedStart(dataDir: string): Promise<{ product: Product; seconds: number }> {
  const started = performance.now()
  const product = await startProduct({ dataDir, command: ['npm', 'start'], ready: false })
  await product.answers('/v1/today')
  return { product, seconds: (performance.now() - started) / 1000 }
}

async function stop(product: Product): Promise<void> {
  const exited = once(product.process, 'exit')
  product.process.kill('SIGTERM')
  await exited
}
