/** Stored intervals as the contract shows them. */
import type { HourlyDay, HourlyInterval } from '../../contract/hourly.ts'
import type { MarketDay } from '../../domain/market-day.ts'
import { GRANULARITIES, type Granularity, MARKET_TIME_ZONE, toRomeIso } from '../../domain/market-day.ts'
import { toNative } from '../../domain/price-units.ts'
import type { IntervalsOfDay, ZoneIntervals } from '../../store/zone-prices.ts'
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
  const whole = days.every((day) => day.count === day.expected)
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
    stats: presentStats(stats, whole),
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
  const rows = day.intervals.map(({ ordinal, hour, startsAtEpoch, price, band }) => ({
    ...(granularity === 'quarter' && { quarter: ordinal }),
    hour,
    ...presentSpan(startsAtEpoch, granularity),
    value: toNative(price),
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

/** From its start, seconds since 1970, to its end, which is not included. */
export function presentSpan(startsAtEpoch: number, granularity: Granularity) {
  const startsAt = Temporal.Instant.fromEpochMilliseconds(startsAtEpoch * 1000)
  const endsAt = startsAt.add({ minutes: GRANULARITIES[granularity] })
  return { starts_at: toRomeIso(startsAt), ends_at: toRomeIso(endsAt) }
}

function presentStats({ min, max, avg }: { min: number; max: number; avg: number }, whole: boolean) {
  return { min: toNative(min), max: toNative(max), ...(whole && { avg: toNative(avg) }) }
}
