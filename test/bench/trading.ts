/**
 * The trading endpoints over HTTP, uncached, on fifteen years of eight zones, the last of them in quarter-hours; and each against
 * the same figures from the raw intervals.
 */
import { GAS_PLANT } from '../../src/market/gas-plant.ts'
import type { DailyPrice } from '../../src/publishers/observations.ts'
import { dailyPrice, storePrices } from '../support/prices.ts'
import { type BenchRow, median, time } from './bench.ts'
import { fillZones } from './fill-zones.ts'
import { type ScratchDatabase, scratchDatabase } from './scratch-database.ts'
import { type ServedDatabase, serve } from './serve.ts'

const NOW = Temporal.Instant.from('2026-11-20T20:00:00Z')
const LAST = Temporal.PlainDate.from('2026-11-20')
const FIRST = LAST.subtract({ years: 15 })
const FIRST_OF_QUARTERS = Temporal.PlainDate.from('2025-10-01')
const REQUESTS = 60
const WARMING = 10
const RAW_ROUNDS = 9

/** Replaces zone_prices_daily: every day between $1 and $2 from its intervals. */
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

/** As trading_vitals, with PUN and its ranges made of intervals. */
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

/** As return_correlations of PUN, PSV and TTF. */
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

/** The raw statement reads only the window too, and a short one costs it little more than any statement costs. */
const window = (days: number, ratioAtLeast: number): Case => ({
  name: `correlation over ${days} days`,
  path: `/v1/trading/correlation?window=${days}`,
  raw: RAW_CORRELATION,
  rawFrom: LAST.subtract({ days }),
  ratioAtLeast,
})

const CASES: Case[] = [
  // Wilder's average has no other beginning than the first day there is.
  { name: 'vitals', path: '/v1/trading/vitals', raw: RAW_VITALS, rawFrom: FIRST, ratioAtLeast: 10 },
  window(30, 0.5),
  window(90, 1),
  window(180, 2),
  {
    name: 'backtest of 15 years',
    path: '/v1/trading/backtest',
    body: { asset: 'pun', strategy: 'sma_cross', from: FIRST.toString(), to: LAST.toString() },
    raw: RAW_SERIES,
    rawFrom: FIRST,
    ratioAtLeast: 10,
  },
]

export default async function trading(): Promise<BenchRow[]> {
  await using scratch = await scratchDatabase()
  await fill(scratch)
  await using service = await serve(scratch, NOW)
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
  const durations = (await time(REQUESTS + WARMING, () => ask(one, service))).slice(WARMING)
  const fromRaw = median(await time(RAW_ROUNDS, raw))
  const p95 = durations.toSorted((a, b) => a - b)[Math.floor(durations.length * 0.95)] ?? Number.NaN
  return [
    {
      name: `${one.name}, uncached: p95`,
      measured: p95,
      unit: 'ms',
      bound: { atMost: 30 },
      details: `median ${median(durations).toFixed(1)} ms of ${REQUESTS} requests over HTTP`,
    },
    {
      name: `${one.name}: bare statement on raw intervals against the endpoint`,
      measured: fromRaw / median(durations),
      unit: 'ratio',
      bound: { atLeast: one.ratioAtLeast },
      details: `${fromRaw.toFixed(1)} ms against ${median(durations).toFixed(1)} ms`,
    },
  ]
}

async function ask({ path, body }: Case, service: ServedDatabase): Promise<void> {
  service.raiseDataVersion()
  const answer = await fetch(new URL(path, service.baseUrl), {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...service.headers, ...(body && { 'Content-Type': 'application/json' }) },
    body: body === undefined ? null : JSON.stringify(body),
  })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${text}`)
}
