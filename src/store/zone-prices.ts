/** Day-ahead prices of the zones: hours, quarter-hours and daily means. Bands, spreads and statistics are computed in SQL. */
import type { Granularity, MarketDay } from '../market/market-day.ts'
import { type MarketZone, STORED_ZONES, type ZoneCode } from '../market/zones.ts'
import type { Sql } from './database.ts'
import { type DailyHistory, sourceIdsOf } from './prices.ts'
import { query, queryAsOf } from './sql-files.ts'

type TariffBand = 'F1' | 'F2' | 'F3'

interface Extremes {
  min: number
  max: number
  avg: number
}

/** The stored intervals of one market day, in order; €/MWh. */
export interface IntervalsOfDay {
  /** YYYY-MM-DD */
  date: string
  intervals: { ordinal: number; hour: number; startsAtEpoch: number; price: number; band: TariffBand }[]
  /** Number of intervals of the day: 23, 24 or 25 hours, 92, 96 or 100 quarters. */
  expected: number
  /** The three cheapest hours, cheapest first; the earlier of two equal ones first. */
  cheapestHours: number[]
  stats: Extremes
}

export interface ZoneIntervals {
  /** Days without stored prices are left out. */
  days: IntervalsOfDay[]
  /** Over all intervals; undefined if there are none. */
  stats: Extremes | undefined
  sourceIds: string[]
}

export interface ZoneSpreads {
  national: number
  zones: readonly { code: MarketZone; name: string; price: number; spreadVsPun: number }[]
  sourceIds: string[]
}

/** How the hourly spread of two zones was distributed; €/MWh. */
export interface SpreadDistribution {
  /** YYYY-MM-DD */
  from: string
  hours: number
  p10: number
  median: number
  p90: number
}

export const PRICE_BANDS = ['f0', 'f1', 'f2', 'f3', 'f23', 'peak', 'off_peak'] as const
export type PriceBand = (typeof PRICE_BANDS)[number]

/** Means over the complete days of a calendar month; €/MWh. */
export interface BandsOfMonth {
  /** YYYY-MM */
  month: string
  days: number
  daysOfMonth: number
  /** YYYY-MM-DD */
  lastDay: string
  /** Undefined if no complete day has an hour of the band. */
  bands: Record<PriceBand, { price: number; hours: number } | undefined>
}

export interface ZoneRecord {
  code: ZoneCode
  name: string
  nameIt: string
  kind: 'national' | 'market'
  eic: string | null
  /** First and last market day, YYYY-MM-DD; null while it exists. */
  validFrom: string
  validTo: string | null
}

/** Returns current values; with `asOf`, those known at that instant. */
export interface ZonePriceStore {
  intervals(
    zone: ZoneCode,
    granularity: Granularity,
    span: { from: MarketDay; to: MarketDay },
    asOf?: Temporal.Instant,
  ): Promise<ZoneIntervals>
  /** Returns the daily mean of each zone and its difference from the PUN; undefined if the day's PUN is incomplete. */
  spreads(day: MarketDay, zones: readonly MarketZone[], asOf?: Temporal.Instant): Promise<ZoneSpreads | undefined>
  /** Price of the first zone minus that of the second, in the span and on the same days of `years` earlier years; latest first. */
  spreadYears(
    zones: readonly [ZoneCode, ZoneCode],
    span: { from: MarketDay; to: MarketDay },
    years: number,
  ): Promise<SpreadDistribution[]>
  /** Returns the latest complete day not after `notAfter`; undefined if there is none. */
  latestDay(zone: ZoneCode, notAfter: MarketDay, asOf?: Temporal.Instant): Promise<string | undefined>
  /** Returns the first stored day; undefined if there is none. */
  firstDay(zone: ZoneCode): Promise<MarketDay | undefined>
  /** Returns the means of the complete days, in order. */
  daily(zone: ZoneCode, span: { from: MarketDay; to: MarketDay }): Promise<DailyHistory>
  /** Returns the months that have complete days, in order. */
  bands(
    zone: ZoneCode,
    span: { from: Temporal.PlainYearMonth; to: Temporal.PlainYearMonth },
  ): Promise<{ months: BandsOfMonth[]; sourceIds: string[] }>
  /** Returns every zone whose prices are stored, the PUN first. */
  list(): Promise<ZoneRecord[]>
  /** Days with all hours in F3, YYYY-MM-DD. */
  holidays(span: { from: MarketDay; to: MarketDay }): Promise<string[]>
  /** Returns the zone's name and its first market day, YYYY-MM-DD. */
  zone(zone: ZoneCode): Promise<{ name: string; validFrom: string }>
}

const LIST_DAYS = {
  hour: queryAsOf<DayRow>('zone_hours_list_days'),
  quarter: queryAsOf<DayRow>('zone_quarters_list_days'),
}
const FIND_SPREADS = queryAsOf<SpreadRow>('zone_spreads_find_day')
const LIST_SPREAD_YEARS = query<SpreadDistribution>('zone_spreads_list_years')
const FIND_LATEST = queryAsOf<{ latest: string | null }>('zone_days_find_latest')
const BAND_MONTHS = query<BandsRow>('band_months_list')

