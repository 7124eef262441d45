import * as z from 'zod'
import { type CheapestWindow, cheapestWindow, meanFrom, SLOT_SECONDS } from '../../../market/cheapest-window.ts'
import { counted } from '../../../market/counted.ts'
import { MARKET_TIME_ZONE, toRomeIso } from '../../../market/market-day.ts'
import { roundNative } from '../../../market/price-units.ts'
import { round } from '../../../market/rounding.ts'
import { NATIONAL_ZONE, type ZoneCode } from '../../../market/zones.ts'
import { secondsToPublicationOf } from '../../../publishers/publications.ts'
import {
  type CheapestWindowReply,
  cheapestWindowReply,
  contiguous,
  windowHours,
} from '../../contract/cheapest-window.ts'
import { invalidParameter, noDataBecause } from '../../contract/errors.ts'
import { hourlyZone } from '../../contract/hourly.ts'
import { type ClockSpan, clockSpan, forecastTail, instantOrClock } from '../../contract/parameters.ts'
import { endpoint } from '../../http/endpoint.ts'
import { EXAMPLE_BASE_URL } from '../examples.ts'
import { type PriceCurve, priceCurve } from '../price-curve.ts'
import { missingPrices } from '../pun/missing-prices.ts'
import { creditsOf } from '../source-credits.ts'

/** When to run an appliance or charge a car. */
export const getCheapestWindow = endpoint({
  id: 'getCheapestWindow',
  method: 'get',
  path: '/tools/cheapest-window',
  tag: 'Tools',
  summary: 'Find the cheapest hours',
  description:
    'Returns the cheapest window of `hours` hours among the published prices from the current quarter-hour on,' +
    ' or with `contiguous=false` the cheapest quarter-hours, grouped in blocks. It includes the average price ' +
    'of the window and the saving against starting now and against the mean of its day. The earliest of equal ' +
    'windows is returned. Until tomorrow is published the prices end today; `forecast=tail` appends the hourly' +
    ' forecast.',
  plan: 'Open',
  cache: 'quarter-hour',
  localTimes: true,
  query: z.object({
    hours: windowHours,
    contiguous,
    between: clockSpan.optional().meta({ description: 'Only in this part of each day, by the clock in Rome.' }),
    deadline: instantOrClock
      .optional()
      .meta({ description: 'When it has to be done: the next such time of the clock in Rome, or an instant.' }),
    zone: hourlyZone.default(NATIONAL_ZONE),
    forecast: forecastTail,
  }),
  reply: cheapestWindowReply,
  example: exampleWindow(),
  fails: ['tier_required', 'no_data', 'not_found'],
  async handle({ query, service, today, now, caller }) {
    const { zone, hours: slots } = query
    const context = { service, today, now, caller }
    const curve = await priceCurve(context, { zone, granularity: 'finest', withForecast: query.forecast === 'tail' })
    if (curve.points.length === 0)
      throw await missingPrices({ zone, granularity: 'hour', from: today, to: today }, context)
    const seconds = now.epochMilliseconds / 1000
    const from = seconds - (seconds % SLOT_SECONDS)
    const until = deadlineOf(query.deadline, now)
    if (until !== undefined && until - from < slots * SLOT_SECONDS)
      throw invalidParameter('deadline', `must leave ${counted(slots / 4, 'hour')} from now on`)
    const found = cheapestWindow(curve.points, {
      ...{ slots, isContiguous: query.contiguous, from, until: until ?? Number.POSITIVE_INFINITY },
      isAllowed: allowedBy(query.between),
    })
    if (found === undefined) {
      if (query.contiguous && query.between) refuseShortSpan(slots, query.between)
      const end = toRomeIso(instantAt(curve.points.at(-1)?.endsAt as number))
      const sentence = `The prices known, to ${end}, have no ${counted(slots / 4, 'hour')} that fit.`
      throw noDataBecause(sentence, secondsToPublicationOf(today.add({ days: 1 }), now))
    }
    const fromNow = meanFrom(curve.points, from, slots)
    return presentWindow(
      { zone, slots, contiguous: query.contiguous, fromNow, baseUrl: service.config.baseUrl },
      found,
      curve,
    )
  },
})

