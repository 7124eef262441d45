import { afterEach, describe, expect, it } from 'vitest'
import { STORED_ZONES } from '../../../src/market/zones.ts'
import { zoneDay } from '../../support/prices.ts'
import { serviceOfFile } from '../../support/service.ts'
import { CHANGE_DAYS, changeDays, expectGolden, withoutLast } from './change-days.ts'

const NOW = '2026-11-21T10:00:00Z' // 11:00 in Rome, a Saturday
const WEEKDAY = '2026-11-20'
const SATURDAY = '2026-11-21'
const IN_QUARTERS = '2026-11-19'
const WITH_GAPS = '2026-11-18'
const QUARTERS_WITH_GAPS = '2026-11-17'
const IN_HOURS = '2025-09-30' // the last day before quarter-hours were introduced
const SINCE_2021 = /Calabria \(cala\) has been a zone since 2021-01-01/

const service = await serviceOfFile({ now: NOW })
const { authorization } = await service.asPlan('API')
await service.seed([
  ...changeDays(),
  zoneDay('nazionale', IN_HOURS, 60, (hour) => hour),
  withoutLast(zoneDay('nazionale', QUARTERS_WITH_GAPS, 15, (quarter) => quarter)),
  withoutLast(
    zoneDay('nazionale', WITH_GAPS, 60, (hour) => 10 * hour),
    4,
  ),
  zoneDay('nazionale', IN_QUARTERS, 15, (quarter) => quarter / 4),
  ...STORED_ZONES.map((zone, i) => zoneDay(zone, WEEKDAY, 60, (hour) => 100 * i + (hour - 12.5) ** 2)),
  zoneDay('nazionale', SATURDAY, 60, (hour) => 90 + hour / 3),
])
afterEach(() => service.setNow(NOW))

const hourly = (query = '') => service.ask(`/v1/pun/hourly${query}`, { headers: { authorization } })

describe.each(CHANGE_DAYS)('GET /v1/pun/hourly on the change day %s', (day) => {
  it.each(['hour', 'quarter'])('200 by %s matches the golden JSON and CSV', async (granularity) => {
    await expectGolden(service, `${day}-${granularity}s`, (format) =>
      hourly(`?date=${day}&granularity=${granularity}&format=${format}`),
    )
  })

  it('200 for a zone published in hours', async () => {
    const { hours, cheapest_hours: cheapest, stats, count } = (await hourly(`?date=${day}&zone=sud`)).json()
    const [last, offset] = day === '2026-03-29' ? [23, '+02:00'] : [25, '+01:00']
    expect(count).toBe(last)
    expect(cheapest).toEqual([last, last - 1, last - 2])
    expect(stats).toEqual({ min: -last, max: -1, avg: -(last + 1) / 2 })
    expect((hours as unknown[]).at(-1)).toEqual({
      hour: last,
      starts_at: `${day}T23:00:00${offset}`,
      ends_at: `${Temporal.PlainDate.from(day).add({ days: 1 })}T00:00:00${offset}`,
      value: -last,
      band: 'F3',
    })
  })
})

