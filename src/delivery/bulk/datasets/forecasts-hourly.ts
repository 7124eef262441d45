import { bulkHourlyForecasts } from '../../../store/bulk-ledgers.ts'
import { column, optional } from '../column.ts'
import { datasetOfRows } from '../dataset-of-rows.ts'
import { sourcesOfForecast } from './forecast-history.ts'

/** Every forecast of hours that was issued, in the order of its hash chain, a row per hour. */
export const forecastsHourly = datasetOfRows({
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
  rows: bulkHourlyForecasts,
  values: { starts_at: (row) => row.starts_at_ms, issued_at: (row) => row.issued_at_ms },
  daysOf: (row) => [row.target_date],
  sourcesOf: sourcesOfForecast,
})
