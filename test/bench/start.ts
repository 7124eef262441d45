/** Start on an existing data folder until /readyz answers 200, and what all processes together then hold in memory. */
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { type Product, startProduct } from '../support/product.ts'
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

/** Resident memory of a process and its children from /proc; NaN where there is no /proc. */
async function residentMb(pid: number): Promise<number> {
  let total = 0
  for (const id of [pid, ...(await childrenOf(pid))]) {
    const status = await readFile(`/proc/${id}/status`, 'utf8').catch(() => '')
    total += Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) / 1024
  }
  return total
}

async function childrenOf(pid: number): Promise<number[]> {
  const ids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const children: number[] = []
  for (const id of ids) {
    const stat = await readFile(`/proc/${id}/stat`, 'utf8').catch(() => '')
    if (Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === pid) children.push(Number(id))
  }
  return children
}