describe('GET /v1/pun/hourly for a day', () => {
  it.each(STORED_ZONES.map((zone, i) => [zone, i] as const))('200 for %s', async (zone, i) => {
    const body = (await hourly(`?zone=${zone}&date=${WEEKDAY}`)).json()
    expect(body).toMatchObject({
      zone,
      date: WEEKDAY,
      unit: '€/MWh',
      timezone: 'Europe/Rome',
      count: 24,
      expected: 24,
      cheapest_hours: [12, 13, 11],
      stats: { min: 100 * i + 0.25, max: 100 * i + 132.25, avg: expect.closeTo(100 * i + 575 / 12, 6) },
    })
  })

  it.each([
    ['hour', 1],
    ['quarter', 4],
  ])('200 by %s with the bands of a weekday', async (granularity, perHour) => {
    const { hours, quarters } = (await hourly(`?date=${IN_QUARTERS}&granularity=${granularity}`)).json()
    const bands = ((hours ?? quarters) as { band: string }[]).map(({ band }) => band)
    const ofHours = [...Array(7).fill('F3'), 'F2', ...Array(11).fill('F1'), ...Array(4).fill('F2'), 'F3']
    expect(bands).toEqual(ofHours.flatMap((band) => Array(perHour).fill(band)))
  })

  it.each([
    ['on a day with gaps', WITH_GAPS, [20, 24, 10, 200]],
    ['without hours that miss a quarter', QUARTERS_WITH_GAPS, [23, 24, 2.5, 90.5]],
    ['with the stored quarters', `${QUARTERS_WITH_GAPS}&granularity=quarter`, [95, 96, 1, 95]],
  ])('200 %s, with stored and expected counts and no mean', async (_name, date, [count, expected, min, max]) => {
    const body = (await hourly(`?date=${date}`)).json()
    expect(body).toMatchObject({ count, expected, cheapest_hours: [1, 2, 3] })
    expect(body.stats).toEqual({ min, max })
    expect(body.hours ?? body.quarters).toHaveLength(count as number)
  })

  it('200 for the PUN on the latest complete day by default: tomorrow once it is stored', async () => {
    expect((await hourly()).json()).toMatchObject({ zone: 'nazionale', date: SATURDAY })
    expect((await hourly('?zone=nord')).json()).toMatchObject({ zone: 'nord', date: WEEKDAY })
    const withGaps = withoutLast(zoneDay('csud', '2026-11-22', 60, () => 1))
    await service.seed([zoneDay('cnor', '2026-11-22', 60, () => 1), withGaps])
    expect((await hourly('?zone=cnor')).json()).toMatchObject({ date: '2026-11-22' })
    expect((await hourly('?zone=csud')).json()).toMatchObject({ date: WEEKDAY })
  })
})

describe('GET /v1/pun/hourly for an interval', () => {
  it('200 with each day as returned for that day alone, and overall statistics', async () => {
    const body = (await hourly(`?from=${WEEKDAY}&to=${SATURDAY}`)).json()
    const days = []
    for (const date of [WEEKDAY, SATURDAY]) {
      const { zone, unit, timezone, source, attribution, ...day } = (await hourly(`?date=${date}`)).json()
      days.push(day)
    }
    expect(body).toMatchObject({ zone: 'nazionale', from: WEEKDAY, to: SATURDAY, unit: '€/MWh', count: 2, days })
    expect(body.stats).toEqual({ min: 0.25, max: 132.25, avg: expect.closeTo((575 / 12 + 90 + 12.5 / 3) / 2, 6) })
    expect(body).not.toHaveProperty('hours')
  })

  it('200 weights hours, not days, across the daylight-saving change', async () => {
    await service.seed([zoneDay('nord', '2026-10-26', 60, () => 0)])
    const { stats } = (await hourly('?zone=nord&from=2026-10-25&to=2026-10-26')).json()
    expect(stats).toMatchObject({ avg: expect.closeTo((25 * 113) / 49, 6) })
  })

  it('200 without a mean if a day has gaps', async () => {
    const { stats, count } = (await hourly(`?from=${WITH_GAPS}&to=${WEEKDAY}`)).json()
    expect(count).toBe(3)
    expect(stats).not.toHaveProperty('avg')
  })

  it('200 for 31 days, with only the stored ones', async () => {
    const body = (await hourly('?from=2026-10-22&to=2026-11-21')).json()
    expect(body).toMatchObject({ from: '2026-10-22', to: '2026-11-21', count: 6 })
    const days = (body.days as { date: string }[]).map(({ date }) => date)
    expect(days).toEqual(['2026-10-25', QUARTERS_WITH_GAPS, WITH_GAPS, IN_QUARTERS, WEEKDAY, SATURDAY])
  })

  it('200 as CSV with one row per hour', async () => {
    const { text, headers } = await hourly(`?zone=nord&from=2026-10-25&to=2026-10-26&format=csv`)
    const rows = text.split('\r\n')
    expect(rows).toHaveLength(1 + 25 + 24 + 1)
    expect(rows.slice(0, 2)).toEqual([
      'zone;unit;date;hour;starts_at;value;band;ends_at',
      'nord;€/MWh;2026-10-25;1;2026-10-25T00:00:00+02:00;101;F3;2026-10-25T01:00:00+02:00',
    ])
    expect(rows[26]).toBe('nord;€/MWh;2026-10-26;1;2026-10-26T00:00:00+01:00;0;F3;2026-10-26T01:00:00+01:00')
    expect(headers.get('content-disposition')).toBe('attachment; filename="pun_hourly_nord_2026-10-25_2026-10-26.csv"')
    const day = await hourly(`?date=${WEEKDAY}&format=csv`)
    expect(day.headers.get('content-disposition')).toBe(`attachment; filename="pun_hourly_nazionale_${WEEKDAY}.csv"`)
  })
})

