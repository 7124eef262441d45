import { ASSETS, hasConsumerUnit } from '../../../market/assets.ts'
import { toEurKwh, toNative } from '../../../market/price-units.ts'
import { sourceNames } from '../../../publishers/sources.ts'
import { ALL_ROWS, type BulkDailyPrice, bulkDailyPrices } from '../../../store/bulk-rows.ts'
import { chunkOf, column, optional } from '../column.ts'
import { type Dataset, inChunks, spanOf } from '../dataset.ts'

/** Daily prices of the five indices, as the daily series show them. */
export const pricesDaily: Dataset = {
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
  async *read(reader, allowed, wanted = ALL_ROWS) {
    for (const rows of inChunks(await bulkDailyPrices(reader, allowed, wanted))) {
      yield {
        ...chunkOf(
          rows,
          ({ asset }) => asset,
          (row) => row.market_day,
          consumerValue,
          ({ asset }) => ASSETS[asset].unit,
          ({ price }) => toNative(price),
          ({ asset }) => ASSETS[asset].nativeUnit,
          (row) => sourceNames([row.source_first, row.source_last]),
          ({ basis }) => basis,
        ),
        days: spanOf(rows.map((row) => row.market_day)),
        sourceIds: new Set(rows.flatMap((row) => [row.source_first, row.source_last])),
      }
    }
  },
}

function consumerValue({ asset, price }: BulkDailyPrice): number {
  return hasConsumerUnit(ASSETS[asset]) ? toEurKwh(price) : toNative(price)
}
