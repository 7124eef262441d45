import {
  type Battery,
  type BatteryDay,
  type BatteryRevenue,
  batteryMonths,
  sumOf,
} from '../../../market/backtest/battery.ts'
import { round } from '../../../market/rounding.ts'
import {
  BATTERY_YEARS_MAX,
  type BatteryRequest,
  type BatteryResult,
  batteryRequest,
  batteryResult,
} from '../../contract/battery.ts'
import { invalidParameter } from '../../contract/errors.ts'
import { refuseReversed } from '../../contract/parameters.ts'
import { endpoint, type HandlerContext } from '../../http/endpoint.ts'
import { retryIfSampleDataWasReplaced } from '../../http/retry-if-sample-data-was-replaced.ts'
import { EXAMPLE_BASE_URL } from '../examples.ts'
import { currentChain } from '../forecast/current-issue.ts'
import { missingPrices } from '../pun/missing-prices.ts'
import { creditsOf } from '../source-credits.ts'

const DAYS_PER_YEAR = 365

/** Past earnings of a battery at day-ahead prices, with perfect foresight and by forecast. */
export const postTradingBattery = endpoint({
  id: 'postTradingBattery',
  method: 'post',
  path: '/trading/battery',
  tag: 'Trading',
  summary: 'Backtest a battery',
  description:
    'Returns the day-ahead revenue of a battery that begins and ends each day empty, in total, per MW and year, and by month. ' +
    'With perfect foresight the schedule of a day is the best at its hourly prices. `forecast` schedules by the median of the ' +
    'hourly forecast issued in the evening before the auction, and is paid the actual prices. Days without every price are excluded. ' +
    'Statistics, not financial advice.',
  plan: 'Trading',
  cache: 'none',
  body: batteryRequest,
  reply: batteryResult,
  example: exampleBattery(),
  fails: ['no_data', 'not_found'],
  handle: ({ body, service, today, now }) => batteryOf(body, { service, today, now }),
})

/** Throws `invalid_parameter`, `not_found` and `no_data`. */
export async function batteryOf(body: BatteryRequest, context: HandlerContext): Promise<BatteryResult> {
  const { service } = context
  const { from, to } = body
  refuseReversed(from, to)
  if (Temporal.PlainDate.compare(from.add({ years: BATTERY_YEARS_MAX }), to) < 0)
    throw invalidParameter('to', `must be at most ${BATTERY_YEARS_MAX} years after from (${from}); got "${to}"`)
  const found = await retryIfSampleDataWasReplaced(service.sampleData, () => historyOf(body, context))
  if (found.days.length === 0) throw await missingPrices({ ...body, granularity: 'hour' }, context)
  return presentBattery(body, found, service.config.baseUrl)
}

interface BatteryHistory {
  /** Days with all prices. */
  days: (BatteryDay & { basis: 'live' | 'replay' | undefined })[]
  sourceIds: string[]
}

async function historyOf({ zone, from, to }: BatteryRequest, context: HandlerContext): Promise<BatteryHistory> {
  const { zones, hourlyForecasts } = context.service
  const chain = await currentChain(context, 'PUN')
  const beforeAuction = { from, to, horizonDays: 1, issue: 'evening' } as const
  const [prices, records] = await Promise.all([
    zones.intervals(zone, 'hour', { from, to }),
    hourlyForecasts.records(chain, zone, beforeAuction, 'all'),
  ])
  const forecasts = new Map(records.map((record) => [record.targetDate, record]))
  const days = prices.days
    .filter(({ intervals, expected }) => intervals.length === expected)
    .map(({ date, intervals }) => {
      const forecast = forecasts.get(date)
      return { date, prices: intervals.map(({ price }) => price), forecast: forecast?.p50, basis: forecast?.basis }
    })
  return { days, sourceIds: prices.sourceIds }
}

function presentBattery(request: BatteryRequest, { days, sourceIds }: BatteryHistory, baseUrl: URL): BatteryResult {
  const { zone, from, to, power_mw, energy_mwh, efficiency, cycles_per_day } = request
  const battery: Battery = { powerMw: power_mw, energyMwh: energy_mwh, efficiency, cyclesPerDay: cycles_per_day }
  const months = batteryMonths(days, battery)
  const all = sumOf(months.values())
  const euro = (amount: number) => round(amount, 2)
  const ofYear = (amount: number, count: number) => euro((amount / power_mw / count) * DAYS_PER_YEAR)
  const daysOn = (basis: 'live' | 'replay') => days.filter((day) => day.basis === basis).length
  return {
    zone,
    battery: { power_mw, energy_mwh, efficiency, cycles_per_day },
    from: from.toString(),
    to: to.toString(),
    unit: '€',
    perfect_foresight: {
      days: all.days,
      revenue_eur: euro(all.perfect),
      eur_mw_year: ofYear(all.perfect, all.days),
      cycles: round(all.cycles, 2),
    },
    ...(all.forecastDays > 0 && {
      forecast: {
        days: all.forecastDays,
        live_days: daysOn('live'),
        replay_days: daysOn('replay'),
        revenue_eur: euro(all.forecast),
        eur_mw_year: ofYear(all.forecast, all.forecastDays),
        perfect_foresight_eur: euro(all.perfectOfForecastDays),
        ...shareOf(all),
      },
    }),
    excluded_days: {
      incomplete_prices: from.until(to).days + 1 - all.days,
      no_forecast: all.days - all.forecastDays,
    },
    months: [...months].map(([month, revenue]) => ({
      month,
      days: revenue.days,
      perfect_foresight_eur: euro(revenue.perfect),
      forecast_days: revenue.forecastDays,
      ...(revenue.forecastDays > 0 && { forecast_eur: euro(revenue.forecast), ...shareOf(revenue) }),
    })),
    ...creditsOf(sourceIds, baseUrl),
  }
}

function shareOf({ forecast, perfectOfForecastDays: perfect }: BatteryRevenue): { share_pct?: number } {
  return perfect > 0 ? { share_pct: round((100 * forecast) / perfect, 2) } : {}
}

function exampleBattery(): BatteryResult {
  const request = batteryRequest.parse({ zone: 'nord', from: '2025-12-30', to: '2025-12-31' })
  const prices = Array.from({ length: 24 }, (_, hour) => 110 + 35 * Math.sin(hour / 3))
  const day = { prices, forecast: prices.map((price, hour) => price - hour), basis: 'live' as const }
  return presentBattery(request, { days: [{ ...day, date: '2025-12-31' }], sourceIds: ['gme-mgp'] }, EXAMPLE_BASE_URL)
}
