/** Responses that no cache serves: series, hours of a month, trading endpoints, and the indices of offers. */
import { importFiles } from '../../src/ingest/import-files.ts'
import { GAS_PLANT } from '../../src/market/gas.ts'
import type { Customer, PriceType } from '../../src/market/offers.ts'
import { STORED_ZONES } from '../../src/market/zones.ts'
import { makeClock } from '../../src/platform/clock.ts'
import type { DailyPrice } from '../../src/publishers/observations.ts'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import { computeOfferDay, refreshOfferIndices } from '../../src/store/offer-indices.ts'
import { queryText } from '../../src/store/sql-files.ts'
import { longHistoryFile } from '../support/long-history.ts'
import { octoberPrices, type SeedOffer, seedOffers } from '../support/offers.ts'
import { dailyPrice, storePrices } from '../support/prices.ts'
import { atLeast, atMost, type BenchRow, median, percentile, time, timeOnce } from './bench.ts'
import { fillZones, type ScratchDatabase, type ServedDatabase, scratchDatabase, serve } from './scratch.ts'

const SERIES_ROUNDS = 15
const FROM = Temporal.PlainDate.from('2004-01-01')
const TO = Temporal.PlainDate.from('2022-12-31')
const SERIES_NOW = Temporal.Instant.from('2023-01-01T12:00:00Z')

/** The same figures as daily_prices_list_series, computed from the intervals. */
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

/**
 * The series over the whole history: the endpoint over HTTP, uncached, compared with its bare query; the same compressed; and the daily
 * aggregate compared with the raw intervals.
 */
export async function series(): Promise<BenchRow[]> {
  await using scratch = await scratchDatabase()
  const { sql } = scratch.database
  await importFiles({ database: scratch.database, clock: makeClock(), paths: [await longHistoryFile(scratch.folder)] })
  await refreshAggregates(sql)
  await sql`analyze`

  await using service = await serve(scratch, SERIES_NOW)
  const bareText = queryText('daily_prices_list_series')
  const bare = () => sql.unsafe(bareText, ['PUN', FROM.toString(), TO.toString()], { prepare: true })
  const raw = () => sql.unsafe(RAW, [FROM.toString(), TO.toString()], { prepare: true })
  const target = `/v1/prices/pun/series?from=${FROM}&to=${TO}`
  const served = () => service.askUncached(target, { encoding: 'identity' })
  const compressed = () => service.askUncached(target)

  const durations = { bare: [] as number[], raw: [] as number[], served: [] as number[], compressed: [] as number[] }
  const { points } = JSON.parse((await served()).toString()) as { points: unknown[] }
  await Promise.all([bare(), raw(), compressed()])
  for (let i = 0; i < SERIES_ROUNDS; i++) {
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
    atMost(1.5, 'ratio', ms.served / ms.bare, {
      name: 'series of the whole history: served against its bare query',
      details: `${points.length} days over HTTP, ${ms.served.toFixed(1)} ms (gzip ${ms.compressed.toFixed(1)} ms) against ${ms.bare.toFixed(1)} ms`,
    }),
    atLeast(5, 'ratio', ms.raw / ms.bare, {
      name: 'series of the whole history: raw intervals against the daily aggregate',
      details: `${ms.raw.toFixed(1)} ms against ${ms.bare.toFixed(1)} ms`,
    }),
  ]
}

const HOURS_NOW = Temporal.Instant.from('2026-01-15T12:00:00Z')
const LAST_DAY = Temporal.PlainDate.from('2025-12-31')
const YEARS = 15
const REQUESTS = 60

/**
 * A month of hours of a zone, uncached, with fifteen years of eight zones loaded; and how the median grows from one year of data to
 * fifteen.
 */
export async function hourly(): Promise<BenchRow[]> {
  await using scratch = await scratchDatabase()
  const firstOfLastYear = LAST_DAY.subtract({ years: 1 }).add({ days: 1 })
  await fillZones(scratch, { from: firstOfLastYear, to: LAST_DAY, resolutionMinutes: 60 })
  await using service = await serve(scratch, HOURS_NOW)
  const small = await timeMonthRequests(service)
  await fillZones(scratch, {
    from: LAST_DAY.subtract({ years: YEARS }).add({ days: 1 }),
    to: firstOfLastYear.subtract({ days: 1 }),
    resolutionMinutes: 60,
  })
  const large = await timeMonthRequests(service)
  const p95 = percentile(large, 0.95)
  return [
    atMost(50, 'ms', p95, {
      name: 'hours of a month, uncached: p95',
      details: `${REQUESTS} requests over HTTP, ${YEARS} years of ${STORED_ZONES.length} zones`,
    }),
    atMost(1.3, 'ratio', median(large) / median(small), {
      name: `hours of a month, uncached: median with ${YEARS} years against 1`,
      details: `${median(large).toFixed(1)} ms against ${median(small).toFixed(1)} ms`,
    }),
  ]
}

