/** Forecasts: assets, horizons and response bodies. Spec: "Next-day forecast" and the sections after it; decisions: "Forecasts". */
import * as z from 'zod'
import { FORECAST_ASSETS } from '../../market/forecast-scope.ts'
import * as field from './fields.ts'
import { attribution } from './observations.ts'
import { anyCase } from './parameters.ts'
import { PLANS } from './plans.ts'

export { FORECAST_ASSETS, FORECAST_REACH_DAYS, type ForecastAsset } from '../../market/forecast-scope.ts'

export const FORECAST_SLUGS = ['pun', 'psv', 'ttf'] as const
const SCENARIO_SLUGS = ['pun', 'psv'] as const
export type ScenarioSlug = (typeof SCENARIO_SLUGS)[number]

/** Calendar days of a curve, counted from its first day. */
const HORIZONS = [7, 30, 90, 180] as const
export type Horizon = (typeof HORIZONS)[number]

export const SCENARIO_MONTHS_DEFAULT = 12
/** Maximum of all plans; each has its own limit in the plan table. */
export const SCENARIO_MONTHS_MAX = Math.max(...Object.values(PLANS).map((plan) => plan.scenarioMonthsMax ?? 0))

/** `issued`: made from publishers' prices; `sample`: from synthetic ones. */
export const FORECAST_CHAINS = ['issued', 'sample'] as const
export type ForecastChain = (typeof FORECAST_CHAINS)[number]

export const forecastSlug = anyCase(
  z.enum(FORECAST_SLUGS).meta({ description: 'The index that is forecast.', example: 'pun' }),
)
export const scenarioSlug = anyCase(
  z.enum(SCENARIO_SLUGS).meta({ description: 'The index that is projected.', example: 'pun' }),
)

/** Parses `30` into the number 30; any other spelling is refused. */
export const horizonParameter = z
  .enum(HORIZONS.map(String) as [string, ...string[]])
  .default('30')
  .transform(Number)
  .meta({
    description: 'Calendar days of the curve, counted from its first day.',
    example: '30',
    override: { type: 'integer', enum: [...HORIZONS], default: 30 },
  })

const asset = z.enum(FORECAST_ASSETS).meta({ description: 'Code of the index.', example: 'PUN' })
const unit = z.literal('€/MWh').meta({ description: 'Unit of the prices.', example: '€/MWh' })
const instant = (description: string) => field.text(description, '2026-11-21T12:02:11Z')
const model = field.text('Identifier of the model that made the forecast.', 'base')
const methodology = field.url(
  'Page that describes how forecasts are made, scored and verified.',
  'https://energy.example/docs/methodology',
)
const infoDate = field.day('The last market day whose price was known when the forecast was issued.', '2026-11-22')
const source = field.text(
  'Publishers of the prices that the forecast starts from.',
  'Gestore dei Mercati Energetici S.p.A. (GME)',
)

const quantiles = {
  p10: field.number('Lower bound of the 80% band.', 96.4),
  p50: field.number('Median forecast.', 112.35),
  p90: field.number('Upper bound of the 80% band.', 130.12),
}

/** How a past forecast was made. */
export const RECORD_BASES = ['live', 'replay'] as const
const basis = z.enum(RECORD_BASES)
export const forecastBasis = basis.meta({
  description:
    '`live`: issued before its days, and in the ledger. `replay`: prices have ended; computed afterwards from those up to `info_date`, and in no ledger. Its days may have passed.',
  example: 'live',
})

export const nextForecast = z
  .strictObject({
    asset,
    target_date: field.day('Market day forecast.', '2026-11-23'),
    value: field.number('Median forecast.', 112.35),
    unit,
    p10: quantiles.p10,
    p90: quantiles.p90,
    model,
    basis: forecastBasis,
    mape_30d: field.size('Mean absolute percentage error of the last 30 scored days; 0.071 is 7.1%.', 0.071).optional(),
    mae_30d: field.size('Mean absolute error of the same days, €/MWh.', 7.42).optional(),
    rmae_30d: field.size('`mae_30d` as a share of the naive forecast’s on the same days.', 0.81).optional(),
    coverage80_30d: field.size('Share of the same days whose price fell between p10 and p90.', 0.8).optional(),
    n: field.count('Days behind these figures.', 30),
    mape_left_out: field.count('Days left out of `mape_30d` because their price is within 1 €/MWh of zero.', 0),
    accuracy_basis: z.enum(['issued', 'replay']).optional().meta({
      description:
        '`issued`: forecasts issued before their day. `replay`: made afterwards as of past days, as long as fewer than 30 issued ones are scored. Never mixed.',
      example: 'issued',
    }),
    horizon_days: field.positive('Days from `info_date` to `target_date`.', 1),
    info_date: infoDate,
    generated_at: instant('When it was issued, UTC; of a replay when it was computed.'),
    methodology,
    source,
    attribution,
  })
  .meta({ id: 'NextForecast', description: 'Forecast of the next market day.' })
