/** An import on a disk that is or becomes full: on a small file system that the test mounts, which needs root and Linux. */
import { spawnSync } from 'node:child_process'
import { cp, mkdtemp, readdir, rm, statfs, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectionStringFor, startEngine } from '../../src/platform/engine/engine.ts'
import { connectDatabase, type Sql } from '../../src/store/database.ts'
import { copyPreparedDatabase } from '../support/database.ts'
import { LONG_HISTORY_HOURS, longHistoryFile } from '../support/long-history.ts'
import { commandOutcome } from '../support/product.ts'

const MB = 1_000_000
const DISK = '600m'

let disk: string
let aside: string
let file: string
const isMounted = await mountSmallDisk()
beforeAll(async () => {
  if (!isMounted) return
  const { dataDir, remove } = await copyPreparedDatabase()
  await cp(dataDir, disk, { recursive: true })
  await remove()
  aside = await mkdtemp(path.join(os.tmpdir(), 'energy-prices-e2e-'))
  file = await longHistoryFile(aside)
})
afterAll(async () => {
  if (isMounted) spawnSync('umount', ['--lazy', disk])
  for (const folder of [disk, aside]) await rm(folder, { recursive: true, force: true })
})

async function mountSmallDisk(): Promise<boolean> {
  disk = await mkdtemp(path.join(os.tmpdir(), 'energy-prices-disk-'))
  return spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK}`, 'tmpfs', disk]).status === 0
}

/** Creates an empty migrated database on a separate disk. */
async function migrateOn(size: string) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'energy-prices-disk-'))
  spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder])
  try {
    const engine = await startEngine({ dataDir: path.join(folder, 'engine'), durable: false })
    await engine.stop()
    return await commandOutcome({ DATA_DIR: folder }, 'migrate.ts')
  } finally {
    spawnSync('umount', ['--lazy', folder])
    await rm(folder, { recursive: true, force: true })
  }
}

async function leaveFreeBytes(bytes: number): Promise<void> {
  const filler = path.join(disk, 'filler')
  await rm(filler, { force: true })
  const { bavail, bsize } = await statfs(disk)
  if (Number.isFinite(bytes)) await writeFile(filler, Buffer.alloc(bavail * bsize - bytes))
}

const load = () => commandOutcome({ DATA_DIR: disk }, 'import.ts', file)

async function inDatabase<T>(query: (sql: Sql) => Promise<T>): Promise<T> {
  await using engine = await startEngine({ dataDir: path.join(disk, 'engine') })
  await using database = connectDatabase({ url: connectionStringFor(engine.address), poolSize: 1 })
  return await query(database.sql)
}

describe.runIf(isMounted)('an import', () => {
  it('is refused before it writes anything if the disk has too little space', async () => {
    await leaveFreeBytes(30 * MB)
    const before = await readdir(disk, { recursive: true })
    expect(await load()).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^The disk of \S+ has (29|30) MB left, the import needs 64 MB: free some space and run it again\.\n$/,
      ),
    })
    expect(await readdir(disk, { recursive: true })).toEqual(before)
  })

  it('stops where the disk fills up, with whole days stored and shown', async () => {
    await leaveFreeBytes(110 * MB)
    const { code, stdout, stderr } = await load()
    expect(stderr).toMatch(/^The disk of .* the import needs \d+ MB: .* Whole days were stored up to there\.\n$/)
    expect(code).toBe(1)
    const stored = Number(/ (\d+) stored, /.exec(stdout)?.[1])
    expect(stored).toBeGreaterThan(0)
    expect(stored).toBeLessThan(LONG_HISTORY_HOURS)
    await leaveFreeBytes(Infinity)
    const [found] = await inDatabase(
      (sql) => sql`
        select (select count(*)::integer from price_intervals) as hours, (select sum(intervals)::integer from zone_prices_daily) as shown,
               (select count(*)::integer from (
                  select from price_intervals group by zone, market_day having sum(resolution_minutes) <> market_day_minutes(market_day)
                ) as broken) as broken`,
    )
    expect(found).toEqual({ hours: stored, shown: stored, broken: 0 })
  })

  it('is completed by the same command once there is room', async () => {
    const { code, stdout, stderr } = await load()
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(new RegExp(`${LONG_HISTORY_HOURS} prices read: \\d+ stored, \\d+ unchanged, 0 corrected`))
    const [found] = await inDatabase((sql) => sql`select count(*)::integer as hours from price_intervals`)
    expect(found).toEqual({ hours: LONG_HISTORY_HOURS })
  })
})

describe.runIf(isMounted)('a migration', () => {
  it('fails with one sentence if the disk is full', async () => {
    expect(await migrateOn('30m')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^The disk is full: .+\. Free some space and try again\.\n$/),
    })
  })
})
