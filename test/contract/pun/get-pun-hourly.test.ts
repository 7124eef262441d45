import { afterEach, describe, expect, it } from 'vitest'
import { STORED_ZONES } from '../../../src/market/zones.ts'
import { zoneDay } from '../../support/prices.ts'
import { serviceOfFile } from '../../support/service.ts'
import { CHANGE_DAYS, changeDays, golden, withGoldenAddress, withoutLast } from './change-days.ts'

const NOW = '2026-11-21T10:00:00Z' // 11:00 in Rome, a Saturday
const HOLIDAY = '2026-06-02' // a Tuesday
const WEEKDAY = '2026-11-20'
const SATURDAY = '2026-11-21'
const IN_QUARTERS = '2026-11-19'
const WITH_GAPS = '2026-11-18'
const QUARTERS_WITH_GAPS = '2026-11-17'
const IN_HOURS = '2025-09-30' // the last day before quarter-hours were introduced

const service = await serviceOfFile({ now: NOW })
const { authorization } = await service.asPlan('API')
await service.seed([
  ...changeDays(),
  zoneDay('nazionale', IN_HOURS, 60, (hour) => hour),
  zoneDay('nazionale', HOLIDAY, 60, () => 80),
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

const hourly = (query = '', headers: Record<string, string> = {}) =>
  service.ask(`/v1/pun/hourly${query}`, { headers: { authorization, ...headers } })

describe.each(CHANGE_DAYS)('GET /v1/pun/hourly on the change day %s', (day) => {
  it.each(['hour', 'quarter'])('200 by %s matches the golden JSON and CSV', async (granularity) => {
    const json = await hourly(`?date=${day}&granularity=${granularity}`)
    expect(JSON.parse(withGoldenAddress(json, service.baseUrl))).toEqual(
      JSON.parse(golden(`${day}-${granularity}s.json`)),
    )
    const csv = await hourly(`?date=${day}&granularity=${granularity}&format=csv`)
    expect(csv.text).toBe(golden(`${day}-${granularity}s.csv`))
  })

  it('200 for a zone published in hours', async () => {
    const { hours, cheapest_hours: cheapest, stats, count } = (await hourly(`?date=${day}&zone=sud`)).json()
    const last = day === '2026-03-29' ? 23 : 25
    expect(count).toBe(last)
    expect(cheapest).toEqual([last, last - 1, last - 2])
    expect(stats).toEqual({ min: -last, max: -1, avg: -(last + 1) / 2 })
    expect((hours as unknown[]).at(-1)).toEqual({
      hour: last,
      starts_at: `${day}T23:00:00${day === '2026-03-29' ? '+02:00' : '+01:00'}`,
      ends_at: `${Temporal.PlainDate.from(day).add({ days: 1 })}T00:00:00${day === '2026-03-29' ? '+02:00' : '+01:00'}`,
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

  it('200 for the PUN on the latest published day by default', async () => {
    expect((await hourly()).json()).toMatchObject({ zone: 'nazionale', date: SATURDAY })
    expect((await hourly('?zone=nord')).json()).toMatchObject({ zone: 'nord', date: WEEKDAY })
  })

  it.each([
    ['a weekday', WEEKDAY, `${'F3'.repeat(7)}F2${'F1'.repeat(11)}${'F2'.repeat(4)}F3`],
    ['a Saturday', SATURDAY, `${'F3'.repeat(7) + 'F2'.repeat(16)}F3`],
    ['a national holiday', HOLIDAY, 'F3'.repeat(24)],
  ])('200 with the bands of %s', async (_name, day, bands) => {
    const { hours } = (await hourly(`?date=${day}`)).json()
    expect((hours as { band: string }[]).map(({ band }) => band).join('')).toBe(bands)
  })

  it('200 by quarter-hour with the bands of their hours', async () => {
    const { quarters } = (await hourly(`?date=${IN_QUARTERS}&granularity=quarter`)).json()
    const bands = (quarters as { band: string }[]).map(({ band }) => band).join('')
    expect(bands).toBe('F3'.repeat(28) + 'F2'.repeat(4) + 'F1'.repeat(44) + 'F2'.repeat(16) + 'F3'.repeat(4))
  })

  it('200 lists equally cheap hours in chronological order', async () => {
    expect((await hourly(`?date=${HOLIDAY}`)).json().cheapest_hours).toEqual([1, 2, 3])
  })

  it('200 on a day with gaps, with stored and expected counts and no mean', async () => {
    const body = (await hourly(`?date=${WITH_GAPS}`)).json()
    expect(body).toMatchObject({ count: 20, expected: 24, cheapest_hours: [1, 2, 3] })
    expect(body.stats).toEqual({ min: 10, max: 200 })
    expect(body.hours).toHaveLength(20)
  })

  it('200 omits hours with a missing quarter; granularity=quarter counts quarters', async () => {
    const hours = (await hourly(`?date=${QUARTERS_WITH_GAPS}`)).json()
    expect(hours).toMatchObject({ count: 23, expected: 24, stats: { min: 2.5, max: 90.5 } })
    const quarters = (await hourly(`?date=${QUARTERS_WITH_GAPS}&granularity=quarter`)).json()
    expect(quarters).toMatchObject({ count: 95, expected: 96, stats: { min: 1, max: 95 }, cheapest_hours: [1, 2, 3] })
    for (const { stats } of [hours, quarters]) expect(stats).not.toHaveProperty('avg')
  })

  it('200 for tomorrow by default once it is stored', async () => {
    await service.seed([zoneDay('cnor', '2026-11-22', 60, () => 1)])
    expect((await hourly('?zone=cnor')).json().date).toBe('2026-11-22')
    expect((await hourly('?zone=cnor&date=2026-11-22')).status).toBe(200)
  })

  it('200 ignores a day with gaps when choosing the latest day', async () => {
    await service.seed([withoutLast(zoneDay('csud', '2026-11-22', 60, () => 1))])
    expect((await hourly('?zone=csud')).json().date).toBe(WEEKDAY)
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
    expect((body.days as { date: string }[]).map(({ date }) => date)).toEqual([
      '2026-10-25',
      QUARTERS_WITH_GAPS,
      WITH_GAPS,
      IN_QUARTERS,
      WEEKDAY,
      SATURDAY,
    ])
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
  })

  it('200 as CSV by Accept', async () => {
    const { headers } = await hourly(`?date=${WEEKDAY}`, { accept: 'text/csv' })
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(headers.get('content-disposition')).toBe(`attachment; filename="pun_hourly_nazionale_${WEEKDAY}.csv"`)
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
    expect(answer.status).toBe(400)
    expect(answer.json()).toMatchObject({ error: 'invalid_parameter', param })
  })

  it.each([
    ['tomorrow', '2026-11-22', 6_900], // 12:55 today
    ['today, though it should be there', '2026-11-21', 60],
    ['a later day', '2026-11-25', 6_900 + 3 * 86_400],
  ])('503 no_data for %s, with Retry-After until 12:55 in Rome on the day before', async (_name, date, seconds) => {
    const answer = await hourly(`?zone=sard&date=${date}`)
    expect(answer.status).toBe(503)
    expect(answer.json()).toMatchObject({ error: 'no_data', message: expect.stringContaining(date) })
    expect(answer.headers.get('retry-after')).toBe(String(seconds))
  })

  it('503 no_data with a Retry-After that accounts for the hour skipped in March', async () => {
    service.setNow('2026-03-27T11:00:00Z')
    expect((await hourly('?date=2026-03-30')).headers.get('retry-after')).toBe(String(2 * 86_400 - 300))
  })

  it('503 no_data for a future interval', async () => {
    expect((await hourly('?zone=sard&from=2026-11-22&to=2026-11-23')).status).toBe(503)
  })

  it.each([
    ['before the history', '?date=2010-01-01'],
    ['never published', '?date=2026-11-16'],
    ['an interval before the history', '?from=2010-01-01&to=2010-01-31'],
  ])('404 for a day %s', async (_name, query) => {
    const answer = await hourly(query)
    expect(answer.status).toBe(404)
    expect(answer.json()).toMatchObject({ error: 'not_found' })
  })

  it.each(['date=2020-12-31', 'date=2020-12-31&granularity=quarter', 'from=2020-12-01&to=2020-12-31'])(
    '404 for Calabria before it was a zone, with the reason: ?%s',
    async (query) => {
      const answer = await hourly(`?zone=cala&${query}`)
      expect(answer.status).toBe(404)
      expect(answer.json().message).toContain('Calabria (cala) has been a zone since 2021-01-01')
      expect((await hourly('?zone=cala&date=2021-01-01')).json().message).not.toContain('has been a zone since')
    },
  )

  it('404 for quarter-hours of a day with hours only, with the reason', async () => {
    const answer = await hourly(`?date=${IN_HOURS}&granularity=quarter`)
    expect(answer.status).toBe(404)
    expect(answer.json()).toMatchObject({ error: 'not_found', message: expect.stringContaining('hours only') })
    expect((await hourly(`?date=${IN_HOURS}`)).status).toBe(200)
    // Since the introduction of quarter-hours, the market is no longer the reason.
    const later = await hourly(`?date=${SATURDAY}&granularity=quarter`)
    expect(later.json()).toMatchObject({ error: 'not_found', message: `${SATURDAY} has hours only.` })
  })
})
