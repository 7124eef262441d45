import { round } from '../../../market/rounding.ts'
import { bulkFundamentals, type FundamentalColumns } from '../../../store/bulk-fundamentals.ts'
import { column } from '../column.ts'
import { aboutInstants, type Dataset, type DatasetChunk, namesOf } from '../dataset.ts'

const DECIMALS = 3

/** Load, generation, forecasts of them, prices of neighbours and weather, as they are now, with the instant from which each was known. */
export const fundamentals: Dataset = {
  name: 'fundamentals',
  title: 'Load, generation, forecasts of them, neighbours’ prices and weather by interval',
  sortedBy: ['series', 'area', 'starts_at'],
  partitionedBy: { part: 'series', time: 'starts_at' },
  knowsPast: true,
  tables: ['fundamentals'],
  columns: [
    column(
      'series',
      'text',
      'Name: `load-forecast`, `load`, `generation-solar`, `day-ahead-price` and so on; `…-simulated` is published by nobody.',
    ),
    column('area', 'text', 'Area: `IT`, a market zone, a neighbouring bidding zone, or a place of weather.'),
    column('starts_at', 'instant', 'Start of the interval, UTC.'),
    column('resolution_minutes', 'integer', 'Length of the interval: 60, 30 or 15.'),
    column('value', 'number', 'Value in `unit`.'),
    column('unit', 'text', 'Unit of `value`: `MW`, `€/MWh`, `m/s`, `W/m²` or `°C`.'),
    column('source', 'text', 'Name of the publisher.'),
    column(
      'known_at',
      'instant',
      'From when on it was known, UTC: when it was read, or of history its usual publication.',
    ),
  ],
  async *read(reader, allowed, wanted) {
    for await (const values of bulkFundamentals(reader, allowed, wanted)) yield chunkOfValues(values)
  },
}

function chunkOfValues({ series, area, unit, count, ...values }: FundamentalColumns): DatasetChunk {
  const constant = (text: string) => new Array<string>(count).fill(text)
  return {
    ...aboutInstants(values.startsAtMs, values.sourceIds),
    columns: [
      constant(series),
      constant(area),
      values.startsAtMs,
      values.resolutionMinutes,
      values.values.map((value) => round(value, DECIMALS)),
      constant(unit),
      namesOf(values.sourceIds),
      values.knownAtMs,
    ],
  }
}
