import { ASSETS, hasConsumerUnit } from '../../../market/assets.ts'
import { toEurKwh, toNative } from '../../../market/price-units.ts'
import { sourceNames } from '../../../publishers/sources.ts'
import { type BulkDailyPrice, bulkDailyPrices } from '../../../store/bulk-rows.ts'
import { column, optional } from '../column.ts'
import { datasetOfRows } from '../dataset-of-rows.ts'

/** Daily prices of the five indices, as the daily series show them. */
export const pricesDaily = datasetOfRows({
  name: 'prices-daily',
  title: 'Daily prices of PUN, PSV, TTF, Brent and CO2',
  sortedBy: ['asset', 'date'],
  partitionedBy: { part: 'asset', time: 'date' },
  knowsPast: true,
  tables: [],
  columns: [
    column('asset', 'text', 'Index: `PUN`, `PSV`, `TTF`, `Brent` or `CO2`.'),
    column('date', 'date', 'Market day, Europe/Rome. Days whose price is not complete are left out.'),
    column(
      'value',
      'number',
      'Price in `unit`: €/kWh with 5 decimals for PUN, PSV and TTF, else the same as `value_native`.',
    ),
    column('unit', 'text', 'Unit of `value`: `€/kWh`, `$/bbl` or `€/tCO2`.'),
    column(
      'value_native',
      'number',
      'Price as its source publishes it; for the PUN the mean of the day’s intervals weighted by their length, or the stated daily mean.',
    ),
    column('unit_native', 'text', 'Unit of `value_native`: `€/MWh`, `$/bbl` or `€/tCO2`.'),
    column('source', 'text', 'Names of the publishers, separated by `; `; synthetic data say so.'),
    optional(
      'basis',
      'text',
      'For the PUN: `intervals`, or `daily_mean` where the source states only the mean of the day. Missing for the others.',
    ),
  ],
  rows: bulkDailyPrices,
  values: {
    date: (row) => row.market_day,
    value: consumerValue,
    unit: (row) => ASSETS[row.asset].unit,
    value_native: (row) => toNative(row.price),
    unit_native: (row) => ASSETS[row.asset].nativeUnit,
    source: (row) => sourceNames([row.source_first, row.source_last]),
  },
  daysOf: (row) => [row.market_day],
  sourcesOf: (row) => [row.source_first, row.source_last],
})

function consumerValue({ asset, price }: BulkDailyPrice): number {
  return hasConsumerUnit(ASSETS[asset]) ? toEurKwh(price) : toNative(price)
}
