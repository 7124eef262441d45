/** The current interval of a zone and the published ones after it: an addition to the specification. */
import * as z from 'zod'
import { NORMAL_WITHIN, PRICE_LEVELS } from '../../market/price-level.ts'
import * as field from './fields.ts'
import { band, endsAt, granularity, intervalsHead, price, startsAt, utcTimes } from './hourly.ts'

const NORMAL_PERCENT = NORMAL_WITHIN * 100

const interval = z
  .strictObject({
    date: field.day('Market day of the interval.', '2026-11-21'),
    starts_at: startsAt,
    ends_at: endsAt,
    ...utcTimes,
    value: price,
    band,
    rank: field.positive.optional(
      'Place within the market day, 1 for the cheapest; equal prices share a rank. Absent where the day has gaps.',
      3,
    ),
    level: z
      .enum(PRICE_LEVELS)
      .optional()
      .meta({
        description: `\`low\`: more than ${NORMAL_PERCENT}% below the mean of the market day, \`high\`: more than ${NORMAL_PERCENT}% above it, else \`normal\`. Absent where the day has gaps.`,
        example: 'low',
      }),
    current: field.flag('True for the first only: the interval that contains this instant.'),
  })
  .meta({ id: 'IntervalAhead' })

export const nowAndNext = z
  .strictObject({
    ...intervalsHead,
    granularity,
    count: field.positive('Number of intervals.', 35),
    intervals: z.array(interval).meta({ description: 'In order, from the current one to the last published.' }),
  })
  .meta({ id: 'NowAndNext', description: 'Prices from the current interval on.' })
export type NowAndNext = z.infer<typeof nowAndNext>
