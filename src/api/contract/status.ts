/** Freshness of the data by source. Decisions: "Limits". */
import * as z from 'zod'
import * as field from './fields.ts'
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
    series: field.text(
      'Asset code, or `zone:` and the code of a zone (`zone:nazionale` is the PUN), or `offers:` and a list of retail offers, or `fundamental:` and a series and area.',
      'zone:nazionale',
    ),
    latest_market_day: field.day('Latest stored market day.', '2026-11-22'),
    complete: field.flag('Whether that day, or list, is complete.'),
    observed_at: field.instant('When its values were published, UTC.', '2026-11-21T11:57:00Z'),
    fetched_at: field.instant('When they were read here, UTC.', '2026-11-21T11:58:10Z'),
    usual_publication: field.text('When a market day is usually published.', '12:55 Europe/Rome on the day before'),
    next_expected_at: field.instant('Next usual publication, UTC.', '2026-11-22T11:55:00Z'),
  })
  .meta({ id: 'SeriesStatus' })

const lastAttempt = z
  .strictObject({
    at: field.instant('UTC.', '2026-11-21T11:58:10Z'),
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
    way: field.text.nullable('How it is fetched.', 'API'),
    reason: field.text.nullable('Why it is off.', 'SOURCES does not name it'),
    last_attempt: lastAttempt.nullable(),
    completed_at: field.instant.nullable('Last attempt that got every day it requested, UTC.', '2026-11-21T11:58:10Z'),
  })
  .meta({ id: 'SourceFetching' })

const source = z
  .strictObject({
    id: z.string().meta({ example: 'gme-mgp' }),
    name: z.string().meta({ example: 'Gestore dei Mercati Energetici S.p.A. (GME)' }),
    url: z.string().meta({ example: 'https://www.mercatoelettrico.org' }),
    terms: field.text('What the publisher allows.'),
    synthetic: field.flag('Synthetic sample data.'),
    redistributable: field.flag(
      'Whether its values may be passed on in bulk, by its terms or by an agreement of the operator.',
    ),
    fetching: fetching.nullable().meta({ description: 'Null for sources that are only imported or synthetic.' }),
    usual_delay_days: field.integer('Days from a market day to its usual publication; -1 is the day before.', -1),
    usual_publication: field.text.nullable(
      'When a market day is usually published; null for synthetic data, whose series differ.',
      '12:55 Europe/Rome on the day before',
    ),
    late_days: z.array(isoDate).meta({
      description: 'Market days that it has not delivered in time and not since, newest first.',
      example: ['2026-11-21'],
    }),
    series: z.array(series).meta({ description: 'Its current series; empty if it has no current value.' }),
  })
  .meta({ id: 'SourceStatus' })

const forecast = z
  .strictObject({
    subject: field.text('Code of the index, or `hours:` and the code of a zone.', 'hours:nord'),
    state: z.enum(['current', 'stale', 'none']).meta({
      description:
        '`stale`: newer prices have been here for six hours and no forecast has been issued from them, or the last is a week old. `none`: nothing is forecast.',
      example: 'current',
    }),
    issued_at: field.instant.optional('When it was last issued, UTC.', '2026-11-21T18:02:11Z'),
    info_date: field.day.optional('The last market day it starts from.', '2026-11-22'),
    latest_price_day: field.day.optional('The latest complete market day of the prices.', '2026-11-22'),
    training: z
      .strictObject({
        state: z.enum(['running', 'done']).meta({ example: 'done' }),
        since: field.instant('When it began or, once done, ended, UTC.', '2026-11-22T04:14:30Z'),
      })
      .optional()
      .meta({ id: 'ForecastTraining', description: 'The last training of its models; absent where none has begun.' }),
    reason: field.text.optional('Why there is none.', 'PSV needs 60 days of prices; there are 12.'),
  })
  .meta({ id: 'ForecastStatus' })

const trainingProgress = z
  .strictObject({
    subjects: z.array(z.string()).meta({
      description: 'Whose models are being trained, and tested on past days, now.',
      example: ['PUN', 'hours:nazionale'],
    }),
    since: field.instant('When the first of them began, UTC.', '2026-11-22T04:10:02Z'),
    done: field.count('Subjects that are trained.', 3),
    of: field.positive('Subjects that have prices.', 11),
  })
  .meta({ id: 'TrainingProgress' })

export const serviceStatus = z
  .strictObject({
    generated_at: field.instant('UTC.', '2026-11-21T12:00:00Z'),
    sample_data_ended_at: field.instant.nullable(
      'When the first price or offer of a publisher was stored, which removed all synthetic sample data, UTC; null before that.',
      '2026-11-20T09:30:00Z',
    ),
    sources: z
      .array(source)
      .meta({ description: 'Every source, whether it is fetched and how current its values are.' }),
    forecasts: z.array(forecast).meta({ description: 'What is forecast, and whether it follows the prices.' }),
    training: trainingProgress.optional().meta({ description: 'Absent while no models are being trained.' }),
  })
  .meta({ id: 'ServiceStatus', description: 'How current the data of each source are.' })

export type ServiceStatus = z.infer<typeof serviceStatus>
