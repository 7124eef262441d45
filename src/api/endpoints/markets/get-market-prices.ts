import * as z from 'zod'
import { type FundamentalArea, fundamentalOf } from '../../../market/fundamentals.ts'
import { MARKET_TIME_ZONE, type MarketDay, toRomeIso } from '../../../market/market-day.ts'
import { areasOfMarket, type Market, marketName, seriesOfMarket } from '../../../market/markets.ts'
import { round } from '../../../market/rounding.ts'
import { secondsToFundamental } from '../../../publishers/publications.ts'
import { fundamentalSource } from '../../../publishers/sources.ts'
import type { MarketMinutes, MarketPrice } from '../../../store/markets.ts'
import { invalidParameter, noData, notFound } from '../../contract/errors.ts'
import { type MarketPrices, market, marketAreas, marketPrices } from '../../contract/markets.ts'
import { asOf, intervalOf, marketDay, refuseFuture } from '../../contract/parameters.ts'
import { date, instant, integer, number, optional, text } from '../../contract/table.ts'
import { endpoint, type HandlerContext } from '../../http/endpoint.ts'
import { EXAMPLE_BASE_URL } from '../examples.ts'
import { nextStep } from '../next-step.ts'
import { creditsOf } from '../source-credits.ts'

/** `all` applies to `zone=all`. */
const DAYS_MAX = { hour: 93, quarter: 93, all: 31 }
const DECIMALS = 6
const MINUTES: Record<'hour' | 'quarter', MarketMinutes> = { hour: 60, quarter: 15 }

/** Prices of an intraday auction, of the continuous market or of imbalance settlement. */
export const getMarketPrices = endpoint({
  id: 'getMarketPrices',
  method: 'get',
  path: '/markets/{market}/prices',
  tag: 'Day-ahead market',
  summary: 'Get intraday or imbalance prices',
  description:
    'Returns prices of a market after the day-ahead auction for one day, or up to 93 days with `from` and ' +
    '`to`, as they are published: an auction that covers part of the day has only those intervals, and what ' +
    'was not traded is missing. Imbalance prices are preliminary first and final later; `as_of` returns the ' +
    'values as they were known at an instant. CSV and Arrow have one row per interval.',
  plan: 'API',
  cache: '15min',
  localTimes: true,
  formats: ['json', 'csv', 'arrow'],
  intervalDaysMax: DAYS_MAX,
  pathSchema: z.object({ market }),
  query: z.object({
    zone: marketAreas.optional().meta({
      description:
        'Market zone; of `imbalance` a macrozone. `all` returns every zone of the market, for at most 31 days. ' +
        'Default: the first one, in the north.',
      example: 'all',
    }),
    granularity: z
      .enum(['hour', 'quarter'])
      .optional()
      .meta({ description: 'Means of whole hours, or quarter-hours only. Default: as published.' }),
    date: marketDay.optional().meta({ description: 'One market day. Default: the latest stored.' }),
    from: marketDay
      .optional()
      .meta({ description: 'First day of an interval of at most 93 days, with `to`, in place of `date`.' }),
    to: marketDay.optional().meta({ description: 'Last day of the interval, inclusive.' }),
    as_of: asOf,
  }),
  reply: marketPrices,
  example: presentPrices(
    { market: 'imbalance', zone: 'macro-nord', ...exampleSpan() },
    {
      prices: [
        {
          area: 'macro-nord',
          day: '2026-11-20',
          startsAt: Temporal.Instant.from('2026-11-19T23:00:00Z'),
          minutes: 15,
          price: 118.4,
          basePrice: 118.4,
          incentive: 0,
          volume: -42.5,
          status: 'final',
          knownAt: Temporal.Instant.from('2026-11-21T16:00:00Z'),
        },
      ],
      sourceIds: ['terna-imbalance'],
    },
    EXAMPLE_BASE_URL,
  ),
  fails: ['no_data', 'not_found'],
  async handle({ path, query, service, today, now }) {
    refuseFuture(query.as_of, now)
    const zone = zoneOf(path.market, query.zone)
    const areas = zone === 'all' ? areasOfMarket(path.market) : [zone]
    const span =
      intervalOf(query, zone === 'all' ? DAYS_MAX.all : DAYS_MAX.quarter) ??
      (await dayOf(path.market, areas, query.date, service))
    const request: Request = { ...path, zone, areas, asOf: query.as_of, ...(span ?? { from: today, to: today }) }
    const minutes = query.granularity === undefined ? 0 : MINUTES[query.granularity]
    // The hourly products of the continuous market have their own prices.
    const stored = path.market === 'xbid' && query.granularity === 'hour' ? 'xbid-hour' : path.market
    const found = await service.markets.prices(stored, areas, request, minutes, query.as_of)
    if (found.prices.length === 0) throw await missing(request, { service, today, now })
    return presentPrices(request, found, service.config.baseUrl)
  },
  table: ({ points, market, zone, from, to }) => ({
    filename: `${market}_${zone}_${from}${from === to ? '' : `_${to}`}`,
    columns: [
      ...[text('market'), text('zone'), date('date'), instant('starts_at'), integer('minutes'), number('value')],
      ...[optional(number('base_price')), optional(number('incentive_component')), optional(number('imbalance_mwh'))],
      ...[text('status'), instant('known_at')],
    ],
    rows: points.map((point) => ({ market, zone, ...point })),
  }),
})

