import { toNative } from '../../../market/price-units.ts'
import { sourceNames } from '../../../publishers/sources.ts'
import { bulkBandMonths } from '../../../store/bulk-rows.ts'
import { column, optional } from '../column.ts'
import { datasetOfRows } from '../dataset-of-rows.ts'

/** Means of tariff bands, peak and off-peak by zone and month, over complete days. */
export const bandsMonthly = datasetOfRows({
  name: 'bands-monthly',
  title: 'Monthly means of tariff bands, peak and off-peak of the PUN and all market zones',
  sortedBy: ['zone', 'month'],
  partitionedBy: { part: 'zone', time: 'month' },
  tables: [],
  columns: [
    column('zone', 'text', 'Zone: `nazionale` is the PUN.'),
    column('month', 'date', 'First day of the calendar month.'),
    column('days', 'integer', 'Complete days, which alone are averaged.'),
    column('days_of_month', 'integer', 'Days of the month; the month is complete where both are equal.'),
    column('last_day', 'date', 'Last complete day.'),
    column('f0_eur_mwh', 'number', 'Mean of all hours, €/MWh.'),
    optional(
      'f1_eur_mwh',
      'number',
      'Mean of F1: Monday to Friday 8-19, no national holidays. Missing where no complete day has such hours.',
    ),
    optional(
      'f2_eur_mwh',
      'number',
      'Mean of F2: Monday to Friday 7-8 and 19-23, Saturday 7-23, no national holidays. Missing where no complete day has such hours.',
    ),
    optional(
      'f3_eur_mwh',
      'number',
      'Mean of F3: the rest, Sundays and national holidays. Missing where no complete day has such hours.',
    ),
    optional('f23_eur_mwh', 'number', 'Mean of F2 and F3 together. Missing where no complete day has such hours.'),
    optional(
      'peak_eur_mwh',
      'number',
      'Mean of peak: Monday to Friday 8-20, holidays included. Missing where no complete day has such hours.',
    ),
    optional('off_peak_eur_mwh', 'number', 'Mean of all other hours. Missing where no complete day has such hours.'),
    column('f0_hours', 'integer', 'Hours of the complete days.'),
    column('f1_hours', 'integer', 'Hours of F1.'),
    column('f2_hours', 'integer', 'Hours of F2.'),
    column('f3_hours', 'integer', 'Hours of F3.'),
    column('f23_hours', 'integer', 'Hours of F2 and F3.'),
    column('peak_hours', 'integer', 'Hours of peak.'),
    column('off_peak_hours', 'integer', 'Hours of off-peak.'),
    column('source', 'text', 'Names of the publishers, separated by `; `; synthetic data say so.'),
  ],
  rows: bulkBandMonths,
  values: {
    f0_eur_mwh: (row) => native(row.f0_eur_mwh),
    f1_eur_mwh: (row) => native(row.f1_eur_mwh),
    f2_eur_mwh: (row) => native(row.f2_eur_mwh),
    f3_eur_mwh: (row) => native(row.f3_eur_mwh),
    f23_eur_mwh: (row) => native(row.f23_eur_mwh),
    peak_eur_mwh: (row) => native(row.peak_eur_mwh),
    off_peak_eur_mwh: (row) => native(row.off_peak_eur_mwh),
    source: (row) => sourceNames([row.source_first, row.source_last]),
  },
  daysOf: (row) => [row.month, row.last_day],
  sourcesOf: (row) => [row.source_first, row.source_last],
})

function native(price: number | null): number | null {
  return price === null ? null : toNative(price)
}
