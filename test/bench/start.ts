/** Start on an existing data folder until /readyz answers 200, and what all processes together then hold in memory. */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { type Product, startProduct } from '../support/product.ts'
import { residentMb } from '../support/resident-memory.ts'
import { type BenchRow, median } from './bench.ts'

const ROUNDS = 3
const READY_SECONDS_MAX = 5
const IDLE_MB_MAX = 700
/** Long enough for the work that follows a start to be over. */
const IDLE_AFTER_MS = 10_000

export default async function start(): Promise<BenchRow[]> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'energy-prices-bench-'))
  try {
    const first = await startProduct({ dataDir })
    await first.answers('/v1/today')
    await stop(first)

    const seconds: number[] = []
    let idleMb = 0
    for (let round = 0; round < ROUNDS; round++) {
      const started = performance.now()
      const product = await startProduct({ dataDir })
      seconds.push((performance.now() - started) / 1000)
      if (round === ROUNDS - 1) {
        await new Promise((resolve) => setTimeout(resolve, IDLE_AFTER_MS))
        idleMb = await residentMb(product.pid)
      }
      await stop(product)
    }
    return [
      {
        name: 'start on an existing folder to /readyz 200',
        measured: median(seconds),
        unit: 's',
        bound: { atMost: READY_SECONDS_MAX },
        details: `three years of sample data, ${ROUNDS} starts`,
      },
      {
        name: 'idle memory of all processes',
        measured: idleMb,
        unit: 'MB',
        bound: { atMost: IDLE_MB_MAX },
        details: 'resident, with its children',
      },
    ]
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function stop(product: Product): Promise<void> {
  const exited = once(product.process, 'exit')
  product.process.kill('SIGTERM')
  await exited
}
