import * as z from 'zod'
import { IMBALANCE_MARKET, type Market, macrozoneOf, marketName } from '../../../market/markets.ts'
import { round } from '../../../market/rounding.ts'
import type { MarketZone } from '../../../market/zones.ts'
import type { MarketSpread } from '../../../store/markets.ts'
import { invalidParameter, notFound } from '../../contract/errors.ts'
import { type MarketSpreads, market, marketSpreads, marketZone } from '../../contract/markets.ts'
import { calendarMonth, refuseReversed } from '../../contract/parameters.ts'
import { integer, number, text } from '../../contract/table.ts'
import { endpoint } from '../../http/endpoint.ts'

const MONTHS_DEFAULT = 12
const MONTHS_MAX = 60

/** Cost or gain of trading after the day-ahead auction. */
export const getMarketSpreads = endpoint({
  id: 'getMarketSpreads',
  method: 'get',
  path: '/markets/{market}/spreads',
  tag: 'Day-ahead market',
  summary: 'Get differences from the day-ahead price',
  description:
    'Returns the price of a market minus the day-ahead price of the zone by month and hour of the day: mean, ' +
    'tenth and ninetieth percentile, and the share of hours in which the market was dearer. Of `imbalance` the ' +
    'final prices of the zone’s macrozone. At most 60 months; default: the last 12.',
  plan: 'API',
  cache: '1h',
  formats: ['json', 'csv', 'arrow'],
  pathSchema: z.object({ market }),
  query: z.object({
    zone: marketZone.default('nord'),
    from: calendarMonth.optional().meta({ description: 'First month. Default: eleven months before `to`.' }),
    to: calendarMonth.optional().meta({ description: 'Last month, inclusive. Default: this month.' }),
  }),
  reply: marketSpreads,
  example: present('imbalance', 'nord', { from: '2026-11', to: '2026-11' }, [
    { month: '2026-11-01', clockHour: 18, hours: 20, mean: 3.1, p10: -21.4, p90: 28.7, shareAbove: 0.55 },
  ]),
  fails: ['not_found'],
  async handle({ path, query: { zone, ...query }, service, today }) {
    const to = query.to ?? today.toPlainYearMonth()
    const from = query.from ?? to.subtract({ months: MONTHS_DEFAULT - 1 })
    refuseReversed(from, to)
    const months = from.until(to, { largestUnit: 'months' }).months + 1
    if (months > MONTHS_MAX) {
      throw invalidParameter(
        'from',
        `must be at most ${MONTHS_MAX - 1} months before to; the interval has ${months} months`,
      )
    }
    const span = { from: from.toPlainDate({ day: 1 }), to: to.toPlainDate({ day: 1 }) }
    const rows = await service.markets.spreads(path.market, zone, span)
    if (rows.length === 0) throw notFound(`There are no hours of ${path.market} and of ${zone} in ${from} to ${to}.`)
    return present(path.market, zone, { from: from.toString(), to: to.toString() }, rows)
  },
  table: ({ rows, market, zone, from, to }) => ({
    filename: `${market}_spreads_${zone}_${from}_${to}`,
    columns: [
      ...[text('market'), text('zone'), text('month'), integer('clock_hour'), integer('hours')],
      ...[number('mean'), number('p10'), number('p90'), number('share_above')],
    ],
    rows: rows.map((row) => ({ market, zone, ...row })),
  }),
})

function present(
  market: Market,
  zone: MarketZone,
  span: { from: string; to: string },
  rows: readonly MarketSpread[],
): MarketSpreads {
  return {
    market,
    name: marketName(market),
    zone,
    ...(market === IMBALANCE_MARKET && { macrozone: macrozoneOf(zone) }),
    unit: '€/MWh',
    ...span,
    count: rows.length,
    rows: rows.map(({ month, clockHour, hours, mean, p10, p90, shareAbove }) => ({
      month: month.slice(0, 7),
      clock_hour: clockHour,
      hours,
      mean: round(mean, 2),
      p10: round(p10, 2),
      p90: round(p90, 2),
      share_above: round(shareAbove, 3),
    })),
  }
}
