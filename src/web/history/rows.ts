/** The series of a chart as one table: a row per day or hour, a column per series. */
import type { DailySeries } from '../../api/contract/series.ts'
import { getPricesSeries } from '../../api/endpoints/prices/get-series.ts'
import { sourceNames } from '../../api/endpoints/source-credits.ts'
import type { Service } from '../../api/http/service.ts'
import { ASSETS, type AssetSlug, assetBySlug } from '../../market/assets.ts'
import { hoursInMarketDay, type MarketDay, startOfMarketDay, toRomeIso } from '../../market/market-day.ts'
import { roundNative } from '../../market/price-units.ts'
import { mean } from '../../market/scenarios/months.ts'
import { isZoneCode, NATIONAL_ZONE } from '../../market/zones.ts'
import type { IntervalsOfDay } from '../../store/zone-prices.ts'
import type { AskEndpoint } from '../page.ts'
import type { HistoryRequest, SeriesId } from './query.ts'

/** The offset of hours a year earlier: 52 weeks, so that weekdays match. */
const YEAR_OFFSET_DAYS = 364

export interface HistoryColumn {
  id: SeriesId
  unit: string
  /** Whether the column is the previous year, drawn over the current dates. */
  isPrevious: boolean
}

export interface History {
  columns: HistoryColumn[]
  /** `at`: the market day, or the start of the hour with its offset. In chronological order; the first value is that of the main series. */
  rows: { at: string; values: (number | undefined)[] }[]
  /** Statistics of the first column; undefined if it has no values. */
  stats: { avg: number; min: number; max: number } | undefined
  /** Number of days for which the first column has only a daily mean. */
  dailyMeans: number
  source: string | undefined
}

interface DataSources {
  ask: AskEndpoint
  service: Service
}

interface Series {
  points: { at: string; value: number }[]
  stats?: History['stats']
  source: string | undefined
  dailyMeans?: number
}

type Span = Pick<HistoryRequest, 'detail' | 'from' | 'to'>

export async function historyRows(request: HistoryRequest, sources: DataSources): Promise<History> {
  const { main, other, previous } = request
  const [series, second, earlier] = await Promise.all([
    seriesOf(main, request, sources),
    other && seriesOf(other, request, sources),
    previous ? yearBefore(main, request, sources) : undefined,
  ])
  const all = [series, ...(earlier ? [earlier] : []), ...(second ? [second] : [])]
  const column = (id: SeriesId, isPrevious = false): HistoryColumn => ({ id, unit: unitOf(id), isPrevious })
  return {
    columns: [column(main), ...(earlier ? [column(main, true)] : []), ...(other ? [column(other)] : [])],
    rows: merged(all.map(({ points }) => points)),
    stats: series.stats ?? statsOf(series.points),
    dailyMeans: series.dailyMeans ?? 0,
    source: [...new Set(all.flatMap(({ source }) => source?.split('; ') ?? []))].join('; ') || undefined,
  }
}

function unitOf(id: SeriesId): string {
  return assetBySlug(id)?.nativeUnit ?? ASSETS.PUN.nativeUnit
}

function seriesOf(id: SeriesId, span: Span, { ask, service }: DataSources): Promise<Series> {
  const zone = isZoneCode(id) ? id : NATIONAL_ZONE
  if (span.detail === 'hour' && (isZoneCode(id) || id === 'pun')) return zoneHours(zone, span, service)
  return isZoneCode(id) ? zoneDays(zone, span, service) : indexDays(id, span, ask)
}

async function indexDays(slug: AssetSlug, { detail, from, to }: Span, ask: AskEndpoint): Promise<Series> {
  const query = { from: from.toString(), to: to.toString() }
  const { points, stats, source } = await ask<DailySeries>(getPricesSeries, { path: { asset: slug }, query })
  const at = (date: string) => (detail === 'day' ? date : toRomeIso(startOfMarketDay(Temporal.PlainDate.from(date))))
  return {
    points: points.map(({ date, value }) => ({ at: at(date), value })),
    stats,
    source,
    dailyMeans: points.filter(({ basis }) => basis).length,
  }
}

type Zone = Parameters<Service['zones']['intervals']>[0]

async function zoneDays(zone: Zone, { from, to }: Span, { zones }: Service): Promise<Series> {
  const { points, sourceIds } = await zones.daily(zone, { from, to })
  return {
    points: points.map(({ date, price }) => ({ at: date, value: roundNative(price) })),
    source: sourceNames(sourceIds) || undefined,
  }
}

async function zoneHours(zone: Zone, { from, to }: Span, { zones }: Service): Promise<Series> {
  const { days, sourceIds } = await zones.intervals(zone, 'hour', { from, to })
  return {
    points: days.flatMap((day) => hoursOfDay(Temporal.PlainDate.from(day.date), day)),
    source: sourceNames(sourceIds) || undefined,
  }
}

/** Returns days a calendar year earlier, or hours 52 weeks earlier so that Sundays match, moved to the dates of the span. */
async function yearBefore(id: SeriesId, { detail, from, to }: Span, sources: DataSources): Promise<Series> {
  if (detail === 'hour') return hoursBefore(isZoneCode(id) ? id : NATIONAL_ZONE, { from, to }, sources.service)
  const span = { detail, from: from.subtract({ years: 1 }), to: to.subtract({ years: 1 }) }
  const { points, source } = await seriesOf(id, span, sources)
  // 29 February moves to 28 February too; the value of 28 February takes precedence.
  const shown = points.map(({ at, value }) => ({ at: Temporal.PlainDate.from(at).add({ years: 1 }).toString(), value }))
  return { points: shown.filter(({ at }, i) => at !== shown[i - 1]?.at), source }
}

async function hoursBefore(zone: Zone, { from, to }: Omit<Span, 'detail'>, { zones }: Service): Promise<Series> {
  const days = { days: YEAR_OFFSET_DAYS }
  const found = await zones.intervals(zone, 'hour', { from: from.subtract(days), to: to.subtract(days) })
  const points = found.days.flatMap((day) => hoursOfDay(Temporal.PlainDate.from(day.date).add(days), day))
  return { points, source: sourceNames(found.sourceIds) || undefined }
}

/** Places the hours of a day on another market day; drops the 25th hour if that day has 24. */
function hoursOfDay(day: MarketDay, { intervals }: IntervalsOfDay): Series['points'] {
  const expected = hoursInMarketDay(day)
  const start = startOfMarketDay(day)
  return intervals
    .filter(({ ordinal }) => ordinal <= expected)
    .map(({ ordinal, price }) => ({ at: toRomeIso(start.add({ hours: ordinal - 1 })), value: roundNative(price) }))
}

function merged(series: readonly Series['points'][]): History['rows'] {
  const rows = new Map<string, (number | undefined)[]>()
  series.forEach((points, column) => {
    for (const { at, value } of points) {
      const values = rows.get(at) ?? Array<number | undefined>(series.length).fill(undefined)
      values[column] = value
      rows.set(at, values)
    }
  })
  const millis = new Map([...rows.keys()].map((at) => [at, Date.parse(at)]))
  return [...rows]
    .map(([at, values]) => ({ at, values }))
    .sort((a, b) => (millis.get(a.at) as number) - (millis.get(b.at) as number))
}

function statsOf(points: Series['points']): History['stats'] {
  if (points.length === 0) return undefined
  const values = points.map(({ value }) => value)
  return { avg: mean(values), min: Math.min(...values), max: Math.max(...values) }
}
