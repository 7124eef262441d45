import icalendar, { ICalEventTransparency } from 'ical-generator'
import * as z from 'zod'
import { cheapestWindow, type WindowBlock } from '../../../market/cheapest-window.ts'
import { startOfMarketDay } from '../../../market/market-day.ts'
import { round } from '../../../market/rounding.ts'
import { NATIONAL_ZONE } from '../../../market/zones.ts'
import { contiguous, windowHours } from '../../contract/cheapest-window.ts'
import { type CalendarFeed, calendarFeed, feedQuery } from '../../contract/feeds.ts'
import { SERVICE_NAME } from '../../contract/identity.ts'
import { endpoint } from '../../http/endpoint.ts'
import { EXAMPLE_BASE_URL } from '../examples.ts'
import { attributionText } from '../source-credits.ts'
import { type ConsumerPrice, consumerPrices, examplePrices, romeIso } from './consumer-prices.ts'

const REFRESH_SECONDS = 3600
const HOURS_DEFAULT = 3

/** The cheapest hours of each day as events of a calendar (RFC 5545). */
export const getCalendarFeed = endpoint({
  id: 'getCalendarFeed',
  method: 'get',
  path: '/feeds/calendar',
  tag: 'Feeds',
  summary: 'Get a calendar of cheap hours',
  description:
    'Returns the cheapest `hours` of today, of tomorrow once it is published, and of forecast days on request,' +
    ' as JSON or, with `format=ics`, as an iCalendar feed. Calendar programs cannot set headers: pass the key ' +
    'as the `key` query parameter. Zones and the forecast need the API plan.',
  plan: 'Developer',
  openLocally: true,
  cache: 'quarter-hour',
  formats: ['json', 'ics'],
  query: z.object({
    ...feedQuery,
    hours: windowHours.default(HOURS_DEFAULT * 4).meta({
      description: 'How many hours of each day.',
      example: '3',
      override: {
        type: 'number',
        minimum: 0.25,
        maximum: 24,
        multipleOf: 0.25,
        default: HOURS_DEFAULT,
        example: HOURS_DEFAULT,
      },
    }),
    contiguous,
  }),
  reply: calendarFeed,
  example: present(
    { zone: NATIONAL_ZONE, slots: 4, contiguous: true },
    { prices: examplePrices(), sourceIds: ['gme-mgp'] },
    EXAMPLE_BASE_URL,
  ),
  fails: ['no_data', 'not_found'],
  async handle({ query, service, today, now, caller }) {
    const found = await consumerPrices({ service, today, now, caller }, query)
    return present({ ...query, slots: query.hours }, found, service.config.baseUrl)
  },
  ics: toCalendar,
})

interface HoursRequest {
  zone: CalendarFeed['zone']
  /** Quarter-hours per day. */
  slots: number
  contiguous: boolean
}

function present(
  { zone, slots, contiguous }: HoursRequest,
  { prices, sourceIds }: { prices: readonly ConsumerPrice[]; sourceIds: string[] },
  baseUrl: URL,
): CalendarFeed {
  const days = Map.groupBy(prices, ({ date }) => date)
  const events = [...days].flatMap(([date, ofDay]) => {
    const curve = ofDay.map(({ startsAt, endsAt, value }) => ({ startsAt, endsAt, price: value }))
    const window = cheapestWindow(curve, {
      ...{ slots, isContiguous: contiguous, from: 0, until: Number.POSITIVE_INFINITY },
      isAllowed: () => true,
    })
    const isForecast = ofDay[0]?.isForecast === true
    return (window?.blocks ?? []).map((block) => presentEvent(date, block, isForecast))
  })
  return { zone, unit: '€/kWh', events, attribution: attributionText(sourceIds, baseUrl) }
}

function presentEvent(date: string, { startsAt, endsAt, mean }: WindowBlock, isForecast: boolean) {
  return {
    date,
    start: romeIso(startsAt),
    end: romeIso(endsAt),
    mean: round(mean, 6),
    price: isForecast ? ('forecast' as const) : ('published' as const),
  }
}

/** Returns the same bytes for the same prices: an event is stamped with the start of its day, not the instant of the request. */
function toCalendar({ zone, events, attribution }: CalendarFeed): { filename: string; text: string } {
  const calendar = icalendar({
    name: `${SERVICE_NAME}: ${zone}`,
    prodId: { company: SERVICE_NAME, product: 'cheapest hours' },
    ttl: REFRESH_SECONDS,
  })
  for (const { date, start, end, mean, price } of events) {
    const startsAt = Temporal.Instant.from(start).epochMilliseconds
    calendar.createEvent({
      id: `${zone}-${startsAt}@cheapest-hours`,
      stamp: new Date(startOfMarketDay(Temporal.PlainDate.from(date)).epochMilliseconds),
      start: new Date(startsAt),
      end: new Date(Temporal.Instant.from(end).epochMilliseconds),
      summary: `${mean.toFixed(3)} €/kWh${price === 'forecast' ? ' (forecast)' : ''}`,
      description: attribution,
      transparency: ICalEventTransparency.TRANSPARENT,
    })
  }
  return { filename: `cheapest_hours_${zone}`, text: calendar.toString() }
}
