import * as z from 'zod'
import { type FundamentalArea, type FundamentalSeries, fundamentalOf } from '../../../market/fundamentals.ts'
import { MARKET_TIME_ZONE, type MarketDay, toRomeIso } from '../../../market/market-day.ts'
import { round } from '../../../market/rounding.ts'
import { secondsToFundamental } from '../../../publishers/publications.ts'
import { fundamentalSource } from '../../../publishers/sources.ts'
import {
  FUNDAMENTAL_GRANULARITIES,
  type FundamentalGranularity,
  type FundamentalValue,
} from '../../../store/fundamentals.ts'
import { invalidParameter, noData, notFound } from '../../contract/errors.ts'
import {
  type FundamentalValues,
  fundamentalAreas,
  fundamentalSeries,
  fundamentalValues,
} from '../../contract/fundamentals.ts'
import { asOf, marketDay, refuseFuture, refuseReversed } from '../../contract/parameters.ts'
import { date, instant, number, text } from '../../contract/table.ts'
import { endpoint, type HandlerContext } from '../../http/endpoint.ts'
import { EXAMPLE_BASE_URL } from '../examples.ts'
import { nextStep } from '../next-step.ts'
import { creditsOf } from '../source-credits.ts'

const DEFAULT_DAYS = 7
/** `all` applies to hours and quarter-hours with `area=all`. */
const DAYS_MAX = { hour: 366, quarter: 93, day: 3_660, all: 31 }
const DECIMALS = 3

/** Values of a fundamental over an interval of market days. */
export const getFundamental = endpoint({
  id: 'getFundamental',
  method: 'get',
  path: '/fundamentals/{series}',
  tag: 'Fundamentals',
  summary: 'Get a fundamental series',
  description:
    'Returns load, generation, their forecasts, prices of neighbouring countries or weather by hour, quarter-' +
    'hour (where published) or day, each value with the instant at which it became known. `as_of` returns the ' +
    'values as they were known at an instant, without later corrections and weather runs. CSV and Arrow have ' +
    'one row per value.',
  plan: 'API',
  cache: '15min',
  localTimes: true,
  formats: ['json', 'csv', 'arrow'],
  intervalDaysMax: DAYS_MAX,
  pathSchema: z.object({ series: fundamentalSeries }),
  query: z.object({
    area: fundamentalAreas.optional().meta({
      description:
        'Area. `all` returns every area of the series, for at most 31 days of hours or quarter-hours. Default: `IT`; ' +
        'of prices the first neighbour.',
    }),
    granularity: z
      .enum(FUNDAMENTAL_GRANULARITIES)
      .default('hour')
      .meta({ description: 'Means of hours or of market days, or quarter-hours as published.' }),
    from: marketDay
      .optional()
      .meta({ description: 'First day. Default: six days before `to`.', example: '2026-11-16' }),
    to: marketDay.optional().meta({ description: 'Last day, inclusive. Default: tomorrow.', example: '2026-11-22' }),
    as_of: asOf,
  }),
  reply: fundamentalValues,
  example: presentValues(
    { series: 'load-forecast', area: 'IT', granularity: 'hour', ...exampleSpan(), asOf: undefined },
    {
      values: [
        {
          area: 'IT',
          day: '2026-11-22',
          startsAt: Temporal.Instant.from('2026-11-21T23:00:00Z'),
          value: 27_410,
          knownAt: Temporal.Instant.from('2026-11-21T09:01:12Z'),
        },
      ],
      sourceIds: ['entsoe-load-forecast'],
    },
    EXAMPLE_BASE_URL,
  ),
  fails: ['no_data', 'not_found'],
  async handle({ path: { series }, query, service, today, now }) {
    const { granularity, as_of: instant } = query
    refuseFuture(instant, now)
    const area = areaOf(series, query.area)
    const areas = area === 'all' ? fundamentalOf(series).areas : [area]
    const request = { series, area, areas, granularity, asOf: instant, ...spanOf(query, today) }
    const found = await service.fundamentals.values(request, granularity, instant)
    if (found.values.length === 0) throw await missing(request, { service, today, now })
    return presentValues(request, found, service.config.baseUrl)
  },
  table: ({ points, series, area, unit, ...reply }) => ({
    filename: filenameOf({ series, area, ...reply }),
    columns: [
      ...[text('series'), text('area'), text('unit'), date('date')],
      ...[instant('starts_at'), number('value'), instant('known_at')],
    ],
    rows: points.map((point) => ({ series, area, unit, ...point })),
  }),
})

