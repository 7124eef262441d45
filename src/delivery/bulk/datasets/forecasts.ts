/** Forecast ledgers in the order of their hash chains, so that a file can be verified on its own. */
import { date, instant, integer, number, optional, text } from '../../../api/contract/table.ts'
import { sampleSource } from '../../../publishers/sample/index.ts'
import { byChain } from '../../../store/bulk-rows.ts'
import { datasetOfRows } from '../dataset.ts'

interface IssuedForecast {
  chain: string
  sequence: number
  target_date: string
  /** Publisher of the actual price; null without one. */
  actual_source: string | null
}

/** Every issued daily forecast, in the order of its hash chain. */
export const forecastHistory = datasetOfRows<IssuedForecast & { asset: string }>({
  name: 'forecast-history',
  title: 'Issued forecasts with the actual prices and the hash chain of the ledger',
  sortedBy: ['chain', 'sequence'],
  partitionedBy: { part: 'asset', time: 'target_date' },
  tables: ['forecasts', 'forecast_actuals'],
  from: byChain('bulk_forecasts_list', { partOf: ({ asset }) => asset, batchRows: 5_000 }),
  columns: [
    text('asset', 'Index: `PUN`, `PSV` or `TTF`.'),
    text('model', 'Model that made the forecast.'),
    instant('issued_at', 'When it was issued, UTC, to the second.'),
    date('target_date', 'Market day that is forecast.'),
    integer('horizon_days', 'Calendar days from `info_date` to `target_date`.'),
    number('p10', 'Lower bound of the 80% band, €/MWh.'),
    number('p50', 'Median forecast, €/MWh.'),
    number('p90', 'Upper bound of the 80% band, €/MWh.'),
    optional(
      number(
        'actual',
        'Actual price, €/MWh, as it was known when the day was scored. Missing until then, and where its publisher does not allow bulk files.',
      ),
    ),
    text('chain', '`issued`: from publishers’ prices. `sample`: from synthetic ones; only where there is no other.'),
    integer('sequence', 'Position in the chain, from 1, without gaps.'),
    text('role', '`published`: the forecast in responses. `benchmark`: the naive forecast beside it.'),
    text('version', 'Version of the model and its trained state.'),
    date('info_date', 'Last market day whose price was known.'),
    text('inputs_sha256', 'SHA-256 of the prices the model was given.'),
    text('previous_hash', '`hash` of the row before; 64 zeros in the first.'),
    text('hash', 'SHA-256 of the row (the page on methodology says how).'),
  ],
  daysOf: (row) => [row.target_date],
  sourcesOf,
})

/** Every issued hourly forecast, in the order of its hash chain, one row per hour. */
export const forecastsHourly = datasetOfRows<IssuedForecast & { zone: string }>({
  name: 'forecasts-hourly',
  title: 'Issued forecasts of hours by zone with the actual prices and the hash chain of their ledger',
  sortedBy: ['chain', 'sequence', 'hour'],
  partitionedBy: { part: 'zone', time: 'target_date' },
  tables: ['hourly_forecasts', 'hourly_forecast_actuals'],
  from: byChain('bulk_hourly_forecasts_list', { partOf: ({ zone }) => zone, batchRows: 500 }),
  columns: [
    text('zone', 'Zone: `nazionale` is the PUN.'),
    date('target_date', 'Market day that is forecast.'),
    integer('hour', 'Market hour by elapsed time: 1-24, or 1-23 and 1-25 on the days of the daylight-saving changes.'),
    instant('starts_at', 'Start of the hour, UTC.'),
    number('p10', 'Lower end of the band of 80%, €/MWh.'),
    number('p50', 'Median forecast, €/MWh.'),
    number('p90', 'Upper end of the band of 80%, €/MWh.'),
    optional(
      number(
        'actual',
        'Price that came, €/MWh, as it was known when the day was scored. Missing until then, and where its publisher does not allow bulk files.',
      ),
    ),
    text('issue', '`pre-auction`, `midday` or `evening`.'),
    text('model', 'Model that made the forecast.'),
    text('version', 'Version of the model and its trained state.'),
    text(
      'inputs',
      '`everything`, `without-neighbours`, `usual-weather`, `without-weather` or `prices-only`: what was known of the day besides prices and gas.',
    ),
    instant('issued_at', 'When it was issued, UTC, to the second.'),
    date('info_date', 'Last market day whose prices were known.'),
    integer('horizon_days', 'Calendar days from `info_date` to `target_date`.'),
    text('chain', '`issued`: from publishers’ prices. `sample`: from synthetic ones; only where there is no other.'),
    integer('sequence', 'Position of the day’s forecast in the chain, from 1, without gaps.'),
    text('role', '`published`: what the service answered with. `benchmark`: the naive forecast beside it.'),
    text('inputs_sha256', 'SHA-256 of everything the model was given.'),
    text('previous_hash', '`hash` of the day’s forecast before it; 64 zeros in the first.'),
    text('hash', 'SHA-256 of the day’s forecast (the page on methodology says how).'),
  ],
  daysOf: (row) => [row.target_date],
  sourcesOf,
})

/** The forecast is from this service, unless it was made from synthetic prices; the actual price is from a publisher. */
function sourcesOf({ chain, actual_source: actual }: IssuedForecast): string[] {
  if (chain === 'sample') return [sampleSource.id]
  return actual === null ? [] : [actual]
}