describe('an error of GET /v1/pun/hourly', () => {
  it.each([
    ['a day and an interval', 'date=2026-11-20&from=2026-11-19&to=2026-11-20', 'date'],
    ['a day and a start', 'date=2026-11-20&from=2026-11-19', 'date'],
    ['a day and an end', 'date=2026-11-20&to=2026-11-20', 'date'],
    ['a start alone', 'from=2026-11-19', 'to'],
    ['an end alone', 'to=2026-11-19', 'from'],
    ['an end before the start', 'from=2026-11-20&to=2026-11-19', 'from'],
    ['32 days', 'from=2026-10-21&to=2026-11-21', 'to'],
  ])('400 for %s: ?%s', async (_name, query, param) => {
    const answer = await hourly(`?${query}`)
    expect([answer.status, answer.json()]).toMatchObject([400, { error: 'invalid_parameter', param }])
  })

  it.each([
    ['tomorrow', 'date', '2026-11-22', 6_900], // 12:55 today
    ['today, though it should be there', 'date', '2026-11-21', 60],
    ['a later day', 'date', '2026-11-25', 6_900 + 3 * 86_400],
    ['a future interval', 'to=2026-11-23&from', '2026-11-22', 6_900],
  ])('503 no_data for %s, with Retry-After until 12:55 on the day before', async (_name, name, day, seconds) => {
    const answer = await hourly(`?zone=sard&${name}=${day}`)
    expect(answer.status).toBe(503)
    expect(answer.json()).toMatchObject({ error: 'no_data', message: expect.stringContaining(day) })
    expect(answer.headers.get('retry-after')).toBe(String(seconds))
  })

  it('503 no_data with a Retry-After that accounts for the hour skipped in March', async () => {
    service.setNow('2026-03-27T11:00:00Z')
    expect((await hourly('?date=2026-03-30')).headers.get('retry-after')).toBe(String(2 * 86_400 - 300))
  })

  it.each([
    ['before the history', 'date=2010-01-01', /no prices/],
    ['never published', 'date=2026-11-16', /no prices/],
    ['an interval before the history', 'from=2010-01-01&to=2010-01-31', /no prices/],
    ['of Calabria before it was a zone', 'zone=cala&date=2020-12-31', SINCE_2021],
    ['of Calabria in quarter-hours', 'zone=cala&date=2020-12-31&granularity=quarter', SINCE_2021],
    ['of Calabria, an interval', 'zone=cala&from=2020-12-01&to=2020-12-31', SINCE_2021],
    ['of Calabria when it was a zone', 'zone=cala&date=2021-01-01', /^There are no prices of cala/],
    ['of hours only', `date=${IN_HOURS}&granularity=quarter`, /hours only: the market has cleared in quarter-hours/],
    // Since the introduction of quarter-hours, the market is no longer the reason.
    ['of hours only, later', `date=${SATURDAY}&granularity=quarter`, /^2026-11-21 has hours only\.$/],
  ])('404 for a day %s, with the reason: ?%s', async (_name, query, message) => {
    const answer = await hourly(`?${query}`)
    expect(answer.status).toBe(404)
    expect(answer.json()).toMatchObject({ error: 'not_found', message: expect.stringMatching(message) })
  })
})