export type NextForecast = z.infer<typeof nextForecast>

const point = z
  .strictObject({ date: field.day('Market day.', '2026-11-23'), ...quantiles })
  .meta({ id: 'ForecastPoint' })

export const TRENDS = ['up', 'down', 'flat'] as const

export const forecastCurve = z
  .strictObject({
    asset,
    unit,
    horizon_days: field.integer('Horizon used, calendar days from the first point on.', 30),
    generated_at: instant('When it was issued, UTC; of a replay when it was computed.'),
    model,
    basis: forecastBasis,
    info_date: infoDate,
    count: field.count('Number of points.', 30),
    points: z.array(point).meta({ description: 'One per market day, in order; TTF has trading days only.' }),
    summary: z
      .strictObject({
        avg_p50: field.number('Mean of p50.', 113.2),
        trend: z.enum(TRENDS).meta({
          description: 'Mean of p50 against the last observed value; `flat` within ±2%.',
          example: 'flat',
        }),
        last_value: field.number('The last observed value.', 114.02),
      })
      .meta({ id: 'ForecastSummary' }),
    methodology,
    source,
    attribution,
  })
  .meta({ id: 'ForecastCurve', description: 'Forecast with its 80% band, day by day.' })
export type ForecastCurve = z.infer<typeof forecastCurve>

const scenarioMonth = z
  .strictObject({
    month: z
      .string()
      .regex(/^\d{4}-\d{2}$/)
      .meta({ description: 'Calendar month.', example: '2026-12' }),
    base: field.number('Mean price of the month.', 113.2),
    bull: field.number('The same where gas, CO2 and demand push prices up.', 138.9),
    bear: field.number('The same where they pull prices down.', 91.7),
    basis: z.enum(['forecast', 'continuation']).meta({
      description:
        '`forecast`: within the 180 days that are forecast; `continuation`: their last level, with the seasonal shape.',
      example: 'forecast',
    }),
  })
  .meta({ id: 'ScenarioMonth' })

const scenarioDriver = (what: string, example: number) => field.number(`${what}, mean of the months.`, example)

export const scenarioForecast = z
  .strictObject({
    asset,
    unit,
    generated_at: instant('When the forecast behind it was issued, UTC.'),
    model,
    info_date: infoDate,
    months: z
      .array(scenarioMonth)
      .meta({ description: 'In order; the first is the month that follows the current one.' }),
    assumptions: z
      .strictObject({
        ttf_base: scenarioDriver('TTF in the base scenario, €/MWh', 31.85),
        ttf_bull: scenarioDriver('TTF in the bull scenario, €/MWh', 41.2),
        ttf_bear: scenarioDriver('TTF in the bear scenario, €/MWh', 24.6),
        co2_base: scenarioDriver('CO2 in the base scenario, €/tCO2', 79.3),
        co2_bull: scenarioDriver('CO2 in the bull scenario, €/tCO2', 93.1),
        co2_bear: scenarioDriver('CO2 in the bear scenario, €/tCO2', 67.5),
        demand_growth_base: field.number('Growth of demand against the same month a year before, 0.01 is 1%.', 0),
        demand_growth_bull: field.number('The same in the bull scenario.', 0.015),
        demand_growth_bear: field.number('The same in the bear scenario.', -0.015),
        gas_pass_through: field.number('€/MWh by which the price follows 1 €/MWh of gas.', 1.9),
        co2_pass_through: field.number('€/MWh by which the price follows 1 €/tCO2.', 0.4),
        demand_elasticity: field.number('Relative change of the price per relative change of demand.', 1.5),
        estimated_on_months: field.count(
          'Months of prices behind the pass-through; 0 where they were too few and the stated default holds.',
          72,
        ),
      })
      .meta({ id: 'ScenarioAssumptions' }),
    methodology,
    source,
    attribution,
  })
  .meta({ id: 'ScenarioForecast', description: 'Monthly projection in three scenarios.' })
export type ScenarioForecast = z.infer<typeof scenarioForecast>

export const sha256 = (description: string) =>
  field.text(description, '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08')

