import { showEurKwh, showEuro } from '../../../market/price-units.ts'
import { sourceNames } from '../../../publishers/sources.ts'
import { bulkOfferIndices } from '../../../store/bulk-rows.ts'
import { column, optional } from '../column.ts'
import { datasetOfRows } from '../dataset-of-rows.ts'

/** The daily history of the indices and statistics of retail offers; never a row that leads to a supplier. */
export const mercatoLibero = datasetOfRows({
  name: 'mercato-libero',
  title: 'Indices and statistics of the free market’s retail offers by day',
  sortedBy: ['commodity', 'price_type', 'customer', 'date'],
  partitionedBy: { part: 'commodity', time: 'date' },
  tables: [],
  columns: [
    column('date', 'date', 'Market day of the publication of the offers.'),
    column('commodity', 'text', '`luce`: electricity. `gas`: natural gas.'),
    column('price_type', 'text', '`fisso`: a fixed price. `variabile`: an index plus a spread.'),
    column('customer', 'text', '`domestico`: households. `business`: everybody else.'),
    optional(
      'mean',
      'number',
      'Mean raw-material price, €/kWh. Prices of `variabile` are missing where the reference index is.',
    ),
    optional('median', 'number', 'Median price, €/kWh.'),
    optional('min', 'number', 'Lowest price, €/kWh.'),
    optional('max', 'number', 'Highest price, €/kWh.'),
    column('offers', 'integer', 'Offers in the figures, outliers left out; never fewer than 5.'),
    optional('spread_p10', 'number', 'A tenth of the spreads over the reference are below it, €/kWh.'),
    optional('spread_p25', 'number', 'A quarter of the spreads are below it, €/kWh.'),
    optional('spread_median', 'number', 'Median spread, €/kWh.'),
    optional('spread_p75', 'number', 'A quarter of the spreads are above it, €/kWh.'),
    optional('spread_p90', 'number', 'A tenth of the spreads are above it, €/kWh.'),
    optional(
      'fixed_cost_p10',
      'number',
      'A tenth of the fixed fees are below it, € a month. Missing where fewer than five offers state one.',
    ),
    optional('fixed_cost_median', 'number', 'Median fixed fee, € a month.'),
    optional('fixed_cost_p90', 'number', 'A tenth of the fixed fees are above it, € a month.'),
    column('excluded', 'integer', 'Offers left out: no usable price, or an outlier.'),
    optional('spread_mean', 'number', 'Mean spread over the reference, €/kWh.'),
    column('source', 'text', 'Name of the publisher of the offers; synthetic data say so.'),
  ],
  rows: bulkOfferIndices,
  values: {
    date: (row) => row.day,
    mean: (row) => eurKwh(row.mean_eur_kwh),
    median: (row) => eurKwh(row.median_eur_kwh),
    min: (row) => eurKwh(row.min_eur_kwh),
    max: (row) => eurKwh(row.max_eur_kwh),
    spread_p10: (row) => eurKwh(row.spread_p10_eur_kwh),
    spread_p25: (row) => eurKwh(row.spread_p25_eur_kwh),
    spread_median: (row) => eurKwh(row.spread_median_eur_kwh),
    spread_p75: (row) => eurKwh(row.spread_p75_eur_kwh),
    spread_p90: (row) => eurKwh(row.spread_p90_eur_kwh),
    fixed_cost_p10: (row) => euro(row.fee_p10_eur_month),
    fixed_cost_median: (row) => euro(row.fee_median_eur_month),
    fixed_cost_p90: (row) => euro(row.fee_p90_eur_month),
    spread_mean: (row) => eurKwh(row.spread_mean_eur_kwh),
    source: (row) => sourceNames(row.sources),
  },
  daysOf: (row) => [row.day],
  sourcesOf: (row) => row.sources,
})

function eurKwh(value: number | null): number | null {
  return value === null ? null : showEurKwh(value)
}

function euro(value: number | null): number | null {
  return value === null ? null : showEuro(value)
}
