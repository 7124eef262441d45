import * as z from 'zod'
import { DAYS_AHEAD_MAX, INFO_AGE_DAYS_MAX } from '../../../market/forecast-scope.ts'
import { intervalStart, type MarketDay } from '../../../market/market-day.ts'
import { NATIONAL_ZONE, type ZoneCode } from '../../../market/zones.ts'
import { secondsToNextPublication } from '../../../publishers/publications.ts'
import type { HourlyForecastDay, HourlyIssue } from '../../../store/forecasts.ts'
import { noDataBecause } from '../../contract/errors.ts'
import type { ForecastChain } from '../../contract/forecasts.ts'
import { granularity, hourlyZone } from '../../contract/hourly.ts'
import {
  daysParameter,
  type HourlyForecast,
  hourlyForecast,
  hourlyForecastSlug,
} from '../../contract/hourly-forecasts.ts'
import { date, instant, integer, number, text } from '../../contract/table.ts'
import { endpoint, type HandlerContext } from '../../http/endpoint.ts'
import { EXAMPLE_BASE_URL } from '../examples.ts'
import { nextStep } from '../next-step.ts'
import { currentChain } from './current-issue.ts'
import { type FoundHours, presentHourlyForecast } from './present-hourly-forecast.ts'

const DAYS_DEFAULT = 3

const query = z.object({
  zone: hourlyZone.default(NATIONAL_ZONE),
  granularity: granularity.default('hour'),
  days: daysParameter.optional(),
})
type Query = z.output<typeof query>

/** Published and forecast hours of a zone as one series. */
export const getHourlyForecast = endpoint({
  id: 'getHourlyForecast',
  method: 'get',
  path: '/forecast/{asset}/hourly',
  tag: 'Forecasts',
  summary: 'Get an hourly forecast',
  description:
    'Returns one series from the start of today: the published hours as official prices, then p10, p50 and p90' +
    ' of each hour of the next 1 to 7 market days. `price` states which. For the PUN and each market zone, by ' +
    'hour or quarter-hour. A day has 23 or 25 hours on a daylight-saving change. The mean of a day’s hourly ' +
    'medians equals the median of `/forecast/pun` for that day. `days` states what the forecast of each day is' +
    ' based on. Where prices have ended, the series begins with the last published day, and the days after it ' +
    'are replayed: `basis` is `replay`. CSV and Arrow have one row per interval.',
  plan: 'API',
  cache: '1h',
  localTimes: true,
  formats: ['json', 'csv', 'arrow'],
  pathSchema: z.object({ asset: hourlyForecastSlug }),
  query,
  reply: hourlyForecast,
  example: exampleHourlyForecast(),
  fails: ['no_data'],
  async handle({ query, service, today, now }) {
    return presentHourlyForecast(await latestHourlyForecast({ service, today, now }, query), service.config.baseUrl)
  },
  table: ({ asset, zone, unit, points, granularity }) => ({
    filename: filenameOf(zone, points),
    columns: [
      ...['asset', text('zone'), text('unit'), date('date')],
      ...(granularity === 'quarter' ? [integer('quarter')] : []),
      ...[integer('hour'), instant('starts_at'), instant('ends_at'), text('price')],
      ...['value', 'p10', 'p50', 'p90'].map((name) => number(name)),
    ],
    rows: points.map((point) => ({ asset, zone, unit, ...point })),
  }),
})

interface ShownIssue {
  chain: ForecastChain
  basis: FoundHours['basis']
  issue: HourlyIssue
  /** First day that is shown. */
  from: MarketDay
}

/** Returns the published and forecast hours. Throws `no_data` if there is no current forecast. */
export async function currentHourlyForecast(context: HandlerContext, query: Query): Promise<FoundHours> {
  return findHours(context, query, await currentHours(context, query.zone))
}

/** Returns the same or, if prices have ended, the last published day and the replay of the days after it. */
async function latestHourlyForecast(context: HandlerContext, query: Query): Promise<FoundHours> {
  const { zone } = query
  return findHours(context, query, (await currentHours(context, zone)) ?? (await replayedHours(context, zone)))
}

