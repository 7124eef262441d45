import { sampleSource } from '../../../publishers/sample/index.ts'
import { type BulkHourlyForecast, bulkHourlyForecasts } from '../../../store/bulk-ledgers.ts'
import { ALL_ROWS } from '../../../store/bulk-rows.ts'
import { chunkOf, column, optional } from '../column.ts'
import { type Dataset, spanOf } from '../dataset.ts'

/** Every forecast of hours that was issued, in the order of its hash chain, a row per hour. */
export const forecastsHourly: Dataset = {
  name: 'forecasts-hourly',
  title: 'Issued forecasts of hours by zone with the actual prices and the hash chain of their ledger',
  sortedBy: ['chain', 'sequence', 'hour'],
  partitionedBy: { part: 'zone', time: 'target_date' },
  tables: ['hourly_forecasts', 'hourly_forecast_actuals'],
  columns: [
    column('zone', 'text', 'Zone: `nazionale` is the PUN.'),
    column('target_date', 'date', 'Market day that is forecast.'),
    column(
      'hour',
      'integer',
      'Market hour by elapsed time: 1-24, or 1-23 and 1-25 on the days of the daylight-saving changes.',
    ),
    column('starts_at', 'instant', 'Start of the hour, UTC.'),
    column('p10', 'number', 'Lower end of the band of 80 %, €/MWh.'),
    column('p50', 'number', 'Median forecast, €/MWh.'),
    column('p90', 'number', 'Upper end of the band of 80 %, €/MWh.'),
    optional(
      'actual',
      'number',
      'Price that came, €/MWh, as it was known when the day was scored. Missing until then, and where its publisher does not allow bulk files.',
    ),
    column('issue', 'text', '`pre-auction`, `midday` or `evening`.'),
    column('model', 'text', 'Model that made the forecast.'),
    column('version', 'text', 'Version of the model and its trained state.'),
    column(
      'inputs',
      'text',
      '`everything`, `without-neighbours`, `usual-weather`, `without-weather` or `prices-only`: what was known of the day besides prices and gas.',
    ),
    column('issued_at', 'instant', 'When it was issued, UTC, to the second.'),
    column('info_date', 'date', 'Last market day whose prices were known.'),
    column('horizon_days', 'integer', 'Calendar days from `info_date` to `target_date`.'),
    column(
      'chain',
      'text',
      '`issued`: from publishers’ prices. `sample`: from synthetic ones; only where there is no other.',
    ),
    column('sequence', 'integer', 'Position of the day’s forecast in the chain, from 1, without gaps.'),
    column('role', 'text', '`published`: what the service answered with. `benchmark`: the naive forecast beside it.'),
    column('inputs_sha256', 'text', 'SHA-256 of everything the model was given.'),
    column('previous_hash', 'text', '`hash` of the day’s forecast before it; 64 zeros in the first.'),
    column('hash', 'text', 'SHA-256 of the day’s forecast (the page on methodology says how).'),
  ],
  async *read(reader, allowed, wanted = ALL_ROWS) {
    for await (const rows of bulkHourlyForecasts(reader, allowed, wanted)) {
      yield {
        ...chunkOf(
          rows,
          ({ zone }) => zone,
          (row) => row.target_date,
          ({ hour }) => hour,
          (row) => row.starts_at_ms,
          ({ p10 }) => p10,
          ({ p50 }) => p50,
          ({ p90 }) => p90,
          ({ actual }) => actual,
          ({ issue }) => issue,
          ({ model }) => model,
          ({ version }) => version,
          ({ inputs }) => inputs,
          (row) => row.issued_at_ms,
          (row) => row.info_date,
          (row) => row.horizon_days,
          ({ chain }) => chain,
          ({ sequence }) => sequence,
          ({ role }) => role,
          (row) => row.inputs_sha256,
          (row) => row.previous_hash,
          ({ hash }) => hash,
        ),
        days: spanOf(rows.map((row) => row.target_date)),
        sourceIds: new Set(rows.flatMap(sourcesOf)),
      }
    }
  },
}

/** The forecast is from this service, unless it was made from synthetic prices; the actual price is from a publisher. */
function sourcesOf({ chain, actual_source: actual }: Pick<BulkHourlyForecast, 'chain' | 'actual_source'>): string[] {
  if (chain === 'sample') return [sampleSource.id]
  return actual === null ? [] : [actual]
}
