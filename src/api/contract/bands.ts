/** Monthly means of tariff bands, peak and off-peak: an addition to the specification. */
import * as z from 'zod'
import * as field from './fields.ts'
import { intervalsHead } from './hourly.ts'
import { truncation } from './series.ts'

const isoMonth = z.string().meta({ example: '2026-10' })

const band = z
  .strictObject({
    value: field.number('Mean over the hours, €/MWh.', 112.34),
    hours: field.positive('Hours of the complete days.', 242),
  })
  .meta({ id: 'BandPrice' })
const shown = (description: string) => band.optional().meta({ description })

const month = z
  .strictObject({
    month: isoMonth.meta({ description: 'Calendar month.' }),
    complete: field.flag('Whether every day of the month is complete.', true),
    until: field.day.optional('Last complete day, of a month that is not complete.', '2026-11-22'),
    days: field.positive('Complete days, which alone are averaged.', 31),
    days_of_month: field.integer('Days of the month.', 31),
    f0: shown('All hours.'),
    f1: shown('Monday to Friday 8-19, no national holidays.'),
    f2: shown('Monday to Friday 7-8 and 19-23, Saturday 7-23, no national holidays.'),
    f3: shown('The rest, Sundays and national holidays.'),
    f23: shown('F2 and F3 together.'),
    peak: shown('Monday to Friday 8-20, holidays included, as in traded products.'),
    off_peak: shown('All other hours.'),
  })
  .meta({ id: 'BandsOfMonth', description: 'A band that no complete day has is left out.' })

export const monthlyBands = z
  .strictObject({
    zone: intervalsHead.zone,
    unit: intervalsHead.unit,
    timezone: intervalsHead.timezone,
    from: isoMonth.meta({ description: 'First month returned, after plan limits.' }),
    to: isoMonth.meta({ description: 'Last month requested, inclusive.' }),
    ...truncation,
    count: field.count('Number of months.', 1),
    months: z.array(month).meta({ description: 'In order. A month without a complete day is left out.' }),
    source: intervalsHead.source.optional(),
    attribution: intervalsHead.attribution,
  })
  .meta({ id: 'MonthlyBands', description: 'Monthly means of tariff bands, peak and off-peak.' })
export type MonthlyBands = z.infer<typeof monthlyBands>