function deadlineOf(asked: Temporal.Instant | Temporal.PlainTime | undefined, now: Temporal.Instant) {
  if (asked === undefined) return undefined
  if (asked instanceof Temporal.Instant) return asked.epochMilliseconds / 1000
  const local = now.toZonedDateTimeISO(MARKET_TIME_ZONE)
  const todays = local.withPlainTime(asked)
  const isAhead = Temporal.ZonedDateTime.compare(todays, local) > 0
  const next = isAhead ? todays : local.add({ days: 1 }).withPlainTime(asked)
  return next.epochMilliseconds / 1000
}

/** Throws `invalid_parameter` if the hours fit on no day. Called only if no window was found: the change day in October has an extra hour. */
function refuseShortSpan(slots: number, span: ClockSpan): void {
  const hours = (span.from.until(span.to).total('hours') + 24) % 24
  if (slots / 4 > hours)
    throw invalidParameter('between', `must be at least ${counted(slots / 4, 'hour')} long, unless contiguous is false`)
}

/** Whether the local time of a start is allowed. The repeated hour in October is allowed twice. */
function allowedBy(span: ClockSpan | undefined): (startsAt: number) => boolean {
  if (span === undefined) return () => true
  const [from, to] = [span.from.toString(), span.to.toString()]
  const isOverMidnight = from > to
  return (startsAt) => {
    const clock = instantAt(startsAt).toZonedDateTimeISO(MARKET_TIME_ZONE).toPlainTime().toString()
    return isOverMidnight ? clock >= from || clock < to : clock >= from && clock < to
  }
}

function instantAt(seconds: number): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds(seconds * 1000)
}

interface WindowFacts {
  zone: ZoneCode
  slots: number
  contiguous: boolean
  /** Mean of the same number of quarter-hours, starting with the current one. */
  fromNow: number | undefined
  baseUrl: URL
}

function presentWindow(
  { zone, slots, contiguous, fromNow, baseUrl }: WindowFacts,
  { mean, blocks }: CheapestWindow,
  { points, dayMeans, sourceIds }: PriceCurve,
): CheapestWindowReply {
  const at = (seconds: number) => toRomeIso(instantAt(seconds))
  const [first, last] = [blocks[0] as (typeof blocks)[number], blocks.at(-1) as (typeof blocks)[number]]
  const date = points[first.first]?.date as string
  const ofDay = dayMeans.get(date)
  return {
    zone,
    unit: '€/MWh',
    timezone: MARKET_TIME_ZONE,
    hours: slots / 4,
    contiguous,
    starts_at: at(first.startsAt),
    ends_at: at(last.endsAt),
    mean: roundNative(mean),
    blocks: blocks.map((block) => ({
      starts_at: at(block.startsAt),
      ends_at: at(block.endsAt),
      mean: roundNative(block.mean),
      price: kindOf(points.slice(block.first, block.last + 1)),
    })),
    ...(fromNow !== undefined && { now: { mean: roundNative(fromNow), ...savingOf(mean, fromNow) } }),
    ...(ofDay !== undefined && { day: { date, mean: roundNative(ofDay), ...savingOf(mean, ofDay) } }),
    known_until: at(points.at(-1)?.endsAt as number),
    ...creditsOf(sourceIds, baseUrl),
  }
}

function kindOf(points: PriceCurve['points']): CheapestWindowReply['blocks'][number]['price'] {
  const kinds = new Set(points.map(({ isForecast }) => isForecast))
  if (kinds.size > 1) return 'both'
  return kinds.has(true) ? 'forecast' : 'published'
}

/** A percentage of a zero or negative price is meaningless. */
function savingOf(mean: number, other: number) {
  return {
    saves: roundNative(other - mean),
    ...(other > 0 && { saves_pct: round((100 * (other - mean)) / other, 2) }),
  }
}

function exampleWindow(): CheapestWindowReply {
  const midnight = Date.UTC(2026, 10, 21, 23) / 1000
  const prices = [98.4, 90.1, 61.2, 63.16, 99.3]
  const points = prices.map((price, i) => ({
    ...{ date: '2026-11-22', price, isForecast: false },
    ...{ startsAt: midnight + i * 3600, endsAt: midnight + (i + 1) * 3600 },
  }))
  const found = cheapestWindow(points, {
    ...{ slots: 8, isContiguous: true, from: midnight, until: Number.POSITIVE_INFINITY },
    isAllowed: () => true,
  })
  return presentWindow(
    { zone: NATIONAL_ZONE, slots: 8, contiguous: true, fromNow: 103.68, baseUrl: EXAMPLE_BASE_URL },
    found as CheapestWindow,
    { points, dayMeans: new Map([['2026-11-22', 98.4]]), sourceIds: ['gme-mgp'] },
  )
}
