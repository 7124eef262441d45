/** The cheapest window to run something in: an addition to the specification. */
import * as z from 'zod'
import * as field from './fields.ts'
import { hourlyZone, intervalsHead, utcTimes } from './hourly.ts'
import { parsedText } from './parameters.ts'

const QUARTERS_MAX = 96
const HOURS = /^\d{1,2}(?:\.\d{1,2})?$/

/** Parses hours such as `2` or `1.75` into a number of quarter-hours. */
export const windowHours = parsedText((text) => {
  const quarters = HOURS.test(text) ? Number(text) * 4 : 0
  return Number.isInteger(quarters) && quarters >= 1 && quarters <= QUARTERS_MAX ? quarters : undefined
}, 'must be a number of hours from 0.25 to 24 in steps of 0.25, such as 2 or 1.75').meta({
  description: 'How long it runs, in hours: 0.25 to 24, in quarter-hours.',
  example: '2',
  override: { type: 'number', minimum: 0.25, maximum: 24, multipleOf: 0.25, example: 2 },
})

export const contiguous = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .default(true)
  .meta({
    description: '`false`: the hours need not follow each other.',
    example: 'true',
    override: { type: 'string', enum: ['true', 'false'], default: 'true' },
  })

const instant = (description: string) => field.text(description, '2026-11-22T02:00:00+01:00')

const block = z
  .strictObject({
    starts_at: instant('Start, with the offset in force in Rome.'),
    ends_at: instant('End, not included.'),
    ...utcTimes,
    mean: field.number('Mean of the block, €/MWh.', 62.18),
    price: z.enum(['published', 'forecast', 'both']).meta({
      description: 'Whether its prices are official, median forecasts, or some of each.',
      example: 'published',
    }),
  })
  .meta({ id: 'WindowBlock' })

const saving = {
  saves: field.number('How much less the window costs, €/MWh; negative where it costs more.', 41.5),
  saves_pct: field.number.optional('The same in percent. Absent where that mean is not above 0.', 40.03),
}

export const cheapestWindowReply = z
  .strictObject({
    ...{ zone: hourlyZone, unit: intervalsHead.unit, timezone: intervalsHead.timezone },
    hours: field.number('As requested.', 2),
    contiguous: field.flag('As requested.', true),
    starts_at: instant('Start of the first block.'),
    ends_at: instant('End of the last block, not included.'),
    ...utcTimes,
    mean: field.number('Mean of the window, €/MWh.', 62.18),
    blocks: z.array(block).meta({ description: 'In order; one where the window is contiguous.' }),
    now: z
      .strictObject({
        mean: field.number('Mean of as many hours from the current quarter-hour on, €/MWh.', 103.68),
        ...saving,
      })
      .optional()
      .meta({ description: 'Against starting now. Absent where not all of those hours have a price.' }),
    day: z
      .strictObject({
        date: field.day('Market day in which the window begins.', '2026-11-22'),
        mean: field.number('Mean of the day, €/MWh.', 98.4),
        ...saving,
      })
      .optional()
      .meta({ description: 'Against the mean of the day. Absent where the day has gaps.' }),
    known_until: instant('End of the last price that was considered.'),
    source: intervalsHead.source,
    attribution: intervalsHead.attribution,
  })
  .meta({ id: 'CheapestWindow', description: 'When to run something that takes some hours.' })
export type CheapestWindowReply = z.infer<typeof cheapestWindowReply>
