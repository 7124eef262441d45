import * as z from 'zod'
import type { MarketDay } from '../../../market/market-day.ts'
import { NATIONAL_ZONE } from '../../../market/zones.ts'
import { invalidParameter } from '../../contract/errors.ts'
import { granularity, type HourlyDay, type HourlyInterval, hourlyPrices, hourlyZone } from '../../contract/hourly.ts'
import { asOf, marketDay, refuseFuture } from '../../contract/parameters.ts'
import type { ArrowTable } from '../../http/arrow.ts'
import { endpoint } from '../../http/endpoint.ts'
import { exampleHourlyDay } from './hourly-example.ts'
import { latestDay } from './latest-day.ts'
import { missingPrices } from './missing-prices.ts'
import { type HourlyRequest, presentHourlyDay, presentHourlyInterval } from './present-hourly.ts'

const INTERVAL_DAYS_MAX = 31

const query = z.object({
  zone: hourlyZone.default(NATIONAL_ZONE),
  granularity: granularity.default('hour'),
  date: marketDay
    .optional()
    .meta({ description: 'One market day. Default: the latest published, tomorrow from midday on.' }),
  from: marketDay
    .optional()
    .meta({ description: 'First day of an interval of at most 31 days, with `to`, in place of `date`.' }),
  to: marketDay.optional().meta({ description: 'Last day of the interval, inclusive.' }),
  as_of: asOf,
})
type Query = z.output<typeof query>

/** Hours or quarter-hours of a zone, for a day or an interval. Spec: "Hourly prices", "GET /pun/hourly". */
export const getPunHourly = endpoint({
  id: 'getPunHourly',
  method: 'get',
  path: '/pun/hourly',
  tag: 'Day-ahead market',
  summary: 'Get hourly or quarter-hourly prices',
  description:
    'Returns prices of the PUN or a market zone by hour or quarter-hour, with tariff bands, the three cheapest' +
    ' hours and statistics: one day, or up to 31 days with `from` and `to`. A day has 23 or 25 hours (92 or ' +
    '100 quarters) on a daylight-saving change. `as_of` returns the prices as they were known at an instant, ' +
    'before later corrections; the default day is then the latest known at that instant. CSV and Arrow have ' +
    'one row per interval.',
  plan: 'API',
  status: 'live',
  cache: '1h',
  localTimes: true,
  formats: ['json', 'csv', 'arrow'],
  intervalDaysMax: INTERVAL_DAYS_MAX,
  query,
  reply: hourlyPrices,
  example: exampleHourlyDay(),
  fails: ['no_data', 'not_found'],
  async handle({ query, service, today, now }) {
    const { zone, granularity, as_of: instant } = query
    refuseFuture(instant, now)
    const span = intervalOf(query)
    const day =
      span === undefined ? (query.date ?? (await latestDay(zone, instant, { service, today, now }))) : undefined
    const asked = span ?? { from: day as MarketDay, to: day as MarketDay }
    const found = await service.zones.intervals(zone, granularity, asked, instant)
    const request: HourlyRequest = { zone, granularity, asOf: instant, baseUrl: service.config.baseUrl }
    const [only] = found.days
    if (only === undefined)
      throw await missingPrices({ zone, granularity, asOf: instant, ...asked }, { service, today, now })
    return span === undefined ? presentHourlyDay(request, only, found) : presentHourlyInterval(request, span, found)
  },
  csv: (reply) => csvOf(reply, daysOf(reply)),
  arrow: (reply) => arrowOf(reply, daysOf(reply)),
})

/** The requested interval, undefined for a single day. Throws `invalid_parameter` for parameters that exclude each other. */
function intervalOf({ date, from, to }: Query): { from: MarketDay; to: MarketDay } | undefined {
  if (from === undefined && to === undefined) return undefined
  if (date !== undefined) throw invalidParameter('date', 'cannot be combined with from and to')
  if (from === undefined) throw invalidParameter('from', 'is needed with to')
  if (to === undefined) throw invalidParameter('to', 'is needed with from')
  const days = from.until(to).days + 1
  if (days < 1) throw invalidParameter('from', `must not be after to (${to}); got "${from}"`)
  if (days > INTERVAL_DAYS_MAX)
    throw invalidParameter(
      'to',
      `must be at most ${INTERVAL_DAYS_MAX - 1} days after from; the interval has ${days} days`,
    )
  return { from, to }
}

type Day = Pick<HourlyDay, 'date' | 'hours' | 'quarters'>

function daysOf(reply: HourlyDay | HourlyInterval): readonly Day[] {
  return 'days' in reply ? reply.days : [reply]
}

function rowsOf(days: readonly Day[]) {
  return days.flatMap(({ date, hours, quarters }) => (quarters ?? hours ?? []).map((row) => ({ date, ...row })))
}

function filenameOf(zone: string, days: readonly Day[]): string {
  const [first, last] = [days.at(0)?.date, days.at(-1)?.date]
  return first === last ? `pun_hourly_${zone}_${first}` : `pun_hourly_${zone}_${first}_${last}`
}

function csvOf({ zone, unit }: HourlyDay | HourlyInterval, days: readonly Day[]) {
  const ordinal = days.some((day) => day.quarters) ? ['quarter', 'hour'] : ['hour']
  return {
    filename: filenameOf(zone, days),
    columns: ['zone', 'unit', 'date', ...ordinal, 'starts_at', 'value', 'band', 'ends_at'],
    rows: rowsOf(days).map((row) => ({ zone, unit, ...row })),
  }
}

/** Quarters are numbered only where there are any, as in CSV. */
function arrowOf({ zone, unit }: HourlyDay | HourlyInterval, days: readonly Day[]): ArrowTable {
  const rows = rowsOf(days)
  const quarters = days.flatMap((day) => (day.quarters ?? []).map(({ quarter }) => quarter))
  return {
    filename: filenameOf(zone, days),
    columns: [
      { name: 'zone', type: 'utf8', values: rows.map(() => zone) },
      { name: 'unit', type: 'utf8', values: rows.map(() => unit) },
      { name: 'date', type: 'date', values: rows.map(({ date }) => date) },
      ...(quarters.length === 0 ? [] : [{ name: 'quarter', type: 'int32' as const, values: quarters }]),
      { name: 'hour', type: 'int32', values: rows.map(({ hour }) => hour) },
      { name: 'starts_at', type: 'instant', values: rows.map((row) => row.starts_at) },
      { name: 'value', type: 'float64', values: rows.map(({ value }) => value) },
      { name: 'band', type: 'utf8', values: rows.map(({ band }) => band) },
      { name: 'ends_at', type: 'instant', values: rows.map((row) => row.ends_at) },
    ],
  }
}
