/** `npm run export` as users run it: output files, messages and exit codes. */
import type { ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { MARKET_ZONES } from '../../src/market/zones.ts'
import type { Sql } from '../../src/store/database.ts'
import { type ProductDatabase, productDatabase } from '../support/database.ts'
import { duckRows } from '../support/duck-db.ts'
import { storePrices, zoneDay } from '../support/prices.ts'
import { commandOutcome, type Outcome, startCommand } from '../support/product.ts'
import { untilPartialFile } from '../support/unfinished-file.ts'

const FIRST = Temporal.PlainDate.from('2026-03-15')
/** Two weeks up to the change day with 23 hours, and the one with 25. */
const DAYS = [...Array.from({ length: 15 }, (_, i) => FIRST.add({ days: i }).toString()), '2026-10-25']
const ROWS = MARKET_ZONES.length * (14 * 96 + 92 + 100)

let copy: ProductDatabase
/** Connection to the service's database; the service runs until `stopService`. */
let sql: Sql
let stopService: () => Promise<void>
let folder: string
let out: string
beforeAll(async () => {
  copy = await productDatabase()
  const opened = await copy.open(2)
  sql = opened.database.sql
  stopService = opened.stop
  await sql`update sources set redistributable = true where id = 'gme-mgp'`
  await storePrices(
    sql,
    MARKET_ZONES.flatMap((zone) => DAYS.map((day) => zoneDay(zone, day, 15, (quarter) => quarter / 4 - 5))),
  )
})
afterAll(async () => {
  await stopService()
  await copy.remove()
})
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'energy-prices-e2e-'))
  out = path.join(folder, 'pun.parquet')
  return () => rm(folder, { recursive: true })
})

const run = (...args: string[]) => commandOutcome(copy.env, 'export.ts', ...args)

async function expectComplete({ code, stdout, stderr }: Outcome): Promise<void> {
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const content = await readFile(out)
  const sha256 = createHash('sha256').update(content).digest('hex')
  expect(stdout).toBe(`${out}: ${ROWS} rows from 2026-03-15 to 2026-10-25, ${content.length} bytes, sha256 ${sha256}\n`)
  expect(await readdir(folder)).toEqual(['pun.parquet'])
  const rows = await duckRows(`
    select (starts_at at time zone 'Europe/Rome')::date::text as day, count(*)::integer as quarters, min(eur_mwh) as low, max(eur_mwh) as high
    from '${out}' where zone = 'nord' group by day having quarters <> 96 order by day`)
  expect(rows).toEqual([
    { day: '2026-03-29', quarters: 92, low: -4.75, high: 18 },
    { day: '2026-10-25', quarters: 100, low: -4.75, high: 20 },
  ])
}

it('writes a file beside a running service', async () => {
  await expectComplete(await run('pun-hourly', '--out', out))
  expect(await sql`select from price_intervals limit 1`).toHaveLength(1)
})

describe('an export', () => {
  const USAGE = 'usage: npm run export -- <dataset> [--format parquet|csv.gz|arrow] --out <file>'

  it.each([
    ['with an unknown option', ['pun-hourly', '--zone', 'nord'], "Unknown option '--zone'", USAGE],
    ['over a file that exists', ['pun-hourly', '--out', 'OUT/there'], 'there exists already', ''],
    ['in a folder that does not exist', ['pun-hourly', '--out', 'OUT/no/pun'], 'there is no folder', ''],
    ['in a folder that is a file', ['pun-hourly', '--out', 'OUT/there/pun'], 'there is no folder', ''],
  ])('%s writes nothing and exits with 2', async (_what, args, reason, usage) => {
    await writeFile(path.join(folder, 'there'), 'before')
    const { code, stdout, stderr } = await run(...args.map((arg) => arg.replace('OUT', folder)))
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(reason)
    expect(stderr).toContain(usage)
    expect(stderr).not.toMatch(/^\s+at /m)
    expect(await readdir(folder)).toEqual(['there'])
    expect(await readFile(path.join(folder, 'there'), 'utf8')).toBe('before')
  })

  it('with --help prints the usage and exits with 0', async () => {
    const { code, stdout, stderr } = await run('--help')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain(USAGE)
  })

  it('of a dataset without rows writes nothing and exits with 1', async () => {
    expect(await run('mercato-libero', '--out', out)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'mercato-libero has no rows that may be passed on in bulk; nothing was written\n',
    })
    expect(await readdir(folder)).toEqual([])
  })

  it('from a database that is not up to date writes nothing and exits with 2', async () => {
    const behind = 'another-name'
    const [last] = await sql<{ name: string }[]>`select max(name) as name from kysely_migration`
    await sql`update kysely_migration set name = ${behind} where name = ${last?.name ?? ''}`
    const { code, stderr } = await run('pun-hourly', '--out', out)
    await sql`update kysely_migration set name = ${last?.name ?? ''} where name = ${behind}`
    expect(stderr).toBe(
      `The database is not at the head of sql/: it lacks ${last?.name}. Run \`npm run db:migrate\` as its owner.\n`,
    )
    expect(code).toBe(2)
    expect(await readdir(folder)).toEqual([])
  })

  it('that is interrupted writes nothing and exits with 130', async () => {
    const { child, ended, release } = await startHeld()
    child.kill('SIGINT')
    expect(await ended).toEqual({ code: 130, stdout: '', stderr: 'interrupted; nothing was written\n' })
    await release()
    expect(await readdir(folder)).toEqual([])
  })
})

it('removes the partial file of a killed export, and no other file', async () => {
  const kept = [`.${os.hostname()}.${process.pid}.0123abcd.part`, '.another.part', 'prices.part']
  for (const name of kept) await writeFile(path.join(folder, name), 'of somebody else')
  const { child, ended, release } = await startHeld()
  child.kill('SIGKILL')
  await ended
  await release()
  expect(await debrisOf(child)).toHaveLength(1)
  expect(await run('pun-hourly', '--out', out)).toMatchObject({ code: 0 })
  expect((await readdir(folder)).sort()).toEqual([...kept, 'pun.parquet'].sort())
})

const debrisOf = async ({ pid }: ChildProcess) => (await readdir(folder)).filter((name) => name.includes(`.${pid}.`))

/** Starts an export that has begun its file and is blocked before the next rows until `release`. */
async function startHeld() {
  const transaction = await sql.reserve()
  for (;;) {
    const begun = untilPartialFile(folder)
    const { child, ended } = startCommand(copy.env, 'export.ts', ['pun-hourly', '--out', out])
    await begun
    await transaction`begin`
    await transaction`lock table price_intervals`
    const release = async () => {
      await transaction`rollback`
      transaction.release()
    }
    if ((await debrisOf(child)).length === 1) return { child, ended, release }
    await transaction`rollback` // the file was complete before the lock
    await ended
    await rm(out)
  }
}

it('writes a file without a service', async () => {
  await stopService()
  await expectComplete(await run('pun-hourly', '--format', 'parquet', '--out', out))
})