type Zone = MarketPrices['zone']

interface Request {
  market: Market
  zone: Zone
  areas: readonly FundamentalArea[]
  from: MarketDay
  to: MarketDay
  asOf?: Temporal.Instant | undefined
}

/** Throws for a zone that the market does not have: macrozones and zones are never interchangeable. */
function zoneOf(market: Market, asked: Zone | undefined): Zone {
  const areas = areasOfMarket(market) as readonly Zone[]
  if (asked === undefined) return areas[0] as Zone
  if (asked === 'all' || areas.includes(asked)) return asked
  throw invalidParameter('zone', `must be one of ${areas.join(', ')} or all in the market ${market}; got "${asked}"`)
}

/** Returns the requested day, else the latest stored one; undefined if there is none. */
async function dayOf(
  market: Market,
  areas: readonly FundamentalArea[],
  asked: MarketDay | undefined,
  { markets }: HandlerContext['service'],
): Promise<{ from: MarketDay; to: MarketDay } | undefined> {
  const latest = asked ?? (await markets.latestDay(market, areas))
  const day = latest && Temporal.PlainDate.from(latest)
  return day ? { from: day, to: day } : undefined
}

async function missing(
  { market, zone, areas, from, to, asOf: instant }: Request,
  context: HandlerContext,
): Promise<Error> {
  const { service, today, now } = context
  const where = zone === 'all' ? 'any zone' : zone
  const what = `prices of ${market} in ${where} for ${from.equals(to) ? from : `${from} to ${to}`}`
  const atAll = await service.markets.prices(market, areas, { from, to }, 0)
  if (instant !== undefined && atAll.prices.length > 0) return notFound(`There were no ${what} known at ${instant}.`)
  if (atAll.prices.length > 0) return notFound(`There are ${what}, but none of that granularity.`)
  const series = seriesOfMarket(market)
  const { lastDay } = fundamentalOf(series)
  if (lastDay !== undefined) return notFound(`There are no ${what}. The auction was held until ${lastDay}.`)
  if (Temporal.PlainDate.compare(to, today.subtract({ days: 2 })) < 0) return notFound(`There are no ${what}.`)
  const seconds = secondsToFundamental({ series, area: zone, from, to }, now)
  return noData(
    `The price of ${market} in ${where} for ${to}`,
    seconds,
    await nextStep(context, fundamentalSource(series)),
  )
}

function presentPrices(
  { market, zone, from, to, asOf: instant }: Omit<Request, 'areas'>,
  { prices, sourceIds }: { prices: readonly MarketPrice[]; sourceIds: string[] },
  baseUrl: URL,
): MarketPrices {
  const rounded = (name: string, value: number | null) => (value === null ? {} : { [name]: round(value, DECIMALS) })
  return {
    market,
    name: marketName(market),
    zone,
    unit: '€/MWh',
    timezone: MARKET_TIME_ZONE,
    from: from.toString(),
    to: to.toString(),
    ...(instant && { as_of: instant.toString() }),
    count: prices.length,
    points: prices.map(({ area, day, startsAt, minutes, price, basePrice, incentive, volume, status, knownAt }) => ({
      date: day,
      starts_at: toRomeIso(startsAt),
      ...(zone === 'all' && { zone: area }),
      minutes,
      value: round(price, DECIMALS),
      ...rounded('base_price', basePrice),
      ...rounded('incentive_component', incentive),
      ...rounded('imbalance_mwh', volume),
      status,
      known_at: knownAt.round({ smallestUnit: 'second', roundingMode: 'ceil' }).toString(),
    })),
    ...creditsOf(sourceIds, baseUrl),
  }
}

function exampleSpan() {
  return { from: Temporal.PlainDate.from('2026-11-20'), to: Temporal.PlainDate.from('2026-11-20') }
}
