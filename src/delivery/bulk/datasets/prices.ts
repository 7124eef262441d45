/** Zone prices by interval, quarter-hour and tariff band, daily prices of the indices, and replaced prices. */
import { date, instant, integer, number, optional, text } from '../../../api/contract/table.ts'
import { ASSETS, type AssetCode, hasConsumerUnit } from '../../../market/assets.ts'
import { roundNative, toEurKwh } from '../../../market/price-units.ts'
import { sourceNames } from '../../../publishers/sources.ts'
import { byZone, inOneStatement } from '../../../store/bulk-rows.ts'
import { type Block, convertedNumber, datasetOfBlocks, datasetOfRows, marketDayOfMs, namesIn } from '../dataset.ts'

const MINUTE_MS = 60_000
const QUARTER_MS = 15 * MINUTE_MS

const price = convertedNumber(roundNative)

/** Day-ahead prices of every zone at the resolution of their source: hours, and quarter-hours since 1 October 2025. */
export const punHourly = datasetOfBlocks<Block & { resolution_minutes: number[] }>({
  name: 'pun-hourly',
  title: 'Day-ahead prices of the PUN and all market zones by interval',
  sortedBy: ['zone', 'starts_at'],
  partitionedBy: { part: 'zone', time: 'starts_at' },
  supportsAsOf: true,
  tables: ['price_intervals'],
  from: byZone('bulk_intervals_list', { canQueryAsOf: true }),
  columns: [
    text(
      'zone',
      'Zone: `nazionale` is the PUN; `nord`, `cnor`, `csud`, `sud`, `cala`, `sici`, `sard` the market zones.',
    ),
    instant('starts_at', 'Start of the interval, UTC.'),
    integer('resolution_minutes', 'Length of the interval: 60, or 15 where the source has quarter-hours.'),
    price('eur_mwh', 'Price, €/MWh; may be negative.'),
    text('source', 'Name of the publisher; synthetic data say so.', namesIn),
    instant(
      'observed_at',
      'When the publisher published the value, or, where it does not say, when it was first seen, UTC.',
    ),
    instant(
      'ends_at',
      'End of the interval, not included, UTC.',
      ({ starts_at: starts, resolution_minutes: minutes }) =>
        starts.map((ms, i) => ms + (minutes[i] as number) * MINUTE_MS),
    ),
  ],
})

interface Quarters extends Block {
  /** 1 to 92, 96 or 100. */
  quarter: number[]
  bands: string
}

/** Day-ahead prices of every zone by quarter-hour, numbered within their day, with their tariff bands. */
export const zonesQuarterHourly = datasetOfBlocks<Quarters>({
  name: 'zones-quarter-hourly',
  title: 'Day-ahead prices of the PUN and all market zones by quarter-hour, with day, number and tariff band',
  sortedBy: ['zone', 'starts_at'],
  partitionedBy: { part: 'zone', time: 'starts_at' },
  tables: ['price_intervals'],
  from: byZone('bulk_quarters_list'),
  columns: [
    text('zone', 'Zone: `nazionale` is the PUN.'),
    instant('starts_at', 'Start of the quarter-hour, UTC.'),
    instant('ends_at', 'Its end, not included, UTC.', ({ starts_at: starts }) => starts.map((ms) => ms + QUARTER_MS)),
    date('market_day', 'Market day, Europe/Rome.', daysOf),
    integer('quarter', 'Number in the day by elapsed time: 1-96, or 1-92 and 1-100 on the change days.'),
    integer(
      'hour',
      'Market hour by elapsed time: 1-24, or 1-23 and 1-25 on the change days.',
      ({ quarter: quarters }) => quarters.map((quarter) => Math.ceil(quarter / 4)),
    ),
    price('eur_mwh', 'Price, €/MWh; may be negative.'),
    text('band', 'Tariff band: `F1`, `F2` or `F3`.', ({ bands }) => bands.split(',')),
    text('source', 'Name of the publisher; synthetic data say so.', namesIn),
  ],
})

/** Computes the start of each day from the quarter's start and number. */
function daysOf({ starts_at: starts, quarter: quarters }: Quarters): string[] {
  let [beginsAt, day] = [Number.NaN, '']
  return starts.map((ms, i) => {
    const begins = ms - ((quarters[i] as number) - 1) * QUARTER_MS
    if (begins !== beginsAt) [beginsAt, day] = [begins, marketDayOfMs(begins)]
    return day
  })
}

interface SourcePair {
  source_first: string
  source_last: string
}

interface DailyPrice extends SourcePair {
  asset: AssetCode
  date: string
  /** Price in the asset's native unit. */
  price: number
}

/** Daily prices of the five indices, as the daily series show them. */
export const pricesDaily = datasetOfRows<DailyPrice>({
  name: 'prices-daily',
  title: 'Daily prices of PUN, PSV, TTF, Brent and CO2',
  sortedBy: ['asset', 'date'],
  partitionedBy: { part: 'asset', time: 'date' },
  supportsAsOf: true,
  tables: [],
  from: inOneStatement('bulk_daily_prices_list', { canQueryAsOf: true }),
  columns: [
    text('asset', 'Index: `PUN`, `PSV`, `TTF`, `Brent` or `CO2`.'),
    date('date', 'Market day, Europe/Rome. Days whose price is not complete are left out.'),
    number(
      'value',
      'Price in `unit`: €/kWh with 5 decimals for PUN, PSV and TTF, else the same as `value_native`.',
      (row) => (hasConsumerUnit(ASSETS[row.asset]) ? toEurKwh(row.price) : roundNative(row.price)),
    ),
    text('unit', 'Unit of `value`: `€/kWh`, `$/bbl` or `€/tCO2`.', (row) => ASSETS[row.asset].unit),
    number(
      'value_native',
      'Price as its source publishes it; for the PUN the mean of the day’s intervals weighted by their length, or the stated daily mean.',
      (row) => roundNative(row.price),
    ),
    text('unit_native', 'Unit of `value_native`: `€/MWh`, `$/bbl` or `€/tCO2`.', (row) => ASSETS[row.asset].nativeUnit),
    text('source', 'Names of the publishers, separated by `; `; synthetic data say so.', (row) =>
      sourceNames([row.source_first, row.source_last]),
    ),
    optional(
      text(
        'basis',
        'For the PUN: `intervals`, or `daily_mean` where the source states only the mean of the day. Missing for the others.',
      ),
    ),
  ],
  daysOf: (row) => [row.date],
  sourcesOf: (row) => [row.source_first, row.source_last],
})

