/** Forecasts of hours and quarter-hours: response bodies. */
import * as z from 'zod'
import { HOURLY_DAYS_MAX, INPUT_STEPS, ISSUE_KINDS } from '../../market/forecast-scope.ts'
import * as field from './fields.ts'
import { chainPosition, forecastBasis, forecastLedger, recordOrigin, summaryBasis } from './forecasts.ts'
import { endsAt, granularity, hourlyZone, hourNumber, quarterNumber, startsAt, utcTimes } from './hourly.ts'
import { attribution } from './observations.ts'
import { anyCase, wholeNumber } from './parameters.ts'

/** Only electricity is priced by the hour. */
export const hourlyForecastSlug = anyCase(
  z.enum(['pun']).meta({
    description: 'The index whose market is forecast; `zone` says which of its zones.',
    example: 'pun',
  }),
)

export const daysParameter = wholeNumber({
  max: HOURLY_DAYS_MAX,
  description: 'Market days to forecast, counted from the first that is not published. Default: 3.',
  example: '3',
})

export const issueKind = z.enum(ISSUE_KINDS).meta({
  id: 'IssueKind',
  description:
    'When it was made: `pre-auction` from 11:15 of the day before tomorrow’s auction, `midday` after its publication, `evening` with the gas prices of that day.',
  example: 'evening',
})

const inputStep = z.enum(INPUT_STEPS).meta({
  id: 'InputStep',
  description:
    'What was known of the day besides prices and gas. `everything`: load, wind, solar and neighbouring markets.',
  example: 'prices-only',
})
const model = field.text('Model that made the forecast of the day.', 'same-hour')
const version = field.text('Version of the model and of its trained state.', '1')
const instant = (description: string) => field.text(description, '2026-11-21T18:02:11Z')

const point = z
  .strictObject({
    date: field.day('Market day.', '2026-11-22'),
    quarter: quarterNumber.optional(),
    hour: hourNumber,
    starts_at: startsAt,
    ends_at: endsAt,
    ...utcTimes,
    price: z.enum(['published', 'forecast']).meta({
      description: '`published`: the official price. `forecast`: not published yet when it was issued.',
      example: 'forecast',
    }),
    value: field.number('The published price, or the median forecast; €/MWh.', 112.35),
    p10: field.number('Lower bound of the 80% band; of forecasts alone.', 96.4).optional(),
    p50: field.number('Median; of forecasts alone.', 112.35).optional(),
    p90: field.number('Upper bound of the 80% band; of forecasts alone.', 130.12).optional(),
  })
  .meta({ id: 'HourlyForecastPoint' })

const forecastDay = z
  .strictObject({
    date: field.day('Market day.', '2026-11-23'),
    mean: field.number('Mean of the medians of its hours, €/MWh.', 112.35),
    model,
    version,
    inputs: inputStep,
    missing: z
      .array(z.enum(['load', 'weather', 'neighbours']))
      .meta({ description: 'Inputs that the forecast of this day lacks.', example: ['load', 'weather', 'neighbours'] }),
  })
  .meta({ id: 'HourlyForecastDay' })

export const hourlyForecast = z
  .strictObject({
    asset: z.literal('PUN'),
    zone: hourlyZone,
    unit: z.literal('€/MWh'),
    timezone: z.literal('Europe/Rome'),
    granularity,
    generated_at: instant('When the forecast was issued, UTC; of a replay when it was computed.'),
    issue: issueKind,
    basis: forecastBasis,
    info_date: field.day('The last market day whose prices were known then.', '2026-11-22'),
    count: field.count('Number of points.', 96),
    points: z.array(point).meta({
      description: 'In order: what is published from today on (of a replay, from `info_date` on), then the forecast.',
    }),
    days: z.array(forecastDay).meta({ description: 'The days that are forecast, in order.' }),
    methodology: field.url('How forecasts are made, scored and verified.', 'https://energy.example/docs/methodology'),
    source: field.text(
      'Publishers of the prices that the forecast starts from.',
      'Gestore dei Mercati Energetici S.p.A. (GME)',
    ),
    attribution,
  })
  .meta({
    id: 'HourlyForecast',
    description: 'Published and forecast prices of a zone by hour or quarter-hour, as one series.',
  })
export type HourlyForecast = z.infer<typeof hourlyForecast>

const hours = (description: string) =>
  z.array(z.number()).meta({ description: `${description} of each hour by elapsed time, €/MWh.`, example: [112.35] })

const recordRow = z
  .strictObject({
    ...recordOrigin,
    issue: issueKind,
    target_date: field.day('Market day forecast.', '2026-11-20'),
    horizon_days: field.positive('Days from `info_date` to `target_date`.', 1),
    p10: hours('Lower bound of the 80% band'),
    p50: hours('Median forecast'),
    p90: hours('Upper bound of the 80% band'),
    actual: hours('The price that came').optional(),
    model,
    version,
    inputs: inputStep,
    info_date: field.day('The last market day whose prices were known.', '2026-11-19'),
    ...chainPosition,
  })
  .meta({ id: 'HourlyTrackRecordRow' })

const errors = {
  mae: field.size('Mean absolute error of the hours, €/MWh.', 9.1),
  coverage_80: field.size('Share of hours between p10 and p90.', 0.8),
  pinball: field.size('Mean pinball loss of p10, p50 and p90, €/MWh.', 2.9),
}

export const hourlyTrackRecord = z
  .strictObject({
    asset: z.literal('PUN'),
    zone: hourlyZone,
    granularity: z.literal('hour'),
    unit: z.literal('€/MWh'),
    from: field.day('First target day.', '2026-10-22'),
    to: field.day('Last target day, inclusive.', '2026-11-21'),
    horizon_days: field.integer.optional('The requested horizon. Absent: the shortest of each day.', 1),
    issue: issueKind.optional().meta({ description: 'The requested issue. Absent: the last of each day.' }),
    count: field.count('Number of records, one a day.', 31),
    records: z.array(recordRow).meta({ description: 'In order of target day.' }),
    summary: z
      .strictObject({
        basis: summaryBasis,
        days: field.positive('Days scored.', 31),
        n: field.positive('Hours scored.', 744),
        ...errors,
        mae_30d: field.size('`mae` of the last 30 scored days up to `to`.', 9.3).optional(),
        bias: field.number('Mean of p50 less the price, €/MWh.', 0.8),
        rmae: field.size('`mae` as a share of the naive forecast’s in the same hours.', 0.7).optional(),
        benchmark: z
          .strictObject({ name: field.text('The naive model.', 'same-hour'), ...errors })
          .meta({ id: 'HourlyForecastBenchmark' })
          .optional(),
      })
      .meta({ id: 'HourlyTrackRecordSummary' })
      .optional()
      .meta({ description: 'Absent as long as no day of the interval is scored.' }),
    ledger: forecastLedger,
    methodology: field.url('How to recompute the hashes.', 'https://energy.example/docs/methodology'),
    source: field.text.optional('Publishers of the prices that came.', 'Gestore dei Mercati Energetici S.p.A. (GME)'),
    attribution,
  })
  .meta({
    id: 'HourlyTrackRecord',
    description: 'Past forecasts of hours, as issued or replayed, with the actual prices.',
  })
export type HourlyTrackRecord = z.infer<typeof hourlyTrackRecord>
