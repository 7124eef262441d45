import { toNative } from '../../../market/price-units.ts'
import { bulkQuarters, type QuarterColumns } from '../../../store/bulk-intervals.ts'
import { column } from '../column.ts'
import { aboutInstants, type Dataset, type DatasetChunk, marketDayOfMs, namesOf } from '../dataset.ts'

const QUARTER_MS = 15 * 60_000

/** Day-ahead prices of every zone by quarter-hour, numbered within their day, with their tariff bands. */
export const zonesQuarterHourly: Dataset = {
  name: 'zones-quarter-hourly',
  title: 'Day-ahead prices of the PUN and all market zones by quarter-hour, with day, number and tariff band',
  sortedBy: ['zone', 'starts_at'],
  partitionedBy: { part: 'zone', time: 'starts_at' },
  tables: ['price_intervals'],
  columns: [
    column('zone', 'text', 'Zone: `nazionale` is the PUN.'),
    column('starts_at', 'instant', 'Start of the quarter-hour, UTC.'),
    column('ends_at', 'instant', 'Its end, not included, UTC.'),
    column('market_day', 'date', 'Market day, Europe/Rome.'),
    column('quarter', 'integer', 'Number in the day by elapsed time: 1-96, or 1-92 and 1-100 on the change days.'),
    column('hour', 'integer', 'Market hour by elapsed time: 1-24, or 1-23 and 1-25 on the change days.'),
    column('eur_mwh', 'number', 'Price, €/MWh; may be negative.'),
    column('band', 'text', 'Tariff band: `F1`, `F2` or `F3`.'),
    column('source', 'text', 'Name of the publisher; synthetic data say so.'),
  ],
  async *read(reader, allowed, wanted) {
    for await (const quarters of bulkQuarters(reader, allowed, wanted)) yield chunkOfQuarters(quarters)
  },
}

function chunkOfQuarters({
  zone,
  count,
  startsAtMs,
  quarters,
  eurMwh,
  bands,
  sourceIds,
}: QuarterColumns): DatasetChunk {
  return {
    ...aboutInstants(startsAtMs, sourceIds),
    columns: [
      new Array<string>(count).fill(zone),
      startsAtMs,
      startsAtMs.map((ms) => ms + QUARTER_MS),
      daysOf(startsAtMs, quarters),
      quarters,
      quarters.map((quarter) => Math.ceil(quarter / 4)),
      eurMwh.map(toNative),
      bands,
      namesOf(sourceIds),
    ],
  }
}

/** A day is as far from its quarter as their number says. */
function daysOf(startsAtMs: readonly number[], quarters: readonly number[]): string[] {
  let [beginsAt, day] = [Number.NaN, '']
  return startsAtMs.map((ms, i) => {
    const begins = ms - ((quarters[i] as number) - 1) * QUARTER_MS
    if (begins !== beginsAt) [beginsAt, day] = [begins, marketDayOfMs(begins)]
    return day
  })
}
