/**
 * Import of nineteen years of hours through the whole path, against a bare INSERT … unnest of the same rows into the same table, COPY beside it;
 * and fifteen years of all zones from a publisher's documents with one command.
 */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { importFiles } from '../../src/ingest/import-files.ts'
import { makeClock } from '../../src/platform/clock.ts'
import type { Database } from '../../src/store/database.ts'
import { productEnvironment } from '../support/environment.ts'
import { gmeXml } from '../support/gme-documents.ts'
import { longHistoryFile } from '../support/long-history.ts'
import { zipArchive } from '../support/zip-archive.ts'
import { type BenchRow, median, time } from './bench.ts'
import { scratchDatabase } from './scratch-database.ts'

const ROUNDS = 5
const BARE_BATCH = 20_000
/** The embedded engine takes no COPY. */
const ON_SERVER = process.env.DATABASE_URL !== undefined
const FIRST_YEAR = 2010
const YEARS = 15
const IMPORT = path.join(import.meta.dirname, '../../src/cli/import.ts')
const run = promisify(execFile)

export default async function importRate(): Promise<BenchRow[]> {
  await using scratch = await scratchDatabase()
  await using notDurable = await scratchDatabase({ durable: false })
  const file = await longHistoryFile(scratch.folder)
  const rows = gunzipSync(await readFile(file))
    .toString()
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','))

  const bare = async ({ sql }: Database) => {
    for (let i = 0; i < rows.length; i += BARE_BATCH) {
      const batch = rows.slice(i, i + BARE_BATCH)
      await sql`
        insert into price_intervals
          (zone, starts_at, resolution_minutes, market_day, ordinal, price_eur_mwh, source, observed_at, fetched_at, document_id)
        select 'nazionale', r.starts_at, 60, r.day, r.ordinal, r.price, 'gme-mgp', now(), now(), 1
        from unnest(
          ${batch.map((row) => row[2] as string)}::timestamptz[], ${batch.map((row) => row[0] as string)}::date[],
          ${batch.map((row) => Number(row[1]))}::smallint[], ${batch.map((row) => Number(row[3]))}::float8[]
        ) as r (starts_at, day, ordinal, price)`
    }
  }
  const copied = async ({ sql }: Database) => {
    const into = await sql`
      copy price_intervals
        (zone, starts_at, resolution_minutes, market_day, ordinal, price_eur_mwh, source, observed_at, fetched_at, document_id)
      from stdin (format csv)`.writable()
    const lines = rows.map(
      (row) => `nazionale,${row[2]},60,${row[0]},${row[1]},${row[3]},gme-mgp,${row[2]},${row[2]},1\n`,
    )
    await pipeline(lines, into)
  }
  const whole = (database: Database) => importFiles({ database, clock: makeClock(), paths: [file] })
  const onEmpty = async (database: Database, run: (database: Database) => Promise<unknown>) => {
    await database.sql`truncate price_intervals, price_interval_revisions`
    const [ms = 0] = await time(1, () => run(database))
    return ms
  }

  const bareMs: number[] = []
  const wholeMs: number[] = []
  const copyMs: number[] = []
  const notDurableMs: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    bareMs.push(await onEmpty(scratch.database, bare))
    if (ON_SERVER) copyMs.push(await onEmpty(scratch.database, copied))
    wholeMs.push(await onEmpty(scratch.database, whole))
    notDurableMs.push(await onEmpty(notDurable.database, whole))
  }
  const rate = (ms: number[]) => Math.round(rows.length / (median(ms) / 1000))
  const years = await importYears()
  return [
    years,
    {
      name: 'import: rows a second against a bare insert',
      measured: median(bareMs.map((ms, round) => ms / (wholeMs[round] as number))),
      unit: 'ratio',
      bound: { atLeast: 0.85 },
      details: `${rows.length} hours, ${rate(wholeMs)} rows/s through parser, gate and revisions; bare insert ${rate(bareMs)}, ${ON_SERVER ? `COPY ${rate(copyMs)}` : 'COPY needs a server'}`,
    },
    {
      name: 'import: EMBEDDED_DURABILITY on against off',
      measured: median(notDurableMs.map((ms, round) => ms / (wholeMs[round] as number))),
      unit: 'ratio',
      bound: { atLeast: 0.8 },
      details: `${rate(wholeMs)} rows/s on, ${rate(notDurableMs)} rows/s off`,
    },
  ]
}

/** `npm run import` on a new folder, the aggregates included: a document of each day, in an archive of each year. */
async function importYears(): Promise<BenchRow> {
  await using stack = new AsyncDisposableStack()
  const folder = await mkdtemp(path.join(os.tmpdir(), 'energy-prices-years-'))
  stack.defer(() => rm(folder, { recursive: true }))
  await mkdir(path.join(folder, 'files'))
  for (let year = FIRST_YEAR; year < FIRST_YEAR + YEARS; year++) {
    const documents = []
    for (let day = Temporal.PlainDate.from({ year, month: 1, day: 1 }); day.year === year; day = day.add({ days: 1 }))
      documents.push({ name: `${day.toString().replaceAll('-', '')}MGPPrezzi.xml`, content: gmeXml({ day }) })
    await writeFile(path.join(folder, 'files', `${year}.zip`), zipArchive(documents))
  }
  const env = productEnvironment({ DATA_DIR: path.join(folder, 'data') })
  const [ms = Number.NaN] = await time(1, () => run(process.execPath, [IMPORT, path.join(folder, 'files')], { env }))
  return {
    name: 'import: fifteen years of hours of eight zones, one command',
    measured: ms / 1000,
    unit: 's',
    bound: { atMost: 60 },
    details: `${YEARS} archives of daily documents into a new folder, aggregates included`,
  }
}
