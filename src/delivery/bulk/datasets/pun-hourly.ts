import { toNative } from '../../../market/price-units.ts'
import { bulkIntervals, type IntervalColumns } from '../../../store/bulk-intervals.ts'
import { column } from '../column.ts'
import { aboutInstants, type Dataset, type DatasetChunk, namesOf } from '../dataset.ts'

/** Day-ahead prices of every zone at the resolution of their source: hours, and quarter-hours since 1 October 2025. */
export const punHourly: Dataset = {
  name: 'pun-hourly',
  title: 'Day-ahead prices of the PUN and all market zones by interval',
  sortedBy: ['zone', 'starts_at'],
  partitionedBy: { part: 'zone', time: 'starts_at' },
  knowsPast: true,
  tables: ['price_intervals'],
  columns: [
    column(
      'zone',
      'text',
      'Zone: `nazionale` is the PUN; `nord`, `cnor`, `csud`, `sud`, `cala`, `sici`, `sard` the market zones.',
    ),
    column('starts_at', 'instant', 'Start of the interval, UTC.'),
    column('resolution_minutes', 'integer', 'Length of the interval: 60, or 15 where the source has quarter-hours.'),
    column('eur_mwh', 'number', 'Price, €/MWh; may be negative.'),
    column('source', 'text', 'Name of the publisher; synthetic data say so.'),
    column(
      'observed_at',
      'instant',
      'When the publisher published the value, or, where it does not say, when it was first seen, UTC.',
    ),
    column('ends_at', 'instant', 'End of the interval, not included, UTC.'),
  ],
  async *read(reader, allowed, wanted) {
    for await (const intervals of bulkIntervals(reader, allowed, wanted)) yield chunkOfIntervals(intervals)
  },
}

function chunkOfIntervals(intervals: IntervalColumns): DatasetChunk {
  const { zone, count, startsAtMs, resolutionMinutes, eurMwh, sourceIds, observedAtMs } = intervals
  return {
    ...aboutInstants(startsAtMs, sourceIds),
    columns: [
      new Array<string>(count).fill(zone),
      startsAtMs,
      resolutionMinutes,
      eurMwh.map(toNative),
      namesOf(sourceIds),
      observedAtMs,
      startsAtMs.map((ms, i) => ms + (resolutionMinutes[i] as number) * 60_000),
    ],
  }
}
