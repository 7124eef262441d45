import * as z from 'zod'
import { GRANULARITIES, type Granularity, intervalStart, toRomeIso } from '../../../market/market-day.ts'
import { priceLevel, priceRanks } from '../../../market/price-level.ts'
import { roundNative } from '../../../market/price-units.ts'
import { NATIONAL_ZONE } from '../../../market/zones.ts'
import { secondsToPublicationOf } from '../../../publishers/publications.ts'
import type { IntervalsOfDay, ZoneIntervals } from '../../../store/zone-prices.ts'
import { noData } from '../../contract/errors.ts'
import { granularity, hourlyZone } from '../../contract/hourly.ts'
import { type NowAndNext, nowAndNext } from '../../contract/now-and-next.ts'
import { endpoint } from '../../http/endpoint.ts'
import { EXAMPLE_BASE_URL } from '../examples.ts'
import { missingPrices } from './missing-prices.ts'
import { headOf, presentSpans } from './present-hourly.ts'

const query = z.object({ zone: hourlyZone.default(NATIONAL_ZONE), granularity: granularity.default('hour') })

/** The current interval and all published ones after it. */
export const getNowAndNext = endpoint({
  id: 'getNowAndNext',
  method: 'get',
  path: '/pun/now-and-next',
  tag: 'Day-ahead market',
  summary: 'Get current and upcoming prices',
  description:
    'Returns the prices from the current hour or quarter-hour to the last published one: the end of today, or ' +
    'of tomorrow from midday on. Each has its start and end, its tariff band, its rank among the prices of its' +
    ' day, and a level: low, normal or high. The response is valid until the current quarter-hour ends. CSV ' +
    'has one row per interval.',
  plan: 'Open',
  cache: 'quarter-hour',
  localTimes: true,
  formats: ['json', 'csv'],
  query,
  reply: nowAndNext,
  example: exampleNowAndNext(),
  fails: ['no_data', 'not_found'],
  async handle({ query, service, today, now }) {
    const { zone, granularity } = query
    const span = { from: today, to: today.add({ days: 1 }) }
    const found = await service.zones.intervals(zone, granularity, span)
    const reply = presentNowAndNext({ zone, granularity, now, baseUrl: service.config.baseUrl }, found)
    if (reply.intervals[0]?.current) return reply
    if (found.days[0]?.date !== today.toString())
      throw await missingPrices({ ...query, from: today, to: today }, { service, today, now })
    throw noData(`The price of ${zone} at ${toRomeIso(now)}`, secondsToPublicationOf(today, now))
  },
  table: ({ zone, unit, granularity, intervals }) => ({
    filename: `pun_now_and_next_${zone}_${granularity}`,
    columns: ['zone', 'unit', 'date', 'starts_at', 'ends_at', 'value', 'band', 'rank', 'level', 'current'],
    rows: intervals.map((interval) => ({ zone, unit, ...interval })),
  }),
})

interface NowAndNextRequest {
  zone: NowAndNext['zone']
  granularity: Granularity
  now: Temporal.Instant
  baseUrl: URL
}

function presentNowAndNext(request: NowAndNextRequest, found: ZoneIntervals): NowAndNext {
  const { zone, unit, timezone, source, attribution } = headOf(request, found)
  const intervals = found.days.flatMap((day) => presentAhead(request, day))
  return {
    zone,
    unit,
    timezone,
    granularity: request.granularity,
    count: intervals.length,
    intervals,
    source,
    attribution,
  }
}

/** Intervals of the day that have not ended. */
function presentAhead({ granularity, now }: NowAndNextRequest, day: IntervalsOfDay): NowAndNext['intervals'] {
  const { date, intervals, expected, stats } = day
  const seconds = GRANULARITIES[granularity] * 60
  const nowEpoch = now.epochMilliseconds / 1000
  const ranks = intervals.length === expected ? priceRanks(intervals.map(({ price }) => roundNative(price))) : undefined
  const spans = presentSpans(intervals, granularity)
  return intervals.flatMap(({ startsAtEpoch, price, band }, i) => {
    if (startsAtEpoch + seconds <= nowEpoch) return []
    const value = roundNative(price)
    return {
      date,
      ...(spans[i] as (typeof spans)[number]),
      value,
      band,
      ...(ranks && { rank: ranks[i], level: priceLevel(value, roundNative(stats.avg)) }),
      current: startsAtEpoch <= nowEpoch,
    }
  })
}

function exampleNowAndNext(): NowAndNext {
  const day = Temporal.PlainDate.from('2026-11-21')
  const prices = [118.4, 99.87, 97.3]
  const intervals = prices.map((price, i) => {
    const startsAtEpoch = intervalStart(day, 22 + i, 60).epochMilliseconds / 1000
    return { ordinal: 22 + i, hour: 22 + i, startsAtEpoch, price, band: 'F2' as const }
  })
  const stats = { min: 97.3, max: 118.4, avg: 105.19 }
  const found = { date: day.toString(), intervals, expected: 3, cheapestHours: [24, 23, 22], stats }
  const now = Temporal.Instant.from('2026-11-21T21:10:00Z')
  const request = { zone: NATIONAL_ZONE, granularity: 'hour', now, baseUrl: EXAMPLE_BASE_URL } as const
  return presentNowAndNext(request, { days: [found], stats, sourceIds: ['gme-mgp'] })
}
