import { sampleSource } from '../../../publishers/sample/index.ts'
import { type BulkForecast, bulkForecasts } from '../../../store/bulk-ledgers.ts'
import { column, optional } from '../column.ts'
import { datasetOfRows } from '../dataset-of-rows.ts'

/** Every forecast that was issued, in the order of its hash chain, so that the file alone can be verified. */
export const forecastHistory = datasetOfRows({
  name: 'forecast-history',
  title: 'Issued forecasts with the actual prices and the hash chain of the ledger',
  sortedBy: ['chain', 'sequence'],
  partitionedBy: { part: 'asset', time: 'target_date' },
  tables: ['forecasts', 'forecast_actuals'],
  columns: [
    column('asset', 'text', 'Index: `PUN`, `PSV` or `TTF`.'),
    column('model', 'text', 'Model that made the forecast.'),
    column('issued_at', 'instant', 'When it was issued, UTC, to the second.'),
    column('target_date', 'date', 'Market day that is forecast.'),
    column('horizon_days', 'integer', 'Calendar days from `info_date` to `target_date`.'),
    column('p10', 'number', 'Lower bound of the 80 % band, €/MWh.'),
    column('p50', 'number', 'Median forecast, €/MWh.'),
    column('p90', 'number', 'Upper bound of the 80 % band, €/MWh.'),
    optional(
      'actual',
      'number',
      'Actual price, €/MWh, as it was known when the day was scored. Missing until then, and where its publisher does not allow bulk files.',
    ),
    column(
      'chain',
      'text',
      '`issued`: from publishers’ prices. `sample`: from synthetic ones; only where there is no other.',
    ),
    column('sequence', 'integer', 'Position in the chain, from 1, without gaps.'),
    column('role', 'text', '`published`: the forecast in responses. `benchmark`: the naive forecast beside it.'),
    column('version', 'text', 'Version of the model and its trained state.'),
    column('info_date', 'date', 'Last market day whose price was known.'),
    column('inputs_sha256', 'text', 'SHA-256 of the prices the model was given.'),
    column('previous_hash', 'text', '`hash` of the row before; 64 zeros in the first.'),
    column('hash', 'text', 'SHA-256 of the row (the page on methodology says how).'),
  ],
  rows: bulkForecasts,
  values: { issued_at: (row) => row.issued_at_ms },
  daysOf: (row) => [row.target_date],
  sourcesOf: sourcesOfForecast,
})

/** The forecast is from this service, unless it was made from synthetic prices; the actual price is from a publisher. */
export function sourcesOfForecast({
  chain,
  actual_source: actual,
}: Pick<BulkForecast, 'chain' | 'actual_source'>): string[] {
  if (chain === 'sample') return [sampleSource.id]
  return actual === null ? [] : [actual]
}
