/** Fundamentals: load, generation, their forecasts, prices of neighbouring countries and weather. */
import * as z from 'zod'
import { FUNDAMENTAL_AREAS, FUNDAMENTAL_SERIES } from '../../market/fundamentals.ts'
import * as field from './fields.ts'
import { utcTimes } from './hourly.ts'
import { attribution } from './observations.ts'
import { anyCase, asOfEcho } from './parameters.ts'

export const fundamentalSeries = z
  .enum(FUNDAMENTAL_SERIES)
  .meta({ description: 'Name of a fundamental.', example: 'load-forecast' })

export const fundamentalAreas = anyCase(
  z.enum(['all', ...FUNDAMENTAL_AREAS]).meta({ description: 'An area, or `all`.', example: 'IT' }),
)

/** The series in responses, as plain text; the parameters list all possible values. */
const series = field.text('Name of the fundamental.', 'load-forecast')
const area = field.text('Area.', 'IT')
const unit = z
  .enum(['MW', '€/MWh', 'm/s', 'W/m²', '°C', 'MWh'])
  .meta({ description: 'Unit of the values.', example: 'MW' })
const name = field.text('What it is.', 'Day-ahead forecast of the load')
const simulated = z.literal(true).optional().meta({ description: 'Made by a simulation, not published by anyone.' })

export const fundamentalValues = z
  .strictObject({
    series,
    name,
    area: field.text('Area, or `all`.', 'IT'),
    unit,
    simulated,
    granularity: z.enum(['hour', 'day', 'quarter']),
    timezone: z.literal('Europe/Rome'),
    from: field.day('First day requested.', '2026-11-16'),
    to: field.day('Last day requested, inclusive.', '2026-11-22'),
    as_of: asOfEcho,
    count: z.int().positive().meta({ example: 168 }),
    points: z.array(
      z
        .strictObject({
          date: field.day('Market day.', '2026-11-22'),
          area: area.optional().meta({ description: 'Area; with `area=all`.' }),
          starts_at: field.text('Start, with the offset in force in Rome.', '2026-11-22T00:00:00+01:00'),
          starts_at_utc: utcTimes.starts_at_utc,
          value: field.number('In `unit`.', 27_410),
          known_at: field.instant(
            'From when on it was known, UTC: when it was read, or of history its usual publication.',
            '2026-11-21T09:01:12Z',
          ),
        })
        .meta({ id: 'FundamentalPoint' }),
    ),
    source: field.text('Name of the publisher.', 'ENTSO-E Transparency Platform'),
    attribution,
  })
  .meta({ id: 'FundamentalValues', description: 'Values of a fundamental; what is not whole has no point.' })
export type FundamentalValues = z.infer<typeof fundamentalValues>

export const fundamentalList = z
  .strictObject({
    series: z.array(
      z
        .strictObject({
          series,
          name,
          unit,
          simulated,
          usual_publication: field.text(
            'When a market day is usually published.',
            '10:00 Europe/Rome on the day before',
          ),
          areas: z
            .array(
              z.strictObject({
                area,
                from: field.day('First day stored.', '2021-01-01'),
                to: field.day('Last day stored.', '2026-11-22'),
              }),
            )
            .meta({ description: 'What there is of it; empty where nothing is.' }),
        })
        .meta({ id: 'FundamentalDescription' }),
    ),
    attribution,
  })
  .meta({ id: 'FundamentalList', description: 'Every fundamental, and what there is of it.' })
export type FundamentalList = z.infer<typeof fundamentalList>
