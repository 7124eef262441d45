/** Past earnings of a battery on the day-ahead market. */
import * as z from 'zod'
import * as field from './fields.ts'
import { hourlyZone } from './hourly.ts'
import { attribution } from './observations.ts'
import { marketDay } from './parameters.ts'

/** Longest span from `from` to `to`. */
export const BATTERY_YEARS_MAX = 3

const amount = (min: number, max: number) =>
  z.number('must be a number').min(min, `must be at least ${min}`).max(max, `must be at most ${max}`)

export const batteryRequest = z
  .strictObject({
    zone: hourlyZone.default('nazionale'),
    from: marketDay.meta({ description: 'First market day.', example: '2025-01-01' }),
    to: marketDay.meta({
      description: `Last market day; at most ${BATTERY_YEARS_MAX} years after \`from\`.`,
      example: '2025-12-31',
    }),
    power_mw: amount(0.001, 10_000)
      .default(1)
      .meta({ description: 'Drawn from and delivered to the grid.', example: 1 }),
    energy_mwh: amount(0.001, 100_000).default(4).meta({ description: 'Delivered from full to empty.', example: 4 }),
    efficiency: amount(0.1, 1).default(0.85).meta({
      description: 'Round-trip efficiency: energy delivered per energy drawn.',
      example: 0.85,
    }),
    cycles_per_day: amount(0.1, 24).default(1).meta({
      description: 'Most energy delivered in a day, in multiples of `energy_mwh`.',
      example: 1,
    }),
  })
  .meta({
    id: 'BatteryRequest',
    example: { zone: 'nord', from: '2025-01-01', to: '2025-12-31', power_mw: 1, energy_mwh: 4 },
  })

export type BatteryRequest = z.output<typeof batteryRequest>

const share = field.number.optional(
  'Revenue of the forecast’s schedule in percent of that with perfect foresight on the same days. Absent where the latter is 0.',
  91.2,
)

export const batteryResult = z
  .strictObject({
    zone: hourlyZone,
    battery: z.strictObject({
      power_mw: z.number().meta({ example: 1 }),
      energy_mwh: z.number().meta({ example: 4 }),
      efficiency: z.number().meta({ example: 0.85 }),
      cycles_per_day: z.number().meta({ example: 1 }),
    }),
    from: field.day('First market day of the request.', '2025-01-01'),
    to: field.day('Last.', '2025-12-31'),
    unit: z.literal('€'),
    perfect_foresight: z.strictObject({
      days: field.positive('Days with every hourly price.', 364),
      revenue_eur: field.number('Revenue on these days.', 91_250),
      eur_mw_year: field.number('The same per MW of power and 365 days.', 91_500.69),
      cycles: field.size('Energy delivered, in multiples of `energy_mwh`.', 358.5),
    }),
    forecast: z
      .strictObject({
        days: field.positive('Days with every price and a forecast.', 90),
        live_days: field.count('Of these, days whose forecast is in the ledger.', 60),
        replay_days: field.count('Of these, days whose forecast was computed afterwards from what was known then.', 30),
        revenue_eur: field.number('Revenue on these days at actual prices, as scheduled by the forecast.', 20_710.5),
        eur_mw_year: field.number('The same per MW of power and 365 days.', 83_992.58),
        perfect_foresight_eur: field.number('Revenue with perfect foresight on the same days.', 22_709.1),
        share_pct: share,
      })
      .optional()
      .meta({ description: 'Absent where no day has a forecast.' }),
    excluded_days: z.strictObject({
      incomplete_prices: field.count('Days of the request without every hourly price.', 1),
      no_forecast: field.count('Days with every price but without a forecast; not in `forecast`.', 274),
    }),
    months: z.array(
      z
        .strictObject({
          month: field.text('YYYY-MM.', '2025-12'),
          days: field.positive('Days with every price.', 31),
          perfect_foresight_eur: field.number('Revenue with perfect foresight.', 7_810.2),
          forecast_days: field.count('Days with a forecast.', 31),
          forecast_eur: field.number.optional('Revenue as scheduled by the forecast, on these days.', 7_120.4),
          share_pct: share,
        })
        .meta({ id: 'BatteryMonth' }),
    ),
    source: field.text('Names of the official sources, separated by `; `.'),
    attribution,
  })
  .meta({ id: 'BatteryResult', description: 'Day-ahead revenue of a battery with perfect foresight and by forecast.' })

export type BatteryResult = z.infer<typeof batteryResult>
