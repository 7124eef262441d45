import { tableFromIPC } from 'apache-arrow'
import { describe, expect, it } from 'vitest'
import type { HourlyForecast } from '../../../src/api/contract/hourly-forecasts.ts'
import { saveQuarterShape } from '../../../src/store/forecast-ledger.ts'
import { seedHours } from '../../support/hourly-forecasts.ts'
import { dailyPrice, zoneDay } from '../../support/prices.ts'
import { type Answer, serviceOfFile, type TestService } from '../../support/service.ts'

/** 14:00 in Rome on the day before the 23-hour day: the change day is published, the day after it is not. */
const SPRING = '2026-03-28T13:00:00Z'
/** 09:00 in Rome, two days before the 25-hour day. */
const AUTUMN = '2026-10-23T07:00:00Z'

const spring = await serviceOfFile({ now: SPRING })
await spring.seed([
  dailyPrice('PUN', '2026-03-29', 100),
  zoneDay('nord', '2026-03-28', 60, (hour) => hour),
  zoneDay('nord', '2026-03-29', 60, (hour) => 50 + hour),
  zoneDay('nazionale', '2026-03-29', 60, () => 100),
])
await seedHours(spring.sql, {
  ...{ zone: 'nord', infoDate: '2026-03-29', issuedAt: '2026-03-28T12:10:00Z', issue: 'midday' },
  inputs: 'without-weather',
})
const autumn = await serviceOfFile({ now: AUTUMN })
await autumn.seed([dailyPrice('PUN', '2026-10-23', 100), zoneDay('nazionale', '2026-10-23', 15, (quarter) => quarter)])
const issue = { zone: 'nazionale', infoDate: '2026-10-23', issuedAt: '2026-10-22T18:00:00Z' } as const
await seedHours(autumn.sql, { ...issue, issue: 'evening', p50: (hour) => 100 + 8 * hour })
const shape = {
  ...{ learnedTo: '2026-10-23', days: 90, slopes: [-0.375, -0.125, 0.125, 0.375] },
  offsets: Array.from({ length: 96 }, (_, i) => (i % 4 === 0 ? 3 : -1)),
}
await saveQuarterShape(autumn.sql, { zone: 'nazionale', synthetic: false, shape }, Temporal.Instant.from(AUTUMN))

const ask = async (service: TestService, query: string): Promise<Answer> =>
  service.ask(`/v1/forecast/pun/hourly${query}`, { headers: await service.asPlan('API') })
const bodyOf = async (service: TestService, query: string) =>
  (await ask(service, query)).json() as unknown as HourlyForecast

