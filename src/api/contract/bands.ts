/** Monthly means of tariff bands, peak and off-peak: an addition to the specification. */
import * as z from 'zod'
import { intervalsHead } from './hourly.ts'
import { isoDate } from './observations.ts'
import { PLAN_NAMES } from './plans.ts'

const isoMonth = z.string().meta({ example: '2026-10' })

const band = z
  .strictObject({
    value: z.number().meta({ description: 'Mean over the hours, €/MWh.', example: 112.34 }),
    hours: z.int().positive().meta({ description: 'Hours of the complete days.', example: 242 }),
  })
  .meta({ id: 'BandPrice' })
const shown = (description: string) => band.optional().meta({ description })

const month = z
  .strictObject({
    month: isoMonth.meta({ description: 'Calendar month.' }),
    complete: z.boolean().meta({ description: 'Whether every day of the month is complete.', example: true }),
    until: isoDate.optional().meta({
      description: 'Last complete day, of a month that is not complete.',
      example: '2026-11-22',
    }),
    days: z.int().positive().meta({ description: 'Complete days, which alone are averaged.', example: 31 }),
    days_of_month: z.int().meta({ description: 'Days of the month.', example: 31 }),
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
    truncated: z.literal(true).optional().meta({ description: 'The interval was cut to the depth of the plan.' }),
    required_tier: z
      .enum(PLAN_NAMES)
      .optional()
      .meta({ description: 'The plan that would have given all of it.', example: 'API' }),
    count: z.int().nonnegative().meta({ description: 'Number of months.', example: 1 }),
    months: z.array(month).meta({ description: 'In order. A month without a complete day is left out.' }),
    source: intervalsHead.source.optional(),
    attribution: intervalsHead.attribution,
  })
  .meta({ id: 'MonthlyBands', description: 'Monthly means of tariff bands, peak and off-peak.' })
export type MonthlyBands = z.infer<typeof monthlyBands>
