/** Published hours and forecast ones as one series. */
import type { InputStep } from '../../../market/forecast-scope.ts'
import {
  clockHoursOf,
  GRANULARITIES,
  type Granularity,
  intervalStart,
  MARKET_TIME_ZONE,
  toUtcIso,
} from '../../../market/market-day.ts'
import { roundNative } from '../../../market/price-units.ts'
import { type QuarterShape, quarterOffsets } from '../../../market/quarter-shape.ts'
import type { HourlyForecastDay, HourlyIssue } from '../../../store/forecasts.ts'
import type { ZoneIntervals } from '../../../store/zone-prices.ts'
import type { HourlyForecast } from '../../contract/hourly-forecasts.ts'
import { presentSpans } from '../pun/present-hourly.ts'
import { creditsOf } from '../source-credits.ts'
import { methodologyUrl, showPrice } from './present.ts'

export interface FoundHours {
  zone: HourlyForecast['zone']
  granularity: Granularity
  basis: HourlyForecast['basis']
  issue: HourlyIssue
  /** Prices from today on or, if they have ended, of the last day. */
  published: ZoneIntervals
  /** The days without published prices, in order. */
  ahead: HourlyForecastDay[]
  /** Needed for quarter-hours. */
  shape: QuarterShape | undefined
  /** Publishers of the prices that the forecast starts from. */
  sourceIds: string[]
}

const QUARTERS = 4

const MISSING: Record<InputStep, HourlyForecast['days'][number]['missing']> = {
  everything: [],
  'without-neighbours': ['neighbours'],
  'usual-weather': ['weather', 'neighbours'],
  'without-weather': ['weather', 'neighbours'],
  'prices-only': ['load', 'weather', 'neighbours'],
}

type Point = HourlyForecast['points'][number]

export function presentHourlyForecast(found: FoundHours, baseUrl: URL): HourlyForecast {
  const { zone, granularity, basis, issue, published, ahead, shape, sourceIds } = found
  const [first] = ahead
  const shownDays = published.days.filter(({ date }) => first === undefined || date < first.targetDate)
  const points = [
    ...shownDays.flatMap((day) => publishedPoints(day, granularity)),
    ...ahead.flatMap((day) => forecastPoints(day, granularity, shape)),
  ]
  return {
    asset: 'PUN',
    zone,
    unit: '€/MWh',
    timezone: MARKET_TIME_ZONE,
    granularity,
    generated_at: toUtcIso(issue.issuedAt),
    issue: issue.issue,
    basis,
    info_date: issue.infoDate,
    count: points.length,
    points,
    days: ahead.map(({ targetDate, p50, model, version, inputs }) => ({
      date: targetDate,
      mean: showPrice(p50.reduce((sum, price) => sum + price, 0) / p50.length),
      model,
      version,
      inputs,
      missing: MISSING[inputs],
    })),
    methodology: methodologyUrl(baseUrl),
    ...creditsOf(sourceIds, baseUrl),
  }
}

function publishedPoints({ date, intervals }: ZoneIntervals['days'][number], granularity: Granularity): Point[] {
  const spans = presentSpans(intervals, granularity)
  return intervals.map(({ ordinal, hour, price }, i) => ({
    date,
    ...(granularity === 'quarter' && { quarter: ordinal }),
    hour,
    ...(spans[i] as (typeof spans)[number]),
    price: 'published',
    value: roundNative(price),
  }))
}

function forecastPoints(
  forecast: HourlyForecastDay,
  granularity: Granularity,
  shape: QuarterShape | undefined,
): Point[] {
  const { targetDate: date, p10, p50, p90 } = shape === undefined ? forecast : inQuarters(forecast, shape)
  const day = Temporal.PlainDate.from(date)
  const minutes = GRANULARITIES[granularity]
  const starts = p50.map((_, i) => ({ startsAtEpoch: intervalStart(day, i + 1, minutes).epochMilliseconds / 1000 }))
  const spans = presentSpans(starts, granularity)
  return p50.map((median, i) => ({
    date,
    ...(granularity === 'quarter' && { quarter: i + 1 }),
    hour: granularity === 'quarter' ? Math.floor(i / QUARTERS) + 1 : i + 1,
    ...(spans[i] as (typeof spans)[number]),
    price: 'forecast',
    value: showPrice(median),
    p10: showPrice(p10[i] as number),
    p50: showPrice(median),
    p90: showPrice(p90[i] as number),
  }))
}

/** Shifts each quarter-hour and its band from its hour by the offset of the shape. */
function inQuarters(forecast: HourlyForecastDay, shape: QuarterShape): HourlyForecastDay {
  const offsets = quarterOffsets(shape, forecast.p50, clockHoursOf(forecast.p50.length))
  const moved = (hours: readonly number[]) =>
    offsets.map((offset, i) => (hours[Math.floor(i / QUARTERS)] as number) + offset)
  return { ...forecast, p10: moved(forecast.p10), p50: moved(forecast.p50), p90: moved(forecast.p90) }
}
