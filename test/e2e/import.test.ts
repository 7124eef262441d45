import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectionStringFor, findRunningEngine, startEngine } from '../../src/engine/engine.ts'
import { connectDatabase, type Database, type Sql } from '../../src/store/database.ts'
import { copyOfDatabase } from '../support/database.ts'
import { productEnvironment } from '../support/environment.ts'
import { LONG_HISTORY_HOURS, longHistoryFile } from '../support/long-history.ts'

const IMPORT = path.join(import.meta.dirname, '../../src/cli/import.ts')

let copy: Awaited<ReturnType<typeof copyOfDatabase>>
let scratch: string
let file: string
beforeAll(async () => {
  copy = await copyOfDatabase()
  scratch = await mkdtemp(path.join(os.tmpdir(), 'energy-prices-import-'))
  file = await longHistoryFile(scratch)
})
afterAll(async () => {
  await copy.remove()
  await rm(scratch, { recursive: true, force: true })
})

function startImport(): ChildProcess & { output: () => string } {
  const child = spawn(process.execPath, [IMPORT, file], {
    env: productEnvironment({ DATA_DIR: copy.dataDir }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk))
  return Object.assign(child, { output: () => output })
}

const engineFolder = () => path.join(copy.dataDir, 'engine')

/** Joins the engine of the import that is under way, as any command does. */
async function join(child: ReturnType<typeof startImport>): Promise<Database> {
  for (;;) {
    const address = await findRunningEngine(engineFolder())
    if (address?.pid === child.pid && address !== undefined)
      return connectDatabase({ url: connectionStringFor(address), poolSize: 1 })
    if (child.exitCode !== null) throw new Error(`the import ended before it could be joined: ${child.output()}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const countStored = async (sql: Sql) =>
  (await sql<{ n: number }[]>`select count(*) as n from price_intervals`)[0]?.n ?? 0

/** Days of which some hours are there and others are not. */
const brokenDays = (sql: Sql) => sql`
  select zone, market_day, sum(resolution_minutes) as minutes
  from price_intervals group by zone, market_day
  having sum(resolution_minutes) <> market_day_minutes(market_day) or count(distinct ordinal) <> count(*)`

describe('an import that is killed', () => {
  it('three times loses nothing it had stored, leaves no day half there, and completes when run again, alone', async () => {
    for (const threshold of [1, 50_000, 100_000]) {
      const child = startImport()
      const exited = once(child, 'exit')
      let acknowledged = 0
      {
        await using running = await join(child)
        while (acknowledged < threshold && child.exitCode === null) acknowledged = await countStored(running.sql)
        child.kill('SIGKILL')
      }
      await exited
      expect(child.signalCode, child.output()).toBe('SIGKILL')

      await using engine = await startEngine({ dataDir: engineFolder() })
      await using after = connectDatabase({ url: connectionStringFor(engine.address), poolSize: 1 })
      expect(await countStored(after.sql)).toBeGreaterThanOrEqual(acknowledged)
      expect([...(await brokenDays(after.sql))]).toEqual([])
    }

    const last = startImport()
    const ended = once(last, 'exit')
    await (await join(last))[Symbol.asyncDispose]()
    const beside = startImport()
    await once(beside, 'exit')
    expect(beside.output()).toContain(`is in use by process ${last.pid}`)
    expect(beside.exitCode).toBe(2)
    await ended
    expect(last.exitCode, last.output()).toBe(0)
    await using engine = await startEngine({ dataDir: engineFolder() })
    await using done = connectDatabase({ url: connectionStringFor(engine.address), poolSize: 1 })
    expect(await countStored(done.sql)).toBe(LONG_HISTORY_HOURS)
    expect([...(await brokenDays(done.sql))]).toEqual([])
    const [refreshed] = await done.sql`select sum(intervals)::integer as hours from zone_prices_daily`
    expect(refreshed?.hours).toBe(LONG_HISTORY_HOURS)
    expect([...(await done.sql`select 1 from price_interval_revisions limit 1`)]).toEqual([])
  }, 180_000)
})
