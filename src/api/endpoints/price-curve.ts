/** Prices of a zone from the start of today: the published ones and, on request, the hourly forecast after them. */
import { GRANULARITIES, type Granularity } from '../../market/market-day.ts'
import { roundNative } from '../../market/price-units.ts'
import { mean } from '../../market/scenarios/months.ts'
import type { ZoneCode } from '../../market/zones.ts'
import type { IntervalsOfDay } from '../../store/zone-prices.ts'
import { tierRequired } from '../contract/errors.ts'
import { planIncludes } from '../contract/plans.ts'
import type { CallerContext, HandlerContext } from '../http/endpoint.ts'
import { currentHourlyForecast, getHourlyForecast } from './forecast/get-hourly-forecast.ts'
import { presentHourlyForecast } from './forecast/present-hourly-forecast.ts'

export interface CurvePoint {
  /** Market day, YYYY-MM-DD. */
  date: string
  /** Seconds since 1970. */
  startsAt: number
  endsAt: number
  /** €/MWh, rounded as displayed, so that prices that look equal compare as equal. */
  price: number
  isForecast: boolean
}

export interface PriceCurve {
  points: CurvePoint[]
  /** Mean of each complete market day. */
  dayMeans: ReadonlyMap<string, number>
  sourceIds: string[]
}

interface CurveRequest {
  zone: ZoneCode
  /** `finest`: the finest resolution in which each day is published. */
  granularity: Granularity | 'finest'
  withForecast: boolean
}

/** Throws `tier_required` for a forecast that the plan does not include, `no_data` if there is none. */
export async function priceCurve(context: CallerContext, { zone, granularity, withForecast }: CurveRequest) {
  if (withForecast && !planIncludes(context.caller.plan, getHourlyForecast.plan))
    throw tierRequired(getHourlyForecast.plan, 'The forecast after the published prices')
  const published = await publishedCurve(context, zone, granularity)
  return withForecast ? withForecastAfter(published, context, zone, granularity) : published
}

async function publishedCurve(
  { service, today }: HandlerContext,
  zone: ZoneCode,
  granularity: CurveRequest['granularity'],
): Promise<PriceCurve> {
  const span = { from: today, to: today.add({ days: 1 }) }
  const by = (one: Granularity) => service.zones.intervals(zone, one, span)
  const byHour = by('hour')
  const [finer, hours] = await Promise.all([granularity === 'hour' ? byHour : by('quarter'), byHour])
  const inQuarters = new Map(finer.days.map((day) => [day.date, day]))
  const days = granularity === 'finest' ? hours.days.map((day) => inQuarters.get(day.date) ?? day) : finer.days
  const completeDays = days.filter(({ intervals, expected }) => intervals.length === expected)
  return {
    points: days.flatMap((day) =>
      pointsOf(day, inQuarters.has(day.date) && granularity !== 'hour' ? 'quarter' : 'hour'),
    ),
    dayMeans: new Map(completeDays.map(({ date, stats }) => [date, stats.avg])),
    sourceIds: hours.sourceIds,
  }
}

function pointsOf({ date, intervals }: IntervalsOfDay, granularity: Granularity): CurvePoint[] {
  const seconds = GRANULARITIES[granularity] * 60
  return intervals.map(({ startsAtEpoch: startsAt, price }) => ({
    date,
    startsAt,
    endsAt: startsAt + seconds,
    price: roundNative(price),
    isForecast: false,
  }))
}

async function withForecastAfter(
  published: PriceCurve,
  context: HandlerContext,
  zone: ZoneCode,
  granularity: CurveRequest['granularity'],
): Promise<PriceCurve> {
  const { baseUrl } = context.service.config
  const found = await currentHourlyForecast(context, {
    zone,
    granularity: granularity === 'quarter' ? 'quarter' : 'hour',
  })
  const forecast = presentHourlyForecast(found, baseUrl).points.flatMap((point): CurvePoint[] =>
    point.price === 'published'
      ? []
      : [
          {
            date: point.date,
            startsAt: epochSeconds(point.starts_at),
            endsAt: epochSeconds(point.ends_at),
            price: point.value,
            isForecast: true,
          },
        ],
  )
  const first = forecast[0]?.date
  const byDay = Map.groupBy(forecast, ({ date }) => date)
  return {
    points: [...published.points.filter(({ date }) => first === undefined || date < first), ...forecast],
    dayMeans: new Map([
      ...published.dayMeans,
      ...[...byDay].map(([date, points]) => [date, mean(points.map(({ price }) => price))] as const),
    ]),
    sourceIds: [...new Set([...published.sourceIds, ...found.sourceIds])].sort(),
  }
}

function epochSeconds(text: string): number {
  return Temporal.Instant.from(text).epochMilliseconds / 1000
}
