import * as z from 'zod'
import { MARKET_TIME_ZONE } from '../../../market/market-day.ts'
import { roundNative } from '../../../market/price-units.ts'
import { NATIONAL_ZONE } from '../../../market/zones.ts'
import { type BandsOfMonth, PRICE_BANDS } from '../../../store/zone-prices.ts'
import { type MonthlyBands, monthlyBands } from '../../contract/bands.ts'
import { INTERVAL_TRUNCATED } from '../../contract/headers.ts'
import { hourlyZone } from '../../contract/hourly.ts'
import { calendarMonth, refuseReversed } from '../../contract/parameters.ts'
import type { PlanName } from '../../contract/plans.ts'
import { integer, number, text } from '../../contract/table.ts'
import { endpoint } from '../../http/endpoint.ts'
import { lastDayOfPrices } from '../current-price.ts'
import { EXAMPLE_BASE_URL } from '../examples.ts'
import { truncateToPlan } from '../prices/interval.ts'
import { attributionText, sourceNames } from '../source-credits.ts'

const DEFAULT_MONTHS = 12

/** Monthly means of F0, F1, F2, F3, F23, peak and off-peak. */
export const getPunBands = endpoint({
  id: 'getPunBands',
  method: 'get',
  path: '/pun/bands',
  tag: 'Day-ahead market',
  summary: 'Get monthly prices by tariff band',
  description:
    'Returns monthly means of the PUN or a market zone for F0 (all hours), F1, F2, F3, F23, peak and off-peak,' +
    ' with the number of hours in each, as Italian bills and contracts index them. Only complete days are ' +
    'averaged; an incomplete month states its last day. Intervals are truncated to the history of your plan, ' +
    'as in the daily series. CSV and Arrow have one row per month.',
  plan: 'Developer',
  cache: '1h',
  formats: ['json', 'csv', 'arrow'],
  query: z.object({
    from: calendarMonth.optional().meta({ description: 'First month. Default: 11 months before `to`.' }),
    to: calendarMonth.optional().meta({
      description:
        'Last month, inclusive. Default: the current one, or where prices have ended that of the last stored day.',
    }),
    zone: hourlyZone.default(NATIONAL_ZONE),
  }),
  reply: monthlyBands,
  example: exampleBands(),
  async handle({ query, caller, service, today }) {
    const { zone } = query
    const to = query.to ?? (await lastDayOfPrices(service.prices, 'PUN', today)).toPlainYearMonth()
    const from = query.from ?? to.subtract({ months: DEFAULT_MONTHS - 1 })
    refuseReversed(from, to)
    const days = { from: from.toPlainDate({ day: 1 }), to: to.toPlainDate({ day: to.daysInMonth }) }
    const cut = truncateToPlan(days, caller, today)
    const reached = cut.from.toPlainYearMonth() // months are returned whole, even if the first days exceed the plan's history
    const requiredTier = reached.equals(from) ? undefined : cut.requiredTier
    const found = await service.zones.bands(zone, { from: reached, to })
    return presentBands({ zone, from: reached, to, requiredTier, baseUrl: service.config.baseUrl }, found)
  },
  headerNames: [INTERVAL_TRUNCATED],
  headers: ({ required_tier: plan }) => (plan === undefined ? [] : [INTERVAL_TRUNCATED, plan]),
  table: (reply) => ({
    filename: filenameOf(reply),
    columns: [
      ...[text('zone'), text('unit'), text('month'), { name: 'complete', type: 'boolean' } as const, 'until'],
      ...[integer('days'), integer('days_of_month')],
      ...PRICE_BANDS.flatMap((band) => [number(`${band}_value`), integer(`${band}_hours`)]),
    ],
    rows: reply.months.map((month) => ({
      ...{ zone: reply.zone, unit: reply.unit, month: month.month, complete: month.complete },
      ...{ until: month.until, days: month.days, days_of_month: month.days_of_month },
      ...Object.fromEntries(
        PRICE_BANDS.flatMap((band) => [
          [`${band}_value`, month[band]?.value],
          [`${band}_hours`, month[band]?.hours],
        ]),
      ),
    })),
  }),
})

function filenameOf({ zone, from, to }: MonthlyBands): string {
  return `pun_bands_${zone}_${from}_${to}`
}

interface BandsRequest {
  zone: MonthlyBands['zone']
  from: Temporal.PlainYearMonth
  to: Temporal.PlainYearMonth
  requiredTier: PlanName | undefined
  baseUrl: URL
}

function presentBands(
  { zone, from, to, requiredTier, baseUrl }: BandsRequest,
  { months, sourceIds }: { months: readonly BandsOfMonth[]; sourceIds: string[] },
): MonthlyBands {
  return {
    zone,
    unit: '€/MWh',
    timezone: MARKET_TIME_ZONE,
    from: from.toString(),
    to: to.toString(),
    ...(requiredTier && { truncated: true as const, required_tier: requiredTier }),
    count: months.length,
    months: months.map(presentMonth),
    ...(sourceIds.length > 0 && { source: sourceNames(sourceIds) }),
    attribution: attributionText(sourceIds, baseUrl),
  }
}

function presentMonth({ month, days, daysOfMonth, lastDay, bands }: BandsOfMonth): MonthlyBands['months'][number] {
  const isComplete = days === daysOfMonth
  return {
    month,
    complete: isComplete,
    ...(!isComplete && { until: lastDay }),
    days,
    days_of_month: daysOfMonth,
    ...Object.fromEntries(
      PRICE_BANDS.flatMap((band) => {
        const found = bands[band]
        return found === undefined ? [] : [[band, { value: roundNative(found.price), hours: found.hours }]]
      }),
    ),
  }
}

function exampleBands(): MonthlyBands {
  const bands = {
    f0: { price: 110.44, hours: 745 },
    f1: { price: 117.02, hours: 242 },
    f2: { price: 121.9, hours: 182 },
    f3: { price: 98.97, hours: 321 },
    f23: { price: 107.27, hours: 503 },
    peak: { price: 118.31, hours: 264 },
    off_peak: { price: 106.12, hours: 481 },
  }
  const month = Temporal.PlainYearMonth.from('2026-10')
  return presentBands(
    { zone: NATIONAL_ZONE, from: month, to: month, requiredTier: undefined, baseUrl: EXAMPLE_BASE_URL },
    { months: [{ month: '2026-10', days: 31, daysOfMonth: 31, lastDay: '2026-10-31', bands }], sourceIds: ['gme-mgp'] },
  )
}
