/** Import of nineteen years of hours through the whole path, against a bare INSERT … unnest of the same rows into the same table. */
import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { importFiles } from '../../src/ingest/import-files.ts'
import { makeClock } from '../../src/platform/clock.ts'
import type { Database } from '../../src/store/database.ts'
import { longHistoryFile } from '../support/long-history.ts'
import { type BenchRow, median, time } from './bench.ts'
import { scratchDatabase } from './scratch-database.ts'

const ROUNDS = 5
const BARE_BATCH = 20_000

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
  const whole = (database: Database) => importFiles({ database, clock: makeClock(), paths: [file] })
  const onEmpty = async (database: Database, run: (database: Database) => Promise<unknown>) => {
    await database.sql`truncate price_intervals, price_interval_revisions`
    const [ms = 0] = await time(1, () => run(database))
    return ms
  }

  const bareMs: number[] = []
  const wholeMs: number[] = []
  const notDurableMs: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    bareMs.push(await onEmpty(scratch.database, bare))
    wholeMs.push(await onEmpty(scratch.database, whole))
    notDurableMs.push(await onEmpty(notDurable.database, whole))
  }
  const rate = (ms: number[]) => Math.round(rows.length / (median(ms) / 1000))
  return [
    {
      name: 'import: rows a second against a bare insert',
      measured: median(bareMs.map((ms, round) => ms / (wholeMs[round] as number))),
      unit: 'ratio',
      bound: { atLeast: 0.5 },
      details: `${rows.length} hours, ${rate(wholeMs)} rows/s through parser, gate and revisions`,
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