interface DayRow {
  market_day: string
  ordinals: number[]
  hours: number[]
  starts_at_epoch: number[]
  prices: number[]
  bands: TariffBand[]
  cheapest_hours: number[]
  minimum: number
  maximum: number
  average: number
  span_minimum: number
  span_maximum: number
  span_average: number
  expected: number
  sources: string[]
}

type BandsRow = { month: string; days: number; days_of_month: number; last_day: string; sources: string[] } & Record<
  PriceBand,
  number | null
> &
  Record<`${PriceBand}_hours`, number>

interface SpreadRow {
  code: MarketZone
  name: string
  price: number | null
  spread_vs_pun: number | null
  national: number
  sources: string[]
}

export function zonePriceStore(sql: Sql): ZonePriceStore {
  return {
    holidays: ({ from, to }) => nationalHolidays(sql, from, to),
    async intervals(zone, granularity, { from, to }, asOf) {
      const rows = await LIST_DAYS[granularity](sql, asOf, zone, from, to)
      const [first] = rows
      return {
        days: rows.map(intervalsOfDay),
        stats: first && { min: first.span_minimum, max: first.span_maximum, avg: first.span_average },
        sourceIds: sourceIdsOf(rows),
      }
    },

    async spreads(day, codes, asOf) {
      const rows = await FIND_SPREADS(sql, asOf, day, [...codes])
      const [first] = rows
      if (first === undefined) return undefined
      const zones = rows.flatMap(({ code, name, price, spread_vs_pun: spread }) =>
        price === null || spread === null ? [] : [{ code, name, price, spreadVsPun: spread }],
      )
      return { national: first.national, zones, sourceIds: sourceIdsOf(rows) }
    },

    async spreadYears([a, b], { from, to }, years) {
      return await LIST_SPREAD_YEARS(sql, a, b, from, to, years)
    },

    async latestDay(zone, notAfter, asOf) {
      const [row] = await FIND_LATEST(sql, asOf, zone, notAfter)
      return row?.latest ?? undefined
    },

    async firstDay(zone) {
      const [row] = await sql<{ first: string }[]>`
        select market_day as first from zone_prices_daily where zone = ${zone} order by starts_at limit 1`
      return row && Temporal.PlainDate.from(row.first)
    },

    async daily(zone, { from, to }) {
      const rows = await sql<{ date: string; price: number; sources: string[] }[]>`
        select market_day as date, price_eur_mwh as price, array[source_first, source_last] as sources
        from zone_prices_daily
        where zone = ${zone} and minutes = expected_minutes
          and starts_at >= market_day_start(${from}::date) and starts_at < market_day_start(${to}::date + 1)
        order by starts_at`
      const points = rows.map(({ date, price }) => ({ date, price }))
      return { points, sourceIds: sourceIdsOf(rows) }
    },

    async bands(zone, { from, to }) {
      const first = (month: Temporal.PlainYearMonth) => month.toPlainDate({ day: 1 })
      const rows = await BAND_MONTHS(sql, zone, first(from), first(to))
      return { months: rows.map(bandsOfMonth), sourceIds: sourceIdsOf(rows) }
    },

    async list() {
      return sql<ZoneRecord[]>`
        select code, name, name_it as "nameIt", kind, eic, valid_from as "validFrom", valid_to as "validTo"
        from zones order by array_position(${[...STORED_ZONES]}::text[], code)`
    },

    async zone(zone) {
      const [row] = await sql<{ name: string; validFrom: string }[]>`
        select name, valid_from as "validFrom" from zones where code = ${zone}`
      if (row === undefined) throw new Error(`there is no zone ${zone}`)
      return row
    },
  }
}

function intervalsOfDay(row: DayRow): IntervalsOfDay {
  return {
    date: row.market_day,
    intervals: row.ordinals.map((ordinal, i) => ({
      ordinal,
      hour: row.hours[i] as number,
      startsAtEpoch: row.starts_at_epoch[i] as number,
      price: row.prices[i] as number,
      band: row.bands[i] as TariffBand,
    })),
    expected: row.expected,
    cheapestHours: row.cheapest_hours,
    stats: { min: row.minimum, max: row.maximum, avg: row.average },
  }
}

function bandsOfMonth(row: BandsRow): BandsOfMonth {
  const { month, days, days_of_month: daysOfMonth, last_day: lastDay } = row
  const bands = Object.fromEntries(
    PRICE_BANDS.map((band) => {
      const price = row[band]
      return [band, price === null ? undefined : { price, hours: row[`${band}_hours`] }]
    }),
  ) as BandsOfMonth['bands']
  return { month, days, daysOfMonth, lastDay, bands }
}

/** Holidays from the first to the last day, inclusive, as YYYY-MM-DD; their rules are in the table `holidays`. */
export async function nationalHolidays(sql: Sql, from: MarketDay, to: MarketDay): Promise<string[]> {
  const rows = await sql<{ day: string }[]>`
    select market_day as day from national_holidays(${from}, ${to}) order by 1`
  return rows.map(({ day }) => day)
}