/** Fields of each past forecast, daily or hourly. */
export const recordOrigin = {
  basis: basis.meta({
    description: '`live`: issued before its day. `replay`: computed afterwards from what was known at `as_of`.',
    example: 'live',
  }),
  issued_at: instant('When it was issued, UTC. Absent from a replay, which was never issued.').optional(),
  as_of: instant('Of a replay: the instant whose prices it was made from, UTC.').optional(),
  made_at: instant('Of a replay: when it was computed, UTC.').optional(),
}
export const summaryBasis = basis.meta({
  description:
    'The forecasts behind these figures, never both: of `basis=all` the live ones once 30 of their days are scored, until then whichever has more scored days.',
  example: 'live',
})
/** Fields of each issued forecast; a replay is not part of a hash chain. */
export const chainPosition = {
  sequence: field.positive.optional('Position in the hash chain. Absent from a replay, as are the hashes.', 5401),
  inputs_sha256: sha256('SHA-256 of what the model was given.').optional(),
  previous_hash: sha256('Hash of the row before it in the chain.').optional(),
  hash: sha256('Hash of this row.').optional(),
}

const trackRecordRow = z
  .strictObject({
    ...recordOrigin,
    target_date: field.day('Market day forecast.', '2026-11-20'),
    horizon_days: field.positive('Days from `info_date` to `target_date`.', 1),
    ...quantiles,
    actual: field.number('The actual price, as it was known at scoring. Absent until then.', 110.9).optional(),
    error: field.number('p50 less `actual`.', 1.45).optional(),
    abs_pct_error: field
      .size('Absolute error as a share of the price; absent within 1 €/MWh of zero.', 0.013)
      .optional(),
    in_band: field.flag.optional('Whether the price fell between p10 and p90.', true),
    model,
    version: field.text('Version of the model.', '1'),
    info_date: infoDate,
    ...chainPosition,
  })
  .meta({ id: 'TrackRecordRow' })

const errors = {
  mae: field.size('Mean absolute error, €/MWh.', 7.42),
  coverage_80: field.size('Share of prices between p10 and p90.', 0.8),
  pinball: field.size('Mean pinball loss of p10, p50 and p90, €/MWh.', 2.1),
}

const benchmark = z
  .strictObject({ name: field.text('The naive model.', 'walk'), ...errors })
  .meta({ id: 'ForecastBenchmark', description: 'The naive forecast on the same days.' })

const trackRecordSummary = z
  .strictObject({
    basis: summaryBasis,
    n: field.positive('Days scored.', 31),
    ...errors,
    mape: field.size('Mean absolute percentage error of the days of the interval; 0.068 is 6.8%.', 0.068).optional(),
    mape_left_out: field.count('Days left out of it: within 1 €/MWh of zero.', 0),
    mape_30d: field.size('The same of the last 30 scored days up to `to`, at the shortest horizon.', 0.071).optional(),
    bias: field.number('Mean of p50 less the price, €/MWh.', 0.8),
    rmae: field.size('`mae` as a share of the benchmark’s on the same days.', 0.81).optional(),
    benchmark: benchmark.optional(),
  })
  .meta({ id: 'TrackRecordSummary' })

const dayHash = z
  .strictObject({
    date: field.day('Rome day on which forecasts were issued.', '2026-11-21'),
    sequence: field.positive('Length of the chain at the end of it.', 5760),
    hash: sha256('The last hash of the day.'),
  })
  .meta({ id: 'LedgerDay' })

export const forecastLedger = z
  .strictObject({
    chain: z.enum(FORECAST_CHAINS).meta({
      description: '`issued`: from publishers’ prices; `sample`: from synthetic ones.',
      example: 'issued',
    }),
    length: field.count('Rows in the chain, of all assets and horizons.', 5760),
    head: sha256('Hash of the last row; absent while the chain is empty.').optional(),
    days: z.array(dayHash).meta({ description: 'The last hash of each day of the interval on which the chain grew.' }),
  })
  .meta({ id: 'ForecastLedger' })

export const trackRecord = z
  .strictObject({
    asset,
    unit,
    from: field.day('First target day.', '2026-10-22'),
    to: field.day('Last target day, inclusive.', '2026-11-21'),
    horizon_days: field.integer.optional('The requested horizon. Absent: the shortest of each day.', 1),
    count: field.count('Number of records.', 31),
    records: z.array(trackRecordRow).meta({ description: 'In order of target day.' }),
    summary: trackRecordSummary.optional().meta({ description: 'Absent as long as no day of the interval is scored.' }),
    ledger: forecastLedger,
    methodology,
    source: source.optional(),
    attribution,
  })
  .meta({ id: 'TrackRecord', description: 'Past forecasts, as issued or replayed, with the actual prices.' })
export type TrackRecord = z.infer<typeof trackRecord>
