import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { findRunningEngine } from '../../src/platform/engine/engine.ts'
import type { Sql } from '../../src/store/database.ts'
import { isEmbedded, productDatabaseOfFile, type TestDatabase } from '../support/database.ts'
import { productEnvironment } from '../support/environment.ts'
import { LONG_HISTORY_HOURS, longHistoryFile } from '../support/long-history.ts'
import { isLongRun } from '../support/repetitions.ts'
import { scratchFolderOfFile } from '../support/scratch-folder.ts'

/** Number of stored prices at which the import is killed. */
const KILLED_AT = isLongRun ? [1, 50_000, 100_000] : [50_000]
const IMPORT = path.join(import.meta.dirname, '../../src/cli/import.ts')

const copy = await productDatabaseOfFile()
const file = await longHistoryFile(await scratchFolderOfFile())

function startImport(): ChildProcess & { output: () => string } {
  const child = spawn(process.execPath, [IMPORT, file], {
    env: productEnvironment(copy.env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk))
  return Object.assign(child, { output: () => output })
}

/** Connects to the database of the import; waits for the engine if it is embedded. */
async function openImportDatabase(child: ReturnType<typeof startImport>): Promise<TestDatabase> {
  while (isEmbedded && (await findRunningEngine(path.join(copy.dataDir, 'engine')))?.pid !== child.pid) {
    if (child.exitCode !== null) throw new Error(`the import ended before it could be joined: ${child.output()}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return copy.open()
}

const countStored = async (sql: Sql) =>
  (await sql<{ n: number }[]>`select count(*) as n from price_intervals`)[0]?.n ?? 0

/** Days that lack some of their hours. */
const brokenDays = (sql: Sql) => sql`
  select zone, market_day, sum(resolution_minutes) as minutes
  from price_intervals group by zone, market_day
  having sum(resolution_minutes) <> market_day_minutes(market_day) or count(distinct ordinal) <> count(*)`

describe('an import that is killed', () => {
  it(`with ${KILLED_AT.join(' and ')} prices stored loses none, leaves no partial day, and can be completed`, async () => {
    for (const threshold of KILLED_AT) {
      const child = startImport()
      const exited = once(child, 'exit')
      let acknowledged = 0
      {
        await using running = await openImportDatabase(child)
        while (acknowledged < threshold && child.exitCode === null)
          acknowledged = await countStored(running.database.sql)
        child.kill('SIGKILL')
      }
      await exited
      expect(child.signalCode, child.output()).toBe('SIGKILL')

      await using after = await copy.open()
      expect(await countStored(after.database.sql)).toBeGreaterThanOrEqual(acknowledged)
      expect([...(await brokenDays(after.database.sql))]).toEqual([])
    }

    const last = startImport()
    const ended = once(last, 'exit')
    await (await openImportDatabase(last))[Symbol.asyncDispose]()
    if (isEmbedded) await expectRefused(startImport(), last.pid)
    await ended
    expect(last.exitCode, last.output()).toBe(0)
    await using done = await copy.open()
    const { sql } = done.database
    expect(await countStored(sql)).toBe(LONG_HISTORY_HOURS)
    expect([...(await brokenDays(sql))]).toEqual([])
    const [refreshed] = await sql`select sum(intervals)::integer as hours from zone_prices_daily`
    expect(refreshed?.hours).toBe(LONG_HISTORY_HOURS)
    expect([...(await sql`select 1 from price_interval_revisions limit 1`)]).toEqual([])
  })
})

async function expectRefused(child: ReturnType<typeof startImport>, inUseBy: number | undefined): Promise<void> {
  await once(child, 'exit')
  expect(child.output()).toContain(`is in use by process ${inUseBy}`)
  expect(child.exitCode).toBe(2)
}