interface ValuesRequest {
  series: FundamentalSeries
  area: FundamentalArea | 'all'
  areas: readonly FundamentalArea[]
  granularity: FundamentalGranularity
  from: MarketDay
  to: MarketDay
  asOf: Temporal.Instant | undefined
}

function areaOf(series: FundamentalSeries, asked: ValuesRequest['area'] | undefined): ValuesRequest['area'] {
  const { areas } = fundamentalOf(series)
  if (asked === undefined) return areas[0] as FundamentalArea
  if (asked === 'all' || areas.includes(asked)) return asked
  throw notFound(`There is no ${series} of ${asked}; it is there for ${areas.join(', ')}.`)
}

function spanOf(
  {
    from: asked,
    to = undefined,
    granularity,
    area,
  }: { from?: MarketDay; to?: MarketDay } & Pick<ValuesRequest, 'granularity'> & Partial<Pick<ValuesRequest, 'area'>>,
  today: MarketDay,
): { from: MarketDay; to: MarketDay } {
  const last = to ?? today.add({ days: 1 })
  const from = asked ?? last.subtract({ days: DEFAULT_DAYS - 1 })
  refuseReversed(from, last)
  const days = from.until(last).days + 1
  const isAllAreas = area === 'all' && granularity !== 'day'
  const daysMax = DAYS_MAX[isAllAreas ? 'all' : granularity]
  if (days > daysMax) {
    const condition = `granularity ${granularity}${isAllAreas ? ' and area all' : ''}`
    throw invalidParameter(
      'from',
      `must be at most ${daysMax - 1} days before to with ${condition}; the interval has ${days} days`,
    )
  }
  return { from, to: last }
}

/** The error with the reason: not known at that instant, hourly only, not published yet, or not in the history. */
async function missing(request: ValuesRequest, context: HandlerContext): Promise<Error> {
  const { service, today, now } = context
  const { series, area, granularity, from, to, asOf: instant } = request
  const what = `${series} of ${area === 'all' ? 'any area' : area} for ${from.equals(to) ? from : `${from} to ${to}`}`
  const has = async (...[step, at]: [FundamentalGranularity, Temporal.Instant?]) =>
    (await service.fundamentals.values(request, step, at)).values.length > 0
  if (instant !== undefined && (await has(granularity))) return notFound(`There was no ${what} known at ${instant}.`)
  if (granularity !== 'hour' && (await has('hour', instant))) {
    return notFound(`There are hours of ${what}, but no ${granularity === 'day' ? 'whole day' : 'quarter-hours'}.`)
  }
  if (Temporal.PlainDate.compare(to, today) < 0) return notFound(`There is no ${what}.`)
  const source = fundamentalSource(series)
  return noData(capitalised(what), secondsToFundamental(request, now), await nextStep(context, source))
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function presentValues(
  { series, area, granularity, from, to, asOf: instant }: Omit<ValuesRequest, 'areas'>,
  { values, sourceIds }: { values: readonly FundamentalValue[]; sourceIds: string[] },
  baseUrl: URL,
): FundamentalValues {
  const { name, unit, simulated } = fundamentalOf(series)
  return {
    series,
    name,
    area,
    unit,
    ...(simulated && { simulated }),
    granularity,
    timezone: MARKET_TIME_ZONE,
    from: from.toString(),
    to: to.toString(),
    ...(instant && { as_of: instant.toString() }),
    count: values.length,
    points: values.map(({ area: of, day, startsAt, value, knownAt }) => ({
      date: day,
      ...(area === 'all' && { area: of }),
      starts_at: toRomeIso(startsAt),
      value: round(value, DECIMALS),
      known_at: knownAt.round({ smallestUnit: 'second', roundingMode: 'ceil' }).toString(),
    })),
    ...creditsOf(sourceIds, baseUrl),
  }
}

function filenameOf({
  series,
  area,
  granularity,
  from,
  to,
}: Pick<FundamentalValues, 'series' | 'area' | 'granularity' | 'from' | 'to'>): string {
  return `${series}_${area.toLowerCase()}_${granularity}_${from}_${to}`
}

function exampleSpan() {
  return { from: Temporal.PlainDate.from('2026-11-22'), to: Temporal.PlainDate.from('2026-11-22') }
}
