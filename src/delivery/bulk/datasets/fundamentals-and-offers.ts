/** Fundamentals, and the indices of retail offers. */
import { date, instant, integer, optional, text } from '../../../api/contract/table.ts'
import { isMarketSeries } from '../../../market/markets.ts'
import { roundEurKwh, roundEuro } from '../../../market/price-units.ts'
import { round } from '../../../market/rounding.ts'
import { sourceNames } from '../../../publishers/sources.ts'
import { byFundamental, inOneStatement } from '../../../store/bulk-rows.ts'
import { convertedNumber, datasetOfBlocks, datasetOfRows, namesIn } from '../dataset.ts'

const DECIMALS = 3

const eurKwh = convertedNumber(roundEurKwh)
const euro = convertedNumber(roundEuro)
const measured = convertedNumber((value) => round(value, DECIMALS))

/** Current values of load, generation, their forecasts, neighbours' prices and weather, each with the instant from which it was known. */
export const fundamentals = datasetOfBlocks({
  name: 'fundamentals',
  title: 'Load, generation, forecasts of them, neighbours’ prices and weather by interval',
  sortedBy: ['series', 'area', 'starts_at'],
  partitionedBy: { part: 'series', time: 'starts_at' },
  supportsAsOf: true,
  tables: ['fundamentals'],
  from: byFundamental('bulk_fundamentals_list', { canQueryAsOf: true, of: (series) => !isMarketSeries(series) }),
  columns: [
    text(
      'series',
      'Name: `load-forecast`, `load`, `generation-solar`, `day-ahead-price` and so on; `…-simulated` is published by nobody.',
    ),
    text('area', 'Area: `IT`, a market zone, a neighbouring bidding zone, or a place of weather.'),
    instant('starts_at', 'Start of the interval, UTC.'),
    integer('resolution_minutes', 'Length of the interval: 60, 30 or 15.'),
    measured('value', 'Value in `unit`.'),
    text('unit', 'Unit of `value`: `MW`, `€/MWh`, `m/s`, `W/m²` or `°C`.'),
    text('source', 'Name of the publisher.', namesIn),
    instant('known_at', 'From when on it was known, UTC: when it was read, or of history its usual publication.'),
  ],
})

/** Intraday and imbalance prices, as published. */
export const marketsQuarterHourly = datasetOfBlocks({
  name: 'markets-quarter-hourly',
  title: 'Intraday and imbalance prices by interval',
  sortedBy: ['series', 'area', 'starts_at'],
  partitionedBy: { part: 'series', time: 'starts_at' },
  supportsAsOf: true,
  tables: ['fundamentals'],
  from: byFundamental('bulk_fundamentals_list', { canQueryAsOf: true, of: isMarketSeries }),
  columns: [
    text(
      'series',
      'Market and value: `mi-a1-price`, `xbid-price` (`xbid-hour-price` of hour products), `imbalance-price`, `imbalance-base-price`, `imbalance-incentive`, `imbalance-volume`; with `-preliminary` before the final value is out.',
    ),
    text('area', 'Market zone; of imbalance the macrozone, `macro-nord` or `macro-sud`.'),
    instant('starts_at', 'Start of the interval, UTC.'),
    integer('resolution_minutes', 'Length of the interval: 60 or 15.'),
    measured('value', '€/MWh; of `imbalance-volume` MWh.'),
    text('source', 'Name of the publisher.', namesIn),
    instant('known_at', 'From when on it was known, UTC: when it was read, or of history its usual publication.'),
  ],
})

/** Daily history of the indices and statistics of retail offers; no row identifies a supplier. */
export const mercatoLibero = datasetOfRows<{ date: string; sources: string[] }>({
  name: 'mercato-libero',
  title: 'Indices and statistics of the free market’s retail offers by day',
  sortedBy: ['commodity', 'price_type', 'customer', 'date'],
  partitionedBy: { part: 'commodity', time: 'date' },
  tables: [],
  from: inOneStatement('bulk_offer_indices_list'),
  columns: [
    date('date', 'Market day of the publication of the offers.'),
    text('commodity', '`luce`: electricity. `gas`: natural gas.'),
    text('price_type', '`fisso`: a fixed price. `variabile`: an index plus a spread.'),
    text('customer', '`domestico`: households. `business`: everybody else.'),
    optional(
      eurKwh('mean', 'Mean raw-material price, €/kWh. Prices of `variabile` are missing where the reference index is.'),
    ),
    optional(eurKwh('median', 'Median price, €/kWh.')),
    optional(eurKwh('min', 'Lowest price, €/kWh.')),
    optional(eurKwh('max', 'Highest price, €/kWh.')),
    integer('offers', 'Offers in the figures, outliers left out; never fewer than 5.'),
    optional(eurKwh('spread_p10', 'A tenth of the spreads over the reference are below it, €/kWh.')),
    optional(eurKwh('spread_p25', 'A quarter of the spreads are below it, €/kWh.')),
    optional(eurKwh('spread_median', 'Median spread, €/kWh.')),
    optional(eurKwh('spread_p75', 'A quarter of the spreads are above it, €/kWh.')),
    optional(eurKwh('spread_p90', 'A tenth of the spreads are above it, €/kWh.')),
    optional(
      euro(
        'fixed_cost_p10',
        'A tenth of the fixed fees are below it, € a month. Missing where fewer than five offers state one.',
      ),
    ),
    optional(euro('fixed_cost_median', 'Median fixed fee, € a month.')),
    optional(euro('fixed_cost_p90', 'A tenth of the fixed fees are above it, € a month.')),
    integer('excluded', 'Offers left out: no usable price, or an outlier.'),
    optional(eurKwh('spread_mean', 'Mean spread over the reference, €/kWh.')),
    text('source', 'Name of the publisher of the offers; synthetic data say so.', (row) => sourceNames(row.sources)),
  ],
  daysOf: (row) => [row.date],
  sourcesOf: (row) => row.sources,
})
