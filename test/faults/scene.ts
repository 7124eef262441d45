/** The environment of the faults: a folder, a database process on it, and a service on that; all removed afterwards. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createQueueTables } from '../../src/platform/queue/queue.ts'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import { connectDatabase, type Sql } from '../../src/store/database.ts'
import { migrate } from '../../src/store/migrate.ts'
import { dailyPrice, storePrices, zoneDay } from '../support/prices.ts'
import { endProcess, type Product, startProduct } from '../support/product.ts'

const ENGINE_MAIN = path.join(import.meta.dirname, 'engine-main.ts')
/** Short enough to observe a file while it is being written. */
const POLL_MS = 20
/** The change day in October. */
export const DAY = '2026-10-25'
export const CLOCK = '2026-10-25T10:00:00Z'

export interface DatabaseProcess {
  process: ChildProcess
  url: string
}

/** Resolves once it accepts connections. The caller, or the stack, ends it. */
export async function startDatabase(folder: string, stack: AsyncDisposableStack): Promise<DatabaseProcess> {
  const child = spawn(process.execPath, [ENGINE_MAIN, path.join(folder, 'engine')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  stack.defer(async () => void (await endProcess(child, 'SIGKILL')))
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return { process: child, url: line.toString().trim() }
}

/** Migrated, without prices. */
export async function migrateEmpty(url: string): Promise<void> {
  await createQueueTables(url)
  await using database = connectDatabase({ url, poolSize: 2 })
  await migrate(database)
}

/** Migrated, with prices of two days and a few indices. */
export async function seedPrices(url: string): Promise<void> {
  await migrateEmpty(url)
  await using database = connectDatabase({ url, poolSize: 2 })
  await storePrices(database.sql, [
    zoneDay('nazionale', '2026-10-24', 60, (hour) => 100 + hour),
    zoneDay('nazionale', DAY, 15, (quarter) => quarter / 4),
    dailyPrice('PSV', DAY, 31.5),
    dailyPrice('TTF', '2026-10-23', 30.25),
  ])
  await refreshAggregates(database.sql)
}

export async function startService(
  stack: AsyncDisposableStack,
  env: Record<string, string>,
  dataDir: string,
): Promise<Product> {
  const product = await startProduct({
    dataDir,
    env: {
      CLOCK,
      SAMPLE_DATA: 'off',
      BULK_EXPORTS: 'on',
      OPEN_REQUESTS_PER_MINUTE: '1000000',
      PAGE_REQUESTS_PER_MINUTE: '1000000',
      ...env,
    },
  })
  stack.defer(async () => void (await endProcess(product.process, 'SIGKILL')))
  return product
}

/** Throws if the condition does not become true in time. */
export async function pollUntil(holds: () => Promise<boolean>, withinSeconds = 180): Promise<void> {
  const ends = performance.now() + withinSeconds * 1_000
  while (!(await holds())) {
    if (performance.now() > ends) throw new Error(`waited ${withinSeconds} seconds without success for ${holds}`)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

/** Resolves once there are prices and, in three checks in a row, no job that is due or running. */
export async function untilJobsDone(sql: Sql): Promise<void> {
  for (let quiet = 0; quiet < 3; ) {
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    const [row] = await sql<{ done: boolean }[]>`
      select exists (select from price_intervals) and not exists (
        select from pgboss.job where state in ('created', 'retry', 'active') and start_after <= now() and name !~ '^__pgboss|[.]dead$'
      ) as done`
    quiet = row?.done === true ? quiet + 1 : 0
  }
}