/** Duration in milliseconds of each of many requests for a month of hours, over different zones and months. */
async function timeMonthRequests(service: ServedDatabase): Promise<number[]> {
  const durations: number[] = []
  for (let i = 0; i < REQUESTS; i++) {
    const from = Temporal.PlainDate.from({ year: LAST_DAY.year, month: (i % 12) + 1, day: 1 })
    const zone = ['nazionale', 'nord', 'sici'][i % 3]
    const target = `/v1/pun/hourly?zone=${zone}&from=${from}&to=${from.add({ days: 30 })}`
    durations.push(await timeOnce(() => service.askUncached(target)))
  }
  return durations.slice(REQUESTS / 10)
}

const TRADING_NOW = Temporal.Instant.from('2026-11-20T20:00:00Z')
const LAST = Temporal.PlainDate.from('2026-11-20')
const FIRST = LAST.subtract({ years: 15 })
const FIRST_OF_QUARTERS = Temporal.PlainDate.from('2025-10-01')
const WARM_UP_REQUESTS = 10
const RAW_ROUNDS = 9

/** Replaces zone_prices_daily: computes every day between $1 and $2 from its intervals. */
const RAW_DAYS = `
  select market_day, max(hour_price) as high, min(hour_price) as low, sum(hour_price * minutes) / sum(minutes) as close
  from (
    select market_day, date_trunc('hour', starts_at) as hour, sum(resolution_minutes) as minutes,
           sum(price_eur_mwh * resolution_minutes) / sum(resolution_minutes) as hour_price
    from price_intervals
    where zone = 'nazionale' and starts_at >= market_day_start($1::date) and starts_at < market_day_start($2::date + 1)
    group by market_day, date_trunc('hour', starts_at)
  ) hours
  group by market_day
  having sum(minutes) = market_day_minutes(market_day)`

/** Like trading_vitals, with PUN and its ranges computed from intervals. */
const RAW_VITALS = `
  with pun as materialized (${RAW_DAYS})
  select
    spark_spread(p.close, psv.price, ${GAS_PLANT.efficiency}),
    clean_spark_spread(p.close, psv.price, co2.price, ${GAS_PLANT.efficiency}, ${GAS_PLANT.emissionFactorTonnesMwh}),
    psv_ttf_spread(psv.price, ttf.price),
    (select wilder_atr(high, low, close, 14 order by market_day) from pun),
    (
      select wilder_atr(price, price, price, 14 order by market_day)
      from daily_prices where asset = 'PSV' and market_day between $1::date and $2::date
    )
  from pun p, price_before('PSV', $2::date) psv, price_before('TTF', $2::date) ttf, price_before('CO2', $2::date) co2
  where p.market_day = $2::date`

/** Like return_correlations of PUN, PSV and TTF. */
const RAW_CORRELATION = `
  with prices as materialized (
    select 1 as position, market_day, close as price from (${RAW_DAYS}) pun
    union all
    select case asset when 'PSV' then 2 else 3 end, market_day, price
    from daily_prices where asset in ('PSV', 'TTF') and market_day between $1::date and $2::date
  ), pairs as (
    select a.position as a, b.position as b,
           simple_return(a.price, lag(a.price) over days) as return_a,
           simple_return(b.price, lag(b.price) over days) as return_b
    from prices a join prices b on b.market_day = a.market_day and b.position >= a.position
    window days as (partition by a.position, b.position order by a.market_day)
  )
  select a, b, regr_count(return_a, return_b), corr(return_a, return_b) from pairs group by a, b`

const RAW_SERIES = `select array_agg(market_day order by market_day), array_agg(close order by market_day) from (${RAW_DAYS}) days`

interface Case {
  name: string
  path: string
  body?: object
  raw: string
  /** First day that the raw statement reads. */
  rawFrom: Temporal.PlainDate
  ratioAtLeast: number
}

/** The raw statement also reads only the window; for a short one it costs little more than the overhead of any statement. */
const windowCase = (days: number, ratioAtLeast: number): Case => ({
  name: `correlation over ${days} days`,
  path: `/v1/trading/correlation?window=${days}`,
  raw: RAW_CORRELATION,
  rawFrom: LAST.subtract({ days }),
  ratioAtLeast,
})

const CASES: Case[] = [
  // Wilder's average can only begin on the first day of the history.
  { name: 'vitals', path: '/v1/trading/vitals', raw: RAW_VITALS, rawFrom: FIRST, ratioAtLeast: 10 },
  windowCase(30, 0.5),
  windowCase(90, 1),
  windowCase(180, 2),
  {
    name: 'backtest of 15 years',
    path: '/v1/trading/backtest',
    body: { asset: 'pun', strategy: 'sma_cross', from: FIRST.toString(), to: LAST.toString() },
    raw: RAW_SERIES,
    rawFrom: FIRST,
    ratioAtLeast: 10,
  },
]