async function findHours(
  context: HandlerContext,
  { zone, granularity, days = DAYS_DEFAULT }: Query,
  shown: ShownIssue | undefined,
): Promise<FoundHours> {
  const { service } = context
  if (shown === undefined) throw await missing(context, zone)
  const { chain, basis, issue, from } = shown
  const span = { from, to: from.add({ days: DAYS_AHEAD_MAX }) }
  const published = await service.zones.intervals(zone, granularity, span)
  const last = await service.zones.latestDay(zone, span.to)
  const ahead = issue.points.filter(({ targetDate }) => isAhead(targetDate, from.toString(), last))
  if (ahead.length === 0) throw await missing(context, zone)
  const shape = granularity === 'quarter' ? await service.hourlyForecasts.quarterShape(chain, zone) : undefined
  if (granularity === 'quarter' && shape === undefined)
    throw noDataBecause(`Too few days of ${zone} have quarter-hours to forecast them.`, 24 * 3600)
  const { sourceIds } = await service.zones.intervals(zone, 'hour', spanOfInfoDate(issue.infoDate))
  return { zone, granularity, basis, issue, published, ahead: ahead.slice(0, days), shape, sourceIds }
}

async function currentHours(context: HandlerContext, zone: ZoneCode): Promise<ShownIssue | undefined> {
  const { service, today } = context
  const chain = await currentChain(context, 'PUN')
  const issue = await service.hourlyForecasts.latestIssue(chain, zone)
  const oldest = today.subtract({ days: INFO_AGE_DAYS_MAX }).toString()
  return issue && issue.infoDate >= oldest ? { chain, basis: 'live', issue, from: today } : undefined
}

async function replayedHours({ service, today }: HandlerContext, zone: ZoneCode): Promise<ShownIssue | undefined> {
  const chain = 'issued'
  const last = await service.zones.latestDay(zone, today)
  const issue = last && (await service.hourlyForecasts.replayedIssue(chain, zone, last))
  return issue ? { chain, basis: 'replay', issue, from: Temporal.PlainDate.from(issue.infoDate) } : undefined
}

/** The span of the info date, from whose prices the forecast starts. */
function spanOfInfoDate(infoDate: string) {
  const day = Temporal.PlainDate.from(infoDate)
  return { from: day, to: day }
}

function isAhead(targetDate: HourlyForecastDay['targetDate'], today: string, last: string | undefined): boolean {
  return targetDate >= today && (last === undefined || targetDate > last)
}

async function missing(context: HandlerContext, zone: ZoneCode) {
  const { service, now } = context
  const why = (await service.hourlyForecasts.missing(zone)) ?? `No hourly forecast of ${zone} has been issued yet.`
  return noDataBecause(`${why}${await nextStep(context, 'PUN', why)}`, secondsToNextPublication(['PUN'], now))
}

function filenameOf(zone: string, points: HourlyForecast['points']): string {
  return `forecast_hourly_${zone}_${points.at(0)?.date}_${points.at(-1)?.date}`
}

/** A short hourly forecast for the documentation; the figures are fictitious. */
function exampleHourlyForecast(): HourlyForecast {
  const today = Temporal.PlainDate.from('2026-11-22')
  const interval = {
    ...{ ordinal: 24, hour: 24, price: 104.2, band: 'F3' as const },
    startsAtEpoch: intervalStart(today, 24, 60).epochMilliseconds / 1000,
  }
  const stats = { min: 104.2, max: 104.2, avg: 104.2 }
  const published = { date: today.toString(), intervals: [interval], expected: 24, cheapestHours: [24], stats }
  const ahead = {
    ...{ targetDate: '2026-11-23', model: 'same-hour', version: '1', inputs: 'prices-only' as const },
    ...{ p10: [90.1], p50: [101.2], p90: [113.9] },
  }
  const issue = {
    infoDate: '2026-11-22',
    issuedAt: Temporal.Instant.from('2026-11-21T18:02:11Z'),
    issue: 'evening' as const,
    points: [ahead],
  }
  const sourceIds = ['gme-mgp']
  const zone = 'nord' as const
  const how = { granularity: 'hour' as const, basis: 'live' as const }
  const found = { zone, ...how, issue, ahead: [ahead], shape: undefined, sourceIds }
  return presentHourlyForecast({ ...found, published: { days: [published], stats, sourceIds } }, EXAMPLE_BASE_URL)
}
