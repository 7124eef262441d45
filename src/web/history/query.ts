/** The query of a history chart: `?range=1y`, `?from=2025-12-01&to=2026-02-28&previous=1`, `?detail=hour&zone=sici&with=nord`. */
import * as z from 'zod'
import { invalidParameter } from '../../api/contract/errors.ts'
import { hourlyZone } from '../../api/contract/hourly.ts'
import { anyCase, marketDay } from '../../api/contract/parameters.ts'
import { PAGES } from '../../api/contract/plans.ts'
import { ASSET_SLUGS, type Asset } from '../../market/assets.ts'
import type { MarketDay } from '../../market/market-day.ts'
import { isBefore, laterOf } from '../../market/time-order.ts'
import { ALL_MARKET_ZONES, NATIONAL_ZONE } from '../../market/zones.ts'

export const RANGES = ['30d', '90d', '1y', '2y', 'all'] as const
export type Range = (typeof RANGES)[number]
const DEFAULT_RANGE: Range = '90d'
/** Calendar days before the end; `all` is the longest history that pages show. */
const RANGE_DAYS: Record<Range, number> = { '30d': 30, '90d': 90, '1y': 365, '2y': 731, all: PAGES.historyDepthDays }
/** A year of hours is the most that a phone draws smoothly. */
const HOURS_DAYS_MAX = 366

/** The series of the chart: an index, or a market zone. */
const SERIES_IDS = [...ASSET_SLUGS, ...ALL_MARKET_ZONES] as const
export type SeriesId = (typeof SERIES_IDS)[number]

export const NO_SECOND_SERIES = 'none'

export const HISTORY_QUERY = z.object({
  range: z.enum(RANGES).optional(),
  from: marketDay.optional(),
  to: marketDay.optional(),
  detail: z.enum(['day', 'hour']).default('day'),
  zone: hourlyZone.default(NATIONAL_ZONE),
  with: anyCase(z.enum([NO_SECOND_SERIES, ...SERIES_IDS])).default(NO_SECOND_SERIES),
  previous: z.literal('1').optional(),
})
type HistoryQuery = z.output<typeof HISTORY_QUERY>

/** The query with its defaults resolved. */
export interface HistoryRequest {
  main: SeriesId
  detail: 'day' | 'hour'
  from: MarketDay
  to: MarketDay
  /** Undefined if the query has `from` or `to`. */
  range: Range | undefined
  other: SeriesId | undefined
  previous: boolean
  /** Whether the span was truncated: too long for hours, or beyond the history of pages. */
  isTruncated: boolean
}

interface HistoryEnd {
  today: MarketDay
  /** Today, or the last stored day if prices have ended. */
  end: MarketDay
}

/** Resolves the defaults. Default end: tomorrow, which may be published already, or the last stored day. Throws `invalid_parameter`. */
export function historyRequest(
  { slug }: Pick<Asset, 'slug'>,
  query: HistoryQuery,
  { today, end }: HistoryEnd,
): HistoryRequest {
  const { detail, zone, previous } = query
  if (slug !== 'pun' && zone !== NATIONAL_ZONE) throw invalidParameter('zone', 'only the PUN has zones')
  if (slug !== 'pun' && detail === 'hour') throw invalidParameter('detail', 'only the PUN has hours')
  const isChosen = query.from !== undefined || query.to !== undefined
  const range = isChosen ? undefined : (query.range ?? DEFAULT_RANGE)
  const to = query.to ?? (end.equals(today) ? today.add({ days: 1 }) : end)
  const start = range === undefined ? (query.from ?? to.subtract({ days: RANGE_DAYS[DEFAULT_RANGE] })) : undefined
  const requestedFrom = start ?? end.subtract({ days: RANGE_DAYS[range as Range] })
  if (isBefore(to, requestedFrom)) throw invalidParameter('from', `must not be after to (${to})`)
  const historyStart = end.subtract({ days: PAGES.historyDepthDays })
  const earliest = detail === 'hour' ? laterOf(historyStart, to.subtract({ days: HOURS_DAYS_MAX })) : historyStart
  const from = laterOf(requestedFrom, earliest)
  const main = zone === NATIONAL_ZONE ? slug : zone
  return {
    main,
    detail,
    from,
    to,
    range,
    other: query.with === NO_SECOND_SERIES || query.with === main ? undefined : query.with,
    previous: previous !== undefined,
    isTruncated: !from.equals(requestedFrom) && range !== 'all',
  }
}

/** Returns the query of the same chart for another URL. */
export function historySearch(
  { main, detail, from, to, range, other, previous }: HistoryRequest,
  { days }: { days: 'range' | 'dates' },
): string {
  const isZone = (ALL_MARKET_ZONES as readonly string[]).includes(main)
  const parameters = {
    ...(days === 'range' && range !== undefined ? { range } : { from: from.toString(), to: to.toString() }),
    ...(detail === 'hour' && { detail }),
    ...(isZone && { zone: main }),
    ...(other && { with: other }),
    ...(previous && { previous: '1' }),
  }
  return `?${new URLSearchParams(parameters)}`
}
