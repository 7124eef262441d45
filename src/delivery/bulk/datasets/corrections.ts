import { toNative } from '../../../market/price-units.ts'
import { sourceNames } from '../../../publishers/sources.ts'
import { type BulkCorrection, bulkCorrections } from '../../../store/bulk-corrections.ts'
import { column, optional } from '../column.ts'
import { datasetOfRows } from '../dataset-of-rows.ts'

const MINUTE_MS = 60_000

/** Every price that was replaced, as it was known before, beside the current one. */
export const corrections = datasetOfRows({
  name: 'corrections',
  title: 'Prices that were replaced by a later publication or a better source, with the current ones',
  sortedBy: ['series', 'market_day', 'starts_at', 'resolution_minutes', 'known_until'],
  partitionedBy: { part: 'series', time: 'market_day' },
  tables: ['price_intervals'],
  columns: [
    column('series', 'text', 'Index (`PSV`, `TTF` and so on) for daily prices, or zone for intervals.'),
    column('market_day', 'date', 'The day that the price is for, Europe/Rome.'),
    optional('starts_at', 'instant', 'Start of the interval, UTC. Missing for daily prices.'),
    optional('resolution_minutes', 'integer', 'Length of the interval. Missing for daily prices.'),
    column('price', 'number', 'The price that was replaced, in `unit`.'),
    optional(
      'price_now',
      'number',
      'The current price. Missing where the interval has another length now, and where its publisher does not allow bulk files.',
    ),
    column('unit', 'text', 'Unit of both: `€/MWh`, `$/bbl` or `€/tCO2`.'),
    column('source', 'text', 'Name of the publisher of the price that was replaced; synthetic data say so.'),
    column('known_from', 'instant', 'From when on the service knew it, UTC.'),
    column('known_until', 'instant', 'When it was replaced, UTC.'),
    optional('ends_at', 'instant', 'End of the interval, not included, UTC. Missing for daily prices.'),
  ],
  rows: bulkCorrections,
  values: {
    starts_at: (row) => row.starts_at_ms,
    price: (row) => toNative(row.price),
    price_now: (row) => (row.price_now === null ? null : toNative(row.price_now)),
    source: (row) => sourceNames([row.source]),
    known_from: (row) => row.known_from_ms,
    known_until: (row) => row.known_until_ms,
    ends_at: endOf,
  },
  daysOf: (row) => [row.market_day],
  sourcesOf: (row) => [row.source, row.source_now ?? row.source],
})

function endOf({ starts_at_ms: startMs, resolution_minutes: minutes }: BulkCorrection): number | null {
  return startMs === null || minutes === null ? null : startMs + minutes * MINUTE_MS
}
