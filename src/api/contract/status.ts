/** Freshness of the data by source. Decisions: "Limits". */
import * as z from 'zod'
import { isoDate } from './observations.ts'

/** Outcome of a fetch from a publisher. */
export const ATTEMPT_OUTCOMES = [
  'complete', // every requested day is available
  'incomplete', // something is missing or was rejected
  'not-published', // nothing yet
  'unreachable', // time-out, 429, 5xx, broken body
  'refused', // credentials refused
  'budget-spent', // daily request limit of this service
  'failed', // an internal error
] as const
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number]

const series = z
  .strictObject({
    series: z.string().meta({
      description:
        'Asset code, or `zone:` and the code of a zone (`zone:nazionale` is the PUN), or `offers:` and a list of retail offers, or `fundamental:` and a series and area.',
      example: 'zone:nazionale',
    }),
    latest_market_day: isoDate.meta({ description: 'Latest stored market day.', example: '2026-11-22' }),
    complete: z.boolean().meta({ description: 'Whether that day, or list, is complete.' }),
    observed_at: z.iso
      .datetime()
      .meta({ description: 'When its values were published, UTC.', example: '2026-11-21T11:57:00Z' }),
    fetched_at: z.iso
      .datetime()
      .meta({ description: 'When they were read here, UTC.', example: '2026-11-21T11:58:10Z' }),
    usual_publication: z
      .string()
      .meta({ description: 'When a market day is usually published.', example: '12:55 Europe/Rome on the day before' }),
    next_expected_at: z.iso
      .datetime()
      .meta({ description: 'Next usual publication, UTC.', example: '2026-11-22T11:55:00Z' }),
  })
  .meta({ id: 'SeriesStatus' })

const lastAttempt = z
  .strictObject({
    at: z.iso.datetime().meta({ description: 'UTC.', example: '2026-11-21T11:58:10Z' }),
    outcome: z.enum(ATTEMPT_OUTCOMES).meta({
      description:
        'complete: every requested day is available; incomplete: something is missing or was rejected; not-published: nothing yet; unreachable: no response; refused: credentials refused; budget-spent: the daily request limit of this service is reached; failed: internal error.',
      example: 'complete',
    }),
  })
  .meta({ id: 'SourceAttempt' })

const fetching = z
  .strictObject({
    state: z
      .enum(['on', 'off'])
      .meta({ description: 'Whether this service fetches from the publisher automatically.' }),
    way: z.string().nullable().meta({ description: 'How it is fetched.', example: 'API' }),
    reason: z.string().nullable().meta({ description: 'Why it is off.', example: 'SOURCES does not name it' }),
    last_attempt: lastAttempt.nullable(),
    completed_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'Last attempt that got every day it requested, UTC.', example: '2026-11-21T11:58:10Z' }),
  })
  .meta({ id: 'SourceFetching' })

const source = z
  .strictObject({
    id: z.string().meta({ example: 'gme-mgp' }),
    name: z.string().meta({ example: 'Gestore dei Mercati Energetici S.p.A. (GME)' }),
    url: z.string().meta({ example: 'https://www.mercatoelettrico.org' }),
    terms: z.string().meta({ description: 'What the publisher allows.' }),
    synthetic: z.boolean().meta({ description: 'Synthetic sample data.' }),
    redistributable: z.boolean().meta({
      description: 'Whether its values may be passed on in bulk, by its terms or by an agreement of the operator.',
    }),
    fetching: fetching.nullable().meta({ description: 'Null for sources that are only imported or synthetic.' }),
    usual_delay_days: z
      .int()
      .meta({ description: 'Days from a market day to its usual publication; -1 is the day before.', example: -1 }),
    usual_publication: z.string().nullable().meta({
      description: 'When a market day is usually published; null for synthetic data, whose series differ.',
      example: '12:55 Europe/Rome on the day before',
    }),
    late_days: z.array(isoDate).meta({
      description: 'Market days that it has not delivered in time and not since, newest first.',
      example: ['2026-11-21'],
    }),
    series: z.array(series).meta({ description: 'Its current series; empty if it has no current value.' }),
  })
  .meta({ id: 'SourceStatus' })

const FORECAST_STATES = ['current', 'stale', 'none'] as const

const forecast = z
  .strictObject({
    subject: z.string().meta({
      description: 'Code of the index, or `hours:` and the code of a zone.',
      example: 'hours:nord',
    }),
    state: z.enum(FORECAST_STATES).meta({
      description:
        '`stale`: newer prices have been here for six hours and no forecast has been issued from them, or the last is a week old. `none`: nothing is forecast.',
      example: 'current',
    }),
    issued_at: z.iso
      .datetime()
      .optional()
      .meta({ description: 'When it was last issued, UTC.', example: '2026-11-21T18:02:11Z' }),
    info_date: isoDate.optional().meta({ description: 'The last market day it starts from.', example: '2026-11-22' }),
    latest_price_day: isoDate.optional().meta({
      description: 'The latest complete market day of the prices.',
      example: '2026-11-22',
    }),
    training: z
      .strictObject({
        state: z.enum(['running', 'done']).meta({ example: 'done' }),
        since: z.iso
          .datetime()
          .meta({ description: 'When it began or, once done, ended, UTC.', example: '2026-11-22T04:14:30Z' }),
      })
      .optional()
      .meta({ id: 'ForecastTraining', description: 'The last training of its models; absent where none has begun.' }),
    reason: z
      .string()
      .optional()
      .meta({ description: 'Why there is none.', example: 'PSV needs 60 days of prices; there are 12.' }),
  })
  .meta({ id: 'ForecastStatus' })

const trainingProgress = z
  .strictObject({
    subjects: z.array(z.string()).meta({
      description: 'Whose models are being trained, and tested on past days, now.',
      example: ['PUN', 'hours:nazionale'],
    }),
    since: z.iso
      .datetime()
      .meta({ description: 'When the first of them began, UTC.', example: '2026-11-22T04:10:02Z' }),
    done: z.int().nonnegative().meta({ description: 'Subjects that are trained.', example: 3 }),
    of: z.int().positive().meta({ description: 'Subjects that have prices.', example: 11 }),
  })
  .meta({ id: 'TrainingProgress' })

export const serviceStatus = z
  .strictObject({
    generated_at: z.iso.datetime().meta({ description: 'UTC.', example: '2026-11-21T12:00:00Z' }),
    sample_data_ended_at: z.iso.datetime().nullable().meta({
      description:
        'When the first price or offer of a publisher was stored, which removed all synthetic sample data, UTC; null before that.',
      example: '2026-11-20T09:30:00Z',
    }),
    sources: z
      .array(source)
      .meta({ description: 'Every source, whether it is fetched and how current its values are.' }),
    forecasts: z.array(forecast).meta({ description: 'What is forecast, and whether it follows the prices.' }),
    training: trainingProgress.optional().meta({ description: 'Absent while no models are being trained.' }),
  })
  .meta({ id: 'ServiceStatus', description: 'How current the data of each source are.' })

export type ServiceStatus = z.infer<typeof serviceStatus>
