import * as z from 'zod'
import { requireAssetBySlug } from '../../../market/assets.ts'
import { toUtcIso } from '../../../market/market-day.ts'
import { roundNative } from '../../../market/price-units.ts'
import {
  type ForecastCurve,
  forecastCurve,
  forecastSlug,
  horizonParameter,
  type TRENDS,
} from '../../contract/forecasts.ts'
import { endpoint } from '../../http/endpoint.ts'
import { creditsOf } from '../source-credits.ts'
import { type CurrentIssue, latestForecast, withinHorizon } from './current-issue.ts'
import { exampleIssue, FORECAST_EXAMPLE_URL } from './examples.ts'
import { methodologyUrl, showPrice } from './present.ts'

/** Decisions: "`trend`: `flat` within ±2% of the last observed value". */
const FLAT_WITHIN = 0.02

/** Forecast with its band, day by day. Spec: "Forecast curve". */
export const getForecast = endpoint({
  id: 'getForecast',
  method: 'get',
  path: '/forecast/{asset}',
  tag: 'Forecasts',
  summary: 'Get a forecast curve',
  description:
    'Returns p10, p50 and p90 for every market day of the next 7, 30, 90 or 180 days. The actual price falls ' +
    'between p10 and p90 on 80% of days. The first day is the first market day that had not begun, and whose ' +
    'price was not known, when the forecast was issued. PUN and PSV have one point per day, TTF one per ' +
    'trading day. Where prices have ended, the days after the last of them are replayed: `basis` is `replay`. ' +
    'CSV has one row per day with the columns asset, unit, date, p10, p50 and p90.',
  plan: 'API',
  cache: '1h',
  formats: ['json', 'csv'],
  pathSchema: z.object({ asset: forecastSlug }),
  query: z.object({ horizon: horizonParameter }),
  reply: forecastCurve,
  example: presentCurve(exampleIssue(), 7, FORECAST_EXAMPLE_URL),
  fails: ['no_data'],
  async handle({ path, query, service, today, now }) {
    const issue = await latestForecast({ service, today, now }, requireAssetBySlug(path.asset).code)
    return presentCurve(issue, query.horizon, service.config.baseUrl)
  },
  table: ({ asset, unit, horizon_days, points }) => ({
    filename: `forecast_${asset.toLowerCase()}_${points[0]?.date}_${horizon_days}d`,
    columns: ['asset', 'unit', 'date', 'p10', 'p50', 'p90'],
    rows: points.map((point) => ({ asset, unit, ...point })),
  }),
})

function presentCurve(issue: CurrentIssue, horizonDays: number, baseUrl: URL): ForecastCurve {
  const points = withinHorizon(issue.points, horizonDays)
  const average = points.reduce((sum, { p50 }) => sum + p50, 0) / points.length
  const { sourceIds, price: last } = issue.last
  return {
    asset: issue.asset.code as ForecastCurve['asset'],
    unit: '€/MWh',
    horizon_days: horizonDays,
    generated_at: toUtcIso(issue.issuedAt),
    model: issue.model,
    basis: issue.basis,
    info_date: issue.infoDate,
    count: points.length,
    points: points.map(({ targetDate, p10, p50, p90 }) => ({
      date: targetDate,
      p10: showPrice(p10),
      p50: showPrice(p50),
      p90: showPrice(p90),
    })),
    summary: { avg_p50: showPrice(average), trend: trendOf(average, last), last_value: roundNative(last) },
    methodology: methodologyUrl(baseUrl),
    ...creditsOf(sourceIds, baseUrl),
  }
}

function trendOf(average: number, last: number): (typeof TRENDS)[number] {
  const change = average - last
  if (Math.abs(change) <= FLAT_WITHIN * Math.abs(last)) return 'flat'
  return change > 0 ? 'up' : 'down'
}
