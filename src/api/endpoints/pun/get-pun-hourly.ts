import * as z from 'zod'
import { intervalStart, type MarketDay } from '../../../market/market-day.ts'
import { NATIONAL_ZONE } from '../../../market/zones.ts'
import { granularity, type HourlyDay, type HourlyInterval, hourlyPrices, hourlyZone } from '../../contract/hourly.ts'
import { asOf, intervalOf, marketDay, refuseFuture } from '../../contract/parameters.ts'
import { date, instant, integer, number, text } from '../../contract/table.ts'
import type { ReplyTable } from '../../http/csv-table.ts'
import { endpoint } from '../../http/endpoint.ts'
import { EXAMPLE_BASE_URL } from '../examples.ts'
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
    const span = intervalOf(query, INTERVAL_DAYS_MAX)
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
  table: tableOf,
})

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

/** The column `quarter` is present only if there are quarter-hours. */
function tableOf(reply: HourlyDay | HourlyInterval): ReplyTable {
  const { zone, unit } = reply
  const days = daysOf(reply)
  return {
    filename: filenameOf(zone, days),
    columns: [
      ...[text('zone'), text('unit'), date('date')],
      ...(days.some(({ quarters }) => quarters) ? [integer('quarter')] : []),
      ...[integer('hour'), instant('starts_at'), number('value'), text('band'), instant('ends_at')],
    ],
    rows: rowsOf(days).map((row) => ({ zone, unit, ...row })),
  }
}

/** A short day-ahead day as the documentation shows it. */
function exampleHourlyDay(): HourlyDay {
  const marketDay = Temporal.PlainDate.from('2026-11-21')
  const intervals = [104.2, 99.87, 97.3].map((price, i) => ({
    ordinal: i + 1,
    hour: i + 1,
    startsAtEpoch: intervalStart(marketDay, i + 1, 60).epochMilliseconds / 1000,
    price,
    band: 'F3' as const,
  }))
  const day = {
    date: marketDay.toString(),
    intervals,
    expected: 24,
    cheapestHours: [3, 2, 1],
    stats: { min: 97.3, max: 104.2, avg: 100.46 },
  }
  return presentHourlyDay({ zone: 'nord', granularity: 'hour', baseUrl: EXAMPLE_BASE_URL }, day, {
    days: [day],
    stats: undefined,
    sourceIds: ['gme-mgp'],
  })
}
