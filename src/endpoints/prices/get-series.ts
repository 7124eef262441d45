import * as z from 'zod'
import { ASSETS, type Asset, assetBySlug, hasConsumerUnit } from '../../contract/assets.ts'
import { invalidParameter } from '../../contract/errors.ts'
import { assetSlug, marketDay } from '../../contract/parameters.ts'
import { type DailySeries, dailySeries, type SeriesUnit, seriesUnit } from '../../contract/series.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { DailySeries as StoredSeries } from '../../store/prices.ts'
import { EXAMPLE_BASE_URL } from '../examples.ts'
import { toEurKwh, toNative } from '../price-units.ts'
import { attributionText, sourceNames } from '../source-credits.ts'
import { type Interval, resolveInterval } from './interval.ts'

/** Daily prices of an index over an interval, as JSON or CSV. Spec: "Daily series", "GET /prices/{asset}/series". */
export const getPricesSeries = endpoint({
  id: 'getPricesSeries',
  method: 'get',
  path: '/prices/{asset}/series',
  tag: 'History',
  summary: 'Daily series of an index',
  description:
    'Daily prices from `from` to `to`, both included. Days whose price is not complete have no point; an interval that begins ' +
    'before the data does gets what there is. CSV has one row per day with the columns asset, unit, date and value.',
  plan: 'Open',
  status: 'live',
  cache: '1h',
  formats: ['json', 'csv'],
  pathSchema: z.object({ asset: assetSlug }),
  query: z.object({
    from: marketDay.optional().meta({
      description: 'First day. Default: 30 days ago, or 30 days before `to` where that is earlier.',
      example: '2026-10-22',
    }),
    to: marketDay.optional().meta({ description: 'Last day, inclusive. Default: today.', example: '2026-11-21' }),
    unit: seriesUnit,
  }),
  reply: dailySeries,
  example: exampleSeries(),
  fails: ['tier_required'],
  async handle({ path, query, service, today }) {
    const asset = assetOf(path.asset)
    const { unit } = query
    if (unit === 'kwh' && !hasConsumerUnit(asset)) {
      throw invalidParameter('unit', `kwh does not exist for ${asset.code}, whose prices are in ${asset.nativeUnit}`)
    }
    // The plan's depth (caller.historyDepthDays) is to cut the interval here; for now everybody has the complete history.
    const interval = resolveInterval(query, today)
    const prices = await service.prices.series(asset.code, interval)
    return presentSeries(asset, unit, interval, prices, service.config.baseUrl)
  },
  csv: ({ asset, unit, from, to, points }) => ({
    filename: `${asset.toLowerCase()}_${from}_${to}`,
    columns: ['asset', 'unit', 'date', 'value'],
    rows: points.map((point) => ({ asset, unit, ...point })),
  }),
})

function assetOf(slug: string): Asset {
  const asset = assetBySlug(slug)
  if (!asset) throw new Error(`no asset has the slug ${slug}`)
  return asset
}

function presentSeries(
  asset: Asset,
  unit: SeriesUnit,
  interval: Interval,
  { points, stats, sourceIds }: StoredSeries,
  baseUrl: URL,
): DailySeries {
  const show = unit === 'kwh' ? toEurKwh : toNative
  return {
    asset: asset.code,
    unit: unit === 'kwh' ? asset.unit : asset.nativeUnit,
    from: interval.from.toString(),
    to: interval.to.toString(),
    count: points.length,
    points: points.map(({ date, price }) => ({ date, value: show(price) })),
    ...(stats && { stats: { min: show(stats.min), max: show(stats.max), avg: show(stats.avg) } }),
    ...(sourceIds.length > 0 && { source: sourceNames(sourceIds) }),
    attribution: attributionText(sourceIds, baseUrl),
  }
}

function exampleSeries(): DailySeries {
  const interval = { from: Temporal.PlainDate.from('2026-11-20'), to: Temporal.PlainDate.from('2026-11-21') }
  const prices = {
    points: [
      { date: '2026-11-20', price: 121.06 },
      { date: '2026-11-21', price: 118.43 },
    ],
    stats: { min: 118.43, max: 121.06, avg: 119.745 },
    sourceIds: ['gme-mgp'],
  }
  return presentSeries(ASSETS.PUN, 'mwh', interval, prices, EXAMPLE_BASE_URL)
}
