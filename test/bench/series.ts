/** The series over the whole history: the endpoint's read against its bare query, and the aggregate against the raw intervals. */
import { makeClock } from '../../src/clock.ts'
import { importFiles } from '../../src/ingest/import-files.ts'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import { priceStore } from '../../src/store/prices.ts'
import { query } from '../../src/store/sql-files.ts'
import { longHistoryFile } from '../support/long-history.ts'
import { type BenchRow, median, time } from './bench.ts'
import { scratchDatabase } from './scratch-database.ts'

const ROUNDS = 15
const FROM = Temporal.PlainDate.from('2004-01-01')
const TO = Temporal.PlainDate.from('2022-12-31')

/** The same figures as daily_prices_list_series, from the intervals themselves. */
const RAW = `
  with days as (
    select market_day, sum(price_eur_mwh * resolution_minutes) / sum(resolution_minutes) as price, min(source) as source
    from price_intervals
    where zone = 'nazionale' and starts_at >= market_day_start($1::date) and starts_at < market_day_start($2::date + 1)
    group by market_day
    having sum(resolution_minutes) = market_day_minutes(market_day)
  )
  select array_agg(market_day order by market_day), array_agg(price order by market_day), min(price), max(price), avg(price),
         array_agg(distinct source)
  from days`

export default async function series(): Promise<BenchRow[]> {
  await using scratch = await scratchDatabase()
  const { sql } = scratch.database
  await importFiles({ database: scratch.database, clock: makeClock(), paths: [await longHistoryFile(scratch.folder)] })
  await refreshAggregates(sql)
  await sql`analyze`

  const store = priceStore(sql)
  const bareText = query('daily_prices_list_series')
  const bare = () => sql.unsafe(bareText, ['PUN', FROM.toString(), TO.toString()], { prepare: true })
  const raw = () => sql.unsafe(RAW, [FROM.toString(), TO.toString()], { prepare: true })
  const served = async () => JSON.stringify(await store.series('PUN', { from: FROM, to: TO }))

  const durations = { bare: [] as number[], raw: [] as number[], served: [] as number[] }
  await Promise.all([bare(), raw(), served()])
  for (let i = 0; i < ROUNDS; i++) {
    durations.bare.push(...(await time(1, bare)))
    durations.served.push(...(await time(1, served)))
    durations.raw.push(...(await time(1, raw)))
  }
  const ms = { bare: median(durations.bare), raw: median(durations.raw), served: median(durations.served) }
  const { points } = await store.series('PUN', { from: FROM, to: TO })
  return [
    {
      name: 'series of the whole history: served against its bare query',
      measured: ms.served / ms.bare,
      unit: 'ratio',
      bound: { atMost: 1.5 },
      details: `${points.length} days, ${ms.served.toFixed(1)} ms against ${ms.bare.toFixed(1)} ms`,
    },
    {
      name: 'series of the whole history: raw intervals against the daily aggregate',
      measured: ms.raw / ms.bare,
      unit: 'ratio',
      bound: { atLeast: 5 },
      details: `${ms.raw.toFixed(1)} ms against ${ms.bare.toFixed(1)} ms`,
    },
  ]
}