describe('the hourly forecast', () => {
  it('is one gapless series: published prices from today on, then the forecast', async () => {
    const answer = await ask(spring, '?zone=nord&days=2')
    expect(answer.status).toBe(200)
    const head = { asset: 'PUN', zone: 'nord', granularity: 'hour', issue: 'midday', info_date: '2026-03-29' }
    expect(answer.json()).toMatchObject({ ...head, generated_at: '2026-03-28T12:10:00Z', count: 24 + 23 + 24 + 24 })
    const { points, days } = answer.json() as unknown as HourlyForecast
    expect(points.map(({ price }) => price)).toEqual([...Array(47).fill('published'), ...Array(48).fill('forecast')])
    expect(points.slice(1).map(({ starts_at }) => starts_at)).toEqual(points.slice(0, -1).map(({ ends_at }) => ends_at))
    expect(points[0]).toEqual({
      ...{ date: '2026-03-28', hour: 1, starts_at: '2026-03-28T00:00:00+01:00', ends_at: '2026-03-28T01:00:00+01:00' },
      ...{ price: 'published', value: 1 },
    })
    expect(points[26]).toMatchObject({ date: '2026-03-29', hour: 3, starts_at: '2026-03-29T03:00:00+02:00', value: 53 })
    expect(points[47]).toEqual({
      ...{ date: '2026-03-30', hour: 1, starts_at: '2026-03-30T00:00:00+02:00', ends_at: '2026-03-30T01:00:00+02:00' },
      ...{ price: 'forecast', value: 101, p10: 91, p50: 101, p90: 113 },
    })
    expect(days).toEqual(
      ['2026-03-30', '2026-03-31'].map((date) => ({
        ...{ date, mean: 112.5, model: 'ridge', version: '1' },
        ...{ inputs: 'without-weather', missing: ['weather', 'neighbours'] },
      })),
    )
  })

  it('has 25 hours on the October change day, with 02:00 twice', async () => {
    const { points } = await bodyOf(autumn, '?days=2')
    const sunday = points.filter(({ date }) => date === '2026-10-25')
    expect(sunday.map(({ hour }) => hour)).toEqual(Array.from({ length: 25 }, (_, i) => i + 1))
    expect(sunday.slice(2, 4).map(({ starts_at }) => starts_at)).toEqual([
      '2026-10-25T02:00:00+02:00',
      '2026-10-25T02:00:00+01:00',
    ])
    expect(points.filter(({ price }) => price === 'forecast')).toHaveLength(49)
  })

  it('has quarter-hours that average to their hour, 100 on the October change day', async () => {
    const { points } = await bodyOf(autumn, '?days=2&granularity=quarter')
    expect(points.filter(({ price }) => price === 'published')).toHaveLength(96)
    const sunday = points.filter(({ date }) => date === '2026-10-25')
    expect(sunday.map(({ quarter }) => quarter)).toEqual(Array.from({ length: 100 }, (_, i) => i + 1))
    // Hour 10, slope 8 €/MWh per hour: -3, -1, 1, 3 from the slope, and 3, -1, -1, -1 from the hour.
    expect(sunday.slice(36, 40).map(({ p50 }) => p50)).toEqual([180, 178, 180, 182])
    expect(sunday.slice(36, 40).map(({ p10, hour }) => [p10, hour])).toEqual(
      [170, 168, 170, 172].map((p10) => [p10, 10]),
    )
  })

  it('covers three days by default and up to seven on request', async () => {
    expect((await bodyOf(autumn, '')).days).toHaveLength(3)
    expect((await bodyOf(autumn, '?days=7')).days.map(({ date }) => date).at(-1)).toBe('2026-10-30')
  })

  it('is available as CSV and Arrow with one row per hour', async () => {
    const csv = await ask(spring, '?zone=nord&days=1&format=csv')
    const lines = csv.text.split('\r\n')
    expect(lines[0]).toBe('asset;zone;unit;date;hour;starts_at;ends_at;price;value;p10;p50;p90')
    expect(lines[48]).toBe(
      'PUN;nord;€/MWh;2026-03-30;1;2026-03-30T00:00:00+02:00;2026-03-30T01:00:00+02:00;forecast;101;91;101;113',
    )
    expect(csv.headers.get('content-disposition')).toContain('forecast_hourly_nord_2026-03-28_2026-03-30.csv')
    const arrow = await fetch(`${spring.baseUrl}/v1/forecast/pun/hourly?zone=nord&days=1&format=arrow`, {
      headers: await spring.asPlan('API'),
    })
    const table = tableFromIPC(new Uint8Array(await arrow.arrayBuffer()))
    expect(table.numRows).toBe(71)
    expect(table.get(47)?.toJSON()).toMatchObject({ price: 'forecast', value: 101, p90: 113 })
    expect(table.get(0)?.toJSON()).toMatchObject({ price: 'published', value: 1, p90: null })
  })
})

describe('GET /v1/forecast/{asset}/hourly', () => {
  it('says what is missing', async () => {
    const nothing = await ask(spring, '?zone=sici')
    expect(nothing.status).toBe(503)
    expect(nothing.json().message).toBe('No hourly forecast of sici has been issued yet.')
    const quarters = await ask(spring, '?zone=nord&granularity=quarter')
    expect(quarters.json().message).toBe('Too few days of nord have quarter-hours to forecast them.')
  })
})

describe('the hourly track record', () => {
  const record = (query: string) => spring.ask(`/v1/forecast/track-record?granularity=hour&zone=nord${query}`)

  it('shows each day as issued, with its place in the chain, and each hour in CSV', async () => {
    const answer = await record('&from=2026-03-30&to=2026-03-31')
    const [first] = (answer.json() as unknown as { records: Record<string, unknown>[] }).records
    expect(answer.status).toBe(200)
    expect(answer.json()).toMatchObject({
      zone: 'nord',
      granularity: 'hour',
      count: 2,
      ledger: { chain: 'issued', length: 16 },
    })
    expect(first).toMatchObject({ target_date: '2026-03-30', issue: 'midday', inputs: 'without-weather', sequence: 1 })
    const csv = await record('&from=2026-03-30&to=2026-03-31&format=csv')
    expect(csv.text.split('\r\n').filter((line) => line.startsWith('PUN;nord'))).toHaveLength(48)
  })

  it('is filtered by issue', async () => {
    expect((await record('&from=2026-03-30&to=2026-03-31&issue=evening')).json()).toMatchObject({ count: 0 })
  })
})

it.each([
  ['days', 'pun/hourly?days=8'],
  ['days', 'pun/hourly?days=0'],
  ['asset', 'ttf/hourly'],
  ['asset', 'track-record?granularity=hour&asset=psv'],
  ['zone', 'track-record?zone=nord'],
  ['issue', 'track-record?issue=evening'],
  ['to', 'track-record?granularity=hour&from=2026-01-01&to=2026-03-01'],
])('400 for %s in /v1/forecast/%s', async (param, path) => {
  const answer = await spring.ask(`/v1/forecast/${path}`, { headers: await spring.asPlan('API') })
  expect([answer.status, answer.json()]).toMatchObject([400, { error: 'invalid_parameter', param }])
})
