import * as z from 'zod'
import { ASSETS, type Asset, hasConsumerUnit, requireAssetBySlug } from '../../../market/assets.ts'
import { roundNative, toEurKwh } from '../../../market/price-units.ts'
import type { DailySeries as StoredSeries } from '../../../store/prices.ts'
import { invalidParameter } from '../../contract/errors.ts'
import { INTERVAL_TRUNCATED } from '../../contract/headers.ts'
import { asOf, assetSlug, marketDay, refuseFuture } from '../../contract/parameters.ts'
import { type DailySeries, dailySeries, type SeriesUnit, seriesUnit } from '../../contract/series.ts'
import { date, number, text } from '../../contract/table.ts'
import { endpoint } from '../../http/endpoint.ts'
import { latestStored } from '../current-price.ts'
import { EXAMPLE_BASE_URL } from '../examples.ts'
import { attributionText, sourceNames } from '../source-credits.ts'
import { resolveInterval, type TruncatedInterval, truncateToPlan } from './interval.ts'

/** Daily prices of an index over an interval, as JSON, CSV or Arrow. Spec: "Daily series", "GET /prices/{asset}/series". */
export const getPricesSeries = endpoint({
  id: 'getPricesSeries',
  method: 'get',
  path: '/prices/{asset}/series',
  tag: 'History',
  summary: 'Get a daily series',
  description:
    'Returns daily prices from `from` to `to`, both included. Incomplete days have no point. Intervals are ' +
    'truncated to the history of your plan; `truncated` and the header `X-Interval-Truncated` report it. If ' +
    'the interval has no price, `last_day` is the last day that has one. `as_of` returns the prices as they ' +
    'were known at an instant, before later corrections. CSV and Arrow (API plan) have one row per day with ' +
    'the columns asset, unit, date, value and, where a day has one, basis.',
  plan: 'Open',
  cache: '1h',
  formats: ['json', 'csv', 'arrow'],
  formatsByPlan: true,
  pathSchema: z.object({ asset: assetSlug }),
  query: z.object({
    from: marketDay.optional().meta({
      description: 'First day. Default: 30 days ago, or 30 days before `to` where that is earlier.',
      example: '2026-10-22',
    }),
    to: marketDay.optional().meta({ description: 'Last day, inclusive. Default: today.', example: '2026-11-21' }),
    unit: seriesUnit,
    as_of: asOf,
  }),
  reply: dailySeries,
  example: exampleSeries(),
  fails: ['tier_required'],
  async handle({ path, query, service, caller, today, now }) {
    const asset = requireAssetBySlug(path.asset)
    const { unit } = query
    if (unit === 'kwh' && !hasConsumerUnit(asset)) {
      throw invalidParameter('unit', `kwh does not exist for ${asset.code}, whose prices are in ${asset.nativeUnit}`)
    }
    refuseFuture(query.as_of, now)
    const interval = truncateToPlan(resolveInterval(query, today), caller, today)
    const prices = await service.prices.series(asset.code, interval, query.as_of)
    const reply = presentSeries({ asset, unit, interval, asOf: query.as_of }, prices, service.config.baseUrl)
    // The contract fixes the default interval, so it may lie after the end of the stored history.
    const isEmpty = reply.count === 0 && query.as_of === undefined
    const last = isEmpty ? await latestStored(service.prices, asset.code, today) : undefined
    return last ? { ...reply, last_day: last.day } : reply
  },
  headerNames: [INTERVAL_TRUNCATED],
  headers: ({ required_tier: plan }) => (plan === undefined ? [] : [INTERVAL_TRUNCATED, plan]),
  table: ({ asset, unit, from, to, points }) => ({
    filename: `${asset.toLowerCase()}_${from}_${to}`,
    columns: [
      ...[text('asset'), text('unit'), date('date'), number('value')],
      ...(points.some(({ basis }) => basis) ? [text('basis')] : []),
    ],
    rows: points.map((point) => ({ asset, unit, ...point })),
  }),
})

interface SeriesRequest {
  asset: Asset
  unit: SeriesUnit
  interval: TruncatedInterval
  asOf: Temporal.Instant | undefined
}

function presentSeries(
  { asset, unit, interval, asOf }: SeriesRequest,
  { points, stats, sourceIds }: StoredSeries,
  baseUrl: URL,
): DailySeries {
  const show = unit === 'kwh' ? toEurKwh : roundNative
  return {
    asset: asset.code,
    unit: unit === 'kwh' ? asset.unit : asset.nativeUnit,
    from: interval.from.toString(),
    to: interval.to.toString(),
    ...(interval.requiredTier && { truncated: true as const, required_tier: interval.requiredTier }),
    ...(asOf && { as_of: asOf.toString() }),
    count: points.length,
    points: points.map(({ date, price, basis }) => ({ date, value: show(price), ...(basis && { basis }) })),
    ...(stats && { stats: { min: show(stats.min), max: show(stats.max), avg: show(stats.avg) } }),
    ...(sourceIds.length > 0 && { source: sourceNames(sourceIds) }),
    attribution: attributionText(sourceIds, baseUrl),
  }
}

function exampleSeries(): DailySeries {
  const interval = {
    from: Temporal.PlainDate.from('2026-11-20'),
    to: Temporal.PlainDate.from('2026-11-21'),
    requiredTier: undefined,
  }
  const prices = {
    points: [
      { date: '2026-11-20', price: 121.06 },
      { date: '2026-11-21', price: 118.43 },
    ],
    stats: { min: 118.43, max: 121.06, avg: 119.745 },
    sourceIds: ['gme-mgp'],
  }
  return presentSeries({ asset: ASSETS.PUN, unit: 'mwh', interval, asOf: undefined }, prices, EXAMPLE_BASE_URL)
}
