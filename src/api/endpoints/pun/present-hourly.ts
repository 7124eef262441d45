/** Stored intervals as the contract shows them. */

import type { MarketDay } from '../../../market/market-day.ts'
import { GRANULARITIES, type Granularity, MARKET_TIME_ZONE, msToRomeIso } from '../../../market/market-day.ts'
import { roundNative } from '../../../market/price-units.ts'
import type { IntervalsOfDay, ZoneIntervals } from '../../../store/zone-prices.ts'
import type { HourlyDay, HourlyInterval } from '../../contract/hourly.ts'
import { attributionText, sourceNames } from '../source-credits.ts'

export interface HourlyRequest {
  zone: HourlyDay['zone']
  granularity: Granularity
  asOf?: Temporal.Instant | undefined
  baseUrl: URL
}

export function presentHourlyDay(request: HourlyRequest, day: IntervalsOfDay, found: ZoneIntervals): HourlyDay {
  const { zone, unit, timezone, as_of, source, attribution } = headOf(request, found)
  const { date, ...body } = presentDay(request.granularity, day)
  return { zone, date, unit, timezone, ...(as_of && { as_of }), ...body, source, attribution }
}

export function presentHourlyInterval(
  request: HourlyRequest,
  span: { from: MarketDay; to: MarketDay },
  found: ZoneIntervals,
): HourlyInterval {
  const { zone, unit, timezone, as_of, source, attribution } = headOf(request, found)
  const days = found.days.map((day) => presentDay(request.granularity, day))
  const allComplete = days.every((day) => day.count === day.expected)
  const stats = found.stats ?? { min: Number.NaN, max: Number.NaN, avg: Number.NaN }
  return {
    zone,
    from: span.from.toString(),
    to: span.to.toString(),
    unit,
    timezone,
    ...(as_of && { as_of }),
    count: days.length,
    days,
    stats: presentStats(stats, allComplete),
    source,
    attribution,
  }
}

export function headOf({ zone, asOf, baseUrl }: Omit<HourlyRequest, 'granularity'>, { sourceIds }: ZoneIntervals) {
  const source = sourceNames(sourceIds)
  return {
    zone,
    unit: '€/MWh',
    timezone: MARKET_TIME_ZONE,
    as_of: asOf?.toString(),
    source,
    attribution: attributionText(sourceIds, baseUrl),
  } as const
}

function presentDay(granularity: Granularity, day: IntervalsOfDay): HourlyInterval['days'][number] {
  const count = day.intervals.length
  const spans = presentSpans(day.intervals, granularity)
  const rows = day.intervals.map(({ ordinal, hour, price, band }, i) => ({
    ...(granularity === 'quarter' && { quarter: ordinal }),
    hour,
    ...(spans[i] as (typeof spans)[number]),
    value: roundNative(price),
    band,
  }))
  return {
    date: day.date,
    count,
    expected: day.expected,
    ...(granularity === 'quarter' ? { quarters: rows as HourlyDay['quarters'] } : { hours: rows }),
    cheapest_hours: day.cheapestHours,
    stats: presentStats(day.stats, count === day.expected),
  }
}

/** Start and end (exclusive) of each interval. Most ends equal the next start and need not be computed. */
export function presentSpans(intervals: readonly { startsAtEpoch: number }[], granularity: Granularity) {
  const seconds = GRANULARITIES[granularity] * 60
  const starts = intervals.map(({ startsAtEpoch }) => romeIso(startsAtEpoch))
  return intervals.map(({ startsAtEpoch }, i) => {
    const endsAtEpoch = startsAtEpoch + seconds
    const isNext = intervals[i + 1]?.startsAtEpoch === endsAtEpoch
    return { starts_at: starts[i] as string, ends_at: isNext ? (starts[i + 1] as string) : romeIso(endsAtEpoch) }
  })
}

function romeIso(epochSeconds: number): string {
  return msToRomeIso(epochSeconds * 1000)
}

function presentStats({ min, max, avg }: { min: number; max: number; avg: number }, whole: boolean) {
  return { min: roundNative(min), max: roundNative(max), ...(whole && { avg: roundNative(avg) }) }
}
