/**
 * The series over the whole history: the endpoint over HTTP, uncached, against its bare query; the same compressed; and the daily
 * aggregate against the raw intervals.
 */
import { request } from 'node:http'
import { importFiles } from '../../src/ingest/import-files.ts'
import { makeClock } from '../../src/platform/clock.ts'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import { queryText } from '../../src/store/sql-files.ts'
import { longHistoryFile } from '../support/long-history.ts'
import { type BenchRow, median, time } from './bench.ts'
import { scratchDatabase } from './scratch-database.ts'
import { type ServedDatabase, serve } from './serve.ts'

const ROUNDS = 15
const FROM = Temporal.PlainDate.from('2004-01-01')
const TO = Temporal.PlainDate.from('2022-12-31')
const NOW = Temporal.Instant.from('2023-01-01T12:00:00Z')

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

  await using service = await serve(scratch, NOW)
  const bareText = queryText('daily_prices_list_series')
  const bare = () => sql.unsafe(bareText, ['PUN', FROM.toString(), TO.toString()], { prepare: true })
  const raw = () => sql.unsafe(RAW, [FROM.toString(), TO.toString()], { prepare: true })
  const served = () => ask(service, 'identity')
  const compressed = () => ask(service, 'gzip')

  const durations = { bare: [] as number[], raw: [] as number[], served: [] as number[], compressed: [] as number[] }
  const { points } = JSON.parse((await served()).toString()) as { points: unknown[] }
  await Promise.all([bare(), raw(), compressed()])
  for (let i = 0; i < ROUNDS; i++) {
    durations.bare.push(...(await time(1, bare)))
    durations.served.push(...(await time(1, served)))
    durations.compressed.push(...(await time(1, compressed)))
    durations.raw.push(...(await time(1, raw)))
  }
  const ms = {
    bare: median(durations.bare),
    raw: median(durations.raw),
    served: median(durations.served),
    compressed: median(durations.compressed),
  }
  return [
    {
      name: 'series of the whole history: served against its bare query',
      measured: ms.served / ms.bare,
      unit: 'ratio',
      bound: { atMost: 1.5 },
      details: `${points.length} days over HTTP, ${ms.served.toFixed(1)} ms (gzip ${ms.compressed.toFixed(1)} ms) against ${ms.bare.toFixed(1)} ms`,
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

/** An answer that no cache gives, read to its end. */
function ask(service: ServedDatabase, encoding: 'identity' | 'gzip'): Promise<Buffer> {
  service.raiseDataVersion()
  const url = new URL(`/v1/prices/pun/series?from=${FROM}&to=${TO}`, service.baseUrl)
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers: { ...service.headers, 'Accept-Encoding': encoding } }, async (answer) => {
      const body = Buffer.concat(await answer.toArray())
      if (answer.statusCode === 200) resolve(body)
      else reject(new Error(`${url} answered ${answer.statusCode}: ${body}`))
    })
    sent.once('error', reject).end()
  })
}
