import { describe, expect, it } from 'vitest'
import { makeFetcher } from '../../../src/publishers/fetcher.ts'
import { latestDueDay, momentToInstant, nextAttemptAt, type Schedule } from '../../../src/publishers/schedule.ts'
import { FETCHED_PUBLISHERS, sourceDefinition } from '../../../src/publishers/sources.ts'
import { readConfig } from '../../../src/service/config/config.ts'

function scheduleOf(id: string, env: Record<string, string> = {}): Schedule {
  const config = readConfig({
    SOURCES: id,
    ENTSOE_TOKEN: 'token',
    EIA_API_KEY: 'key',
    TERNA_CLIENT_ID: 'id',
    TERNA_CLIENT_SECRET: 'secret',
    ...env,
  }).sources
  const fetcher = makeFetcher(sourceDefinition(id), config)
  if (fetcher === undefined || 'off' in fetcher) throw new Error(`${id} is off`)
  return fetcher
}

const gme = scheduleOf('gme-mgp')
const brent = scheduleOf('eia-brent')
const day = Temporal.PlainDate.from
const instant = Temporal.Instant.from
const requestedFrom = ({ askFrom }: Schedule, market: Temporal.PlainDate) => momentToInstant(market, askFrom)
const lateFrom = ({ lateAt }: Schedule, market: Temporal.PlainDate) => momentToInstant(market, lateAt)

describe('the day-ahead market', () => {
  it.each([
    ['2026-01-15', '2026-01-14T11:55:00Z'],
    ['2026-07-15', '2026-07-14T10:55:00Z'],
    ['2026-03-29', '2026-03-28T11:55:00Z'], // the change day, published in winter time
    ['2026-03-30', '2026-03-29T10:55:00Z'], // published on the change day, in summer time
    ['2026-10-25', '2026-10-24T10:55:00Z'],
    ['2026-10-26', '2026-10-25T11:55:00Z'],
  ])('%s is requested from 12:55 in Rome on the day before', (market, expected) => {
    const requested = requestedFrom(gme, day(market))
    expect(requested.toString()).toBe(expected)
    expect(requested.until(lateFrom(gme, day(market))).total('minutes')).toBe(125)
  })

  it.each([
    ['2026-03-28T11:54:59Z', '2026-03-28'],
    ['2026-03-28T11:55:00Z', '2026-03-29'],
    ['2026-03-29T10:55:00Z', '2026-03-30'],
    ['2026-10-25T11:54:59Z', '2026-10-25'],
    ['2026-10-25T11:55:00Z', '2026-10-26'],
  ])('at %s the latest day requested is %s', (now, expected) => {
    expect(latestDueDay(gme, instant(now)).toString()).toBe(expected)
  })

  it('is requested with growing pauses until midnight, and hourly again from 07:00', () => {
    const times = []
    let now = requestedFrom(gme, day('2026-10-25'))
    for (let attempts = 1; attempts <= 32; attempts++) {
      times.push(now.toZonedDateTimeISO('Europe/Rome').toPlainDateTime().toString().slice(8, 16))
      now = nextAttemptAt(gme, day('2026-10-25'), attempts, now)
    }
    expect(times.join(' ')).toBe(
      '24T12:55 24T12:56 24T12:58 24T13:01 24T13:06 24T13:14 24T13:27 24T13:47 24T14:17 24T14:47 24T15:00 24T15:30 24T16:00 ' +
        '24T16:30 24T17:00 24T17:30 24T18:00 24T18:30 24T19:00 24T19:30 24T20:00 24T20:30 24T21:00 24T21:30 24T22:00 24T22:30 ' +
        '24T23:00 24T23:30 25T07:00 25T08:00 25T09:00 25T10:00',
    )
  })

  it('is not requested before its Retry-After', () => {
    const now = instant('2026-01-14T13:50:00Z')
    expect(nextAttemptAt(gme, day('2026-01-15'), 1, now, 3600).toString()).toBe('2026-01-14T14:50:00Z')
    expect(nextAttemptAt(gme, day('2026-01-15'), 9, now, 10).toString()).toBe('2026-01-14T14:20:00Z')
  })
})

it('Brent is requested once each evening, and is late after a week', () => {
  const market = day('2026-10-23')
  const first = requestedFrom(brent, market)
  expect(first.toString()).toBe('2026-10-24T18:00:00Z')
  expect(nextAttemptAt(brent, market, 1, first).toString()).toBe('2026-10-25T18:00:00Z')
  expect(lateFrom(brent, market).toString()).toBe('2026-10-31T19:00:00Z')
})

it('the neutral gas price is requested after its gas day', () => {
  const ngp = scheduleOf('eex-ttf', { EEX_TTF_FORM: 'ngp' })
  expect(requestedFrom(ngp, day('2026-01-13')).toString()).toBe('2026-01-14T13:00:00Z')
})

it.each(FETCHED_PUBLISHERS.map(({ id }) => id))(
  '%s is late only after its first request, and its pauses grow',
  (source) => {
    const timetable = scheduleOf(source)
    const market = day('2026-06-10')
    expect(Temporal.Instant.compare(requestedFrom(timetable, market), lateFrom(timetable, market))).toBe(-1)
    expect(timetable.pausesMinutes).toEqual(timetable.pausesMinutes.toSorted((a, b) => a - b))
  },
)