/** Means of tariff bands, peak and off-peak by zone and month, over complete days. */
export const bandsMonthly = datasetOfRows<SourcePair & { month: string; last_day: string }>({
  name: 'bands-monthly',
  title: 'Monthly means of tariff bands, peak and off-peak of the PUN and all market zones',
  sortedBy: ['zone', 'month'],
  partitionedBy: { part: 'zone', time: 'month' },
  tables: [],
  from: inOneStatement('bulk_band_months_list'),
  columns: [
    text('zone', 'Zone: `nazionale` is the PUN.'),
    date('month', 'First day of the calendar month.'),
    integer('days', 'Complete days, which alone are averaged.'),
    integer('days_of_month', 'Days of the month; the month is complete where both are equal.'),
    date('last_day', 'Last complete day.'),
    price('f0_eur_mwh', 'Mean of all hours, €/MWh.'),
    optional(
      price(
        'f1_eur_mwh',
        'Mean of F1: Monday to Friday 8-19, no national holidays. Missing where no complete day has such hours.',
      ),
    ),
    optional(
      price(
        'f2_eur_mwh',
        'Mean of F2: Monday to Friday 7-8 and 19-23, Saturday 7-23, no national holidays. Missing where no complete day has such hours.',
      ),
    ),
    optional(
      price(
        'f3_eur_mwh',
        'Mean of F3: the rest, Sundays and national holidays. Missing where no complete day has such hours.',
      ),
    ),
    optional(price('f23_eur_mwh', 'Mean of F2 and F3 together. Missing where no complete day has such hours.')),
    optional(
      price(
        'peak_eur_mwh',
        'Mean of peak: Monday to Friday 8-20, holidays included. Missing where no complete day has such hours.',
      ),
    ),
    optional(price('off_peak_eur_mwh', 'Mean of all other hours. Missing where no complete day has such hours.')),
    integer('f0_hours', 'Hours of the complete days.'),
    integer('f1_hours', 'Hours of F1.'),
    integer('f2_hours', 'Hours of F2.'),
    integer('f3_hours', 'Hours of F3.'),
    integer('f23_hours', 'Hours of F2 and F3.'),
    integer('peak_hours', 'Hours of peak.'),
    integer('off_peak_hours', 'Hours of off-peak.'),
    text('source', 'Names of the publishers, separated by `; `; synthetic data say so.', (row) =>
      sourceNames([row.source_first, row.source_last]),
    ),
  ],
  daysOf: (row) => [row.month, row.last_day],
  sourcesOf: (row) => [row.source_first, row.source_last],
})

interface Correction {
  market_day: string
  /** Null for daily prices. */
  starts_at: number | null
  resolution_minutes: number | null
  source: string
  source_now: string | null
}

const dailyCorrections = inOneStatement<Correction>('bulk_daily_corrections_list')
const intervalCorrections = byZone<Correction>('bulk_interval_corrections_list')

/** Every price that was replaced, with the current one. */
export const corrections = datasetOfRows<Correction>({
  name: 'corrections',
  title: 'Prices that were replaced by a later publication or a better source, with the current ones',
  sortedBy: ['series', 'market_day', 'starts_at', 'resolution_minutes', 'known_until'],
  partitionedBy: { part: 'series', time: 'market_day' },
  tables: ['price_intervals'],
  from: async function* (...filtered) {
    yield* dailyCorrections(...filtered)
    yield* intervalCorrections(...filtered)
  },
  columns: [
    text('series', 'Index (`PSV`, `TTF` and so on) for daily prices, or zone for intervals.'),
    date('market_day', 'The day that the price is for, Europe/Rome.'),
    optional(instant('starts_at', 'Start of the interval, UTC. Missing for daily prices.')),
    optional(integer('resolution_minutes', 'Length of the interval. Missing for daily prices.')),
    price('price', 'The price that was replaced, in `unit`.'),
    optional(
      price(
        'price_now',
        'The current price. Missing where the interval has another length now, and where its publisher does not allow bulk files.',
      ),
    ),
    text('unit', 'Unit of both: `€/MWh`, `$/bbl` or `€/tCO2`.'),
    text('source', 'Name of the publisher of the price that was replaced; synthetic data say so.', (row) =>
      sourceNames([row.source]),
    ),
    instant('known_from', 'From when on the service knew it, UTC.'),
    instant('known_until', 'When it was replaced, UTC.'),
    optional(
      instant(
        'ends_at',
        'End of the interval, not included, UTC. Missing for daily prices.',
        ({ starts_at: ms, resolution_minutes: minutes }) =>
          ms === null || minutes === null ? null : ms + minutes * MINUTE_MS,
      ),
    ),
  ],
  daysOf: (row) => [row.market_day],
  sourcesOf: (row) => [row.source, row.source_now ?? row.source],
})