/**
 * The trading endpoints over HTTP, uncached, on fifteen years of eight zones, the last year in quarter-hours; each compared with
 * the same figures computed from the raw intervals.
 */
export async function trading(): Promise<BenchRow[]> {
  await using scratch = await scratchDatabase()
  await fill(scratch)
  await using service = await serve(scratch, TRADING_NOW)
  const rows: BenchRow[] = []
  for (const one of CASES) rows.push(...(await measure(one, scratch, service)))
  return rows
}

async function fill(scratch: ScratchDatabase): Promise<void> {
  const days = Array.from({ length: FIRST.until(LAST).days + 1 }, (_, n) => FIRST.add({ days: n }))
  const prices: DailyPrice[] = days.flatMap((day, n) => [
    dailyPrice('PSV', day.toString(), 30 + ((n * 7) % 11)),
    ...(day.dayOfWeek <= 5
      ? [dailyPrice('TTF', day.toString(), 28 + ((n * 5) % 9)), dailyPrice('CO2', day.toString(), 70 + (n % 8))]
      : []),
  ])
  await storePrices(scratch.database.sql, prices)
  await fillZones(scratch, { from: FIRST, to: FIRST_OF_QUARTERS.subtract({ days: 1 }), resolutionMinutes: 60 })
  await fillZones(scratch, { from: FIRST_OF_QUARTERS, to: LAST, resolutionMinutes: 15 })
}

async function measure(one: Case, { database }: ScratchDatabase, service: ServedDatabase): Promise<BenchRow[]> {
  const raw = () => database.sql.unsafe(one.raw, [one.rawFrom.toString(), LAST.toString()], { prepare: true })
  await raw()
  const durations = (await time(REQUESTS + WARM_UP_REQUESTS, () => service.askUncached(one.path, one))).slice(
    WARM_UP_REQUESTS,
  )
  const fromRaw = median(await time(RAW_ROUNDS, raw))
  const p95 = percentile(durations, 0.95)
  return [
    atMost(30, 'ms', p95, {
      name: `${one.name}, uncached: p95`,
      details: `median ${median(durations).toFixed(1)} ms of ${REQUESTS} requests over HTTP`,
    }),
    atLeast(one.ratioAtLeast, 'ratio', fromRaw / median(durations), {
      name: `${one.name}: bare statement on raw intervals against the endpoint`,
      details: `${fromRaw.toFixed(1)} ms against ${median(durations).toFixed(1)} ms`,
    }),
  ]
}

const DAY = '2026-11-21'
const AT = Temporal.Instant.from('2026-11-21T01:00:00Z')
const OFFERS_OF_COMMODITY = 15_000
const SUPPLIERS = 400
const INDEX_ROUNDS = 5
const SECONDS_MAX = 2

/** The indices and statistics of one day from 30,000 offers, computed in SQL and stored. */
export async function offerIndices(): Promise<BenchRow[]> {
  await using scratch = await scratchDatabase()
  const { sql } = scratch.database
  await storePrices(sql, octoberPrices({ PUN: 100, PSV: 30 }))
  await refreshAggregates(sql)
  for (const commodity of ['luce', 'gas'] as const) await seedOffers(sql, manyOffers(), { day: DAY, commodity })
  await refreshOfferIndices(sql, AT)
  await sql.unsafe('analyze')
  const durations = await time(INDEX_ROUNDS, async () => {
    for (const commodity of ['luce', 'gas'] as const) await computeOfferDay(sql, { day: DAY, commodity }, AT)
  })
  return [
    atMost(SECONDS_MAX, 's', median(durations) / 1000, {
      name: 'indices of a day from 30,000 offers',
      details: `of ${INDEX_ROUNDS} runs ${durations.map((ms) => ms.toFixed(0)).join(', ')} ms`,
    }),
  ]
}

/** Offers with three, two and one bands; one in fifty has an absurd price. */
function manyOffers(): SeedOffer[] {
  return Array.from({ length: OFFERS_OF_COMMODITY }, (_, i): SeedOffer => {
    const priceType: PriceType = i % 2 === 0 ? 'fisso' : 'variabile'
    const customer: Customer = i % 4 < 2 ? 'domestico' : 'business'
    const price = i % 50 === 0 ? 0.9 : 0.02 + ((i * 7919) % 1000) / 10_000
    const prices = [price, price * 0.9, price * 0.8].slice(0, 1 + (i % 3))
    const bands = (['single', 'f1-f23', 'f1-f2-f3'] as const)[(i % 3) as 0 | 1 | 2]
    return {
      supplier: i % SUPPLIERS,
      code: `OFFER-${i}`,
      priceType,
      customer,
      prices,
      bands,
      feeEurYear: 60 + (i % 120),
    }
  })
}
