import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { findRunningEngine } from '../../src/platform/engine/engine.ts'
import type { Sql } from '../../src/store/database.ts'
import { isEmbedded, productDatabaseOfFile, type TestDatabase } from '../support/database.ts'
import { LONG_HISTORY_HOURS, longHistoryFile } from '../support/long-history.ts'
import { startCommand } from '../support/product.ts'
import { isLongRun } from '../support/repetitions.ts'
import { scratchFolderOfFile } from '../support/scratch-folder.ts'

/** Number of stored prices at which the import is killed. */
const KILLED_AT = isLongRun ? [1, 50_000, 100_000] : [50_000]

const copy = await productDatabaseOfFile()
const file = await longHistoryFile(await scratchFolderOfFile())

const startImport = () => startCommand(copy.env, 'import.ts', [file])

/** Connects to the database of the import; waits for the engine if it is embedded. */
async function openImportDatabase({ child, ended }: ReturnType<typeof startImport>): Promise<TestDatabase> {
  while (isEmbedded && (await findRunningEngine(path.join(copy.dataDir, 'engine')))?.pid !== child.pid) {
    if (child.exitCode !== null) throw new Error(`the import ended before it could be joined: ${(await ended).stderr}`)
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
      const started = startImport()
      const { child, ended } = started
      let acknowledged = 0
      {
        await using running = await openImportDatabase(started)
        while (acknowledged < threshold && child.exitCode === null)
          acknowledged = await countStored(running.database.sql)
        child.kill('SIGKILL')
      }
      const { stderr } = await ended
      expect(child.signalCode, stderr).toBe('SIGKILL')

      await using after = await copy.open()
      expect(await countStored(after.database.sql)).toBeGreaterThanOrEqual(acknowledged)
      expect([...(await brokenDays(after.database.sql))]).toEqual([])
    }

    const last = startImport()
    await (await openImportDatabase(last))[Symbol.asyncDispose]()
    if (isEmbedded) {
      const refused = await startImport().ended
      expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(`in use by process ${last.child.pid}`) })
    }
    const { code, stderr } = await last.ended
    expect(code, stderr).toBe(0)
    await using done = await copy.open()
    const { sql } = done.database
    expect(await countStored(sql)).toBe(LONG_HISTORY_HOURS)
    expect([...(await brokenDays(sql))]).toEqual([])
    const [refreshed] = await sql`select sum(intervals)::integer as hours from zone_prices_daily`
    expect(refreshed?.hours).toBe(LONG_HISTORY_HOURS)
    expect([...(await sql`select 1 from price_interval_revisions limit 1`)]).toEqual([])
  })
})
