import { describe, expect, it } from 'vitest'
import type { CheapestWindowReply } from '../../../src/api/contract/cheapest-window.ts'
import { seedHours } from '../../support/hourly-forecasts.ts'
import { dailyPrice, zoneDay } from '../../support/prices.ts'
import { serviceOfFile } from '../../support/service.ts'

const NOON = '2026-11-20T11:07:00Z' // a Friday, 12:07 in Rome
const PATH = '/v1/tools/cheapest-window'

const service = await serviceOfFile({ now: NOON })
const headers = await service.asPlan('API')
await service.seed([
  // Expensive during the day, cheapest in the two quarter-hours around midnight.
  zoneDay('nazionale', '2026-11-20', 15, (quarter) => 200 - quarter),
  zoneDay('nazionale', '2026-11-21', 15, (quarter) => 100 + quarter),
  zoneDay('nord', '2026-11-20', 60, (hour) => (hour === 15 || hour === 20 ? 10 : 50)),
  zoneDay('sud', '2026-11-20', 60, () => -5),
  ...['2026-03-28', '2026-03-29'].map((day) => zoneDay('nazionale', day, 60, (hour) => (hour < 4 ? hour : 80))),
  ...['2026-10-24', '2026-10-25'].map((day) => zoneDay('nazionale', day, 15, (quarter) => 200 - (quarter % 100))),
  dailyPrice('PUN', '2026-11-21', 148.5),
])
await seedHours(service.sql, {
  ...{ zone: 'nazionale', infoDate: '2026-11-21', issuedAt: '2026-11-20T12:10:00Z' },
  p50: (hour, day) => (day === 1 && hour >= 13 && hour <= 15 ? 20 + hour : 150),
})

async function window(query: string, now = NOON): Promise<CheapestWindowReply> {
  service.setNow(now)
  const answer = await service.ask(`${PATH}?${query}`, { headers })
  expect([answer.text, answer.status]).toEqual([answer.text, 200])
  return answer.json() as CheapestWindowReply
}
const spans = ({ blocks }: CheapestWindowReply) => blocks.map((block) => [block.starts_at, block.ends_at])

describe('GET /v1/tools/cheapest-window', () => {
  it('200 with the cheapest contiguous hours, across midnight, and their savings', async () => {
    // The last three quarter-hours of Friday and the first five of Saturday; the window a quarter-hour later is as cheap.
    const mean = (106 + 105 + 104 + 101 + 102 + 103 + 104 + 105) / 8
    const fromNow = (200 - 49 + (200 - 56)) / 2
    const ofDay = 200 - 48.5
    expect(await window('hours=2')).toMatchObject({
      ...{ zone: 'nazionale', unit: '€/MWh', hours: 2, contiguous: true, mean },
      ...{ starts_at: '2026-11-20T23:15:00+01:00', ends_at: '2026-11-21T01:15:00+01:00' },
      blocks: [{ price: 'published', mean }],
      now: { mean: fromNow, saves: fromNow - mean, saves_pct: expect.closeTo((100 * (fromNow - mean)) / fromNow, 2) },
      day: { date: '2026-11-20', mean: ofDay, saves: ofDay - mean },
      known_until: '2026-11-22T00:00:00+01:00',
    })
  })

  it('200 with separate blocks for contiguous=false', async () => {
    const body = await window('hours=0.75&contiguous=false&between=22:00-23:45')
    expect(spans(body)).toEqual([['2026-11-20T23:00:00+01:00', '2026-11-20T23:45:00+01:00']])
    const two = await window('hours=2&contiguous=false&zone=nord')
    expect(spans(two)).toEqual([
      ['2026-11-20T14:00:00+01:00', '2026-11-20T15:00:00+01:00'],
      ['2026-11-20T19:00:00+01:00', '2026-11-20T20:00:00+01:00'],
    ])
    expect(two).toMatchObject({ mean: 10, now: { mean: 50, saves: 40, saves_pct: 80 } })
  })

  it('200 with the earliest of equal windows, and no percentage for negative prices', async () => {
    const body = await window('hours=1&zone=sud')
    expect(body).toMatchObject({ starts_at: '2026-11-20T12:00:00+01:00', mean: -5, now: { mean: -5, saves: 0 } })
    expect(body.now).not.toHaveProperty('saves_pct')
  })

  it('200 respects `between` and `deadline`', async () => {
    expect(spans(await window('hours=1&between=13:00-16:30'))).toEqual([
      ['2026-11-20T15:30:00+01:00', '2026-11-20T16:30:00+01:00'],
    ])
    expect(spans(await window('hours=1&deadline=18:00'))).toEqual([
      ['2026-11-20T17:00:00+01:00', '2026-11-20T18:00:00+01:00'],
    ])
    expect(spans(await window('hours=1&deadline=2026-11-20T15:30:00Z'))).toEqual([
      ['2026-11-20T15:30:00+01:00', '2026-11-20T16:30:00+01:00'],
    ])
    expect(spans(await window('hours=3&between=22:00-06:00&deadline=07:00'))).toEqual([
      ['2026-11-20T22:45:00+01:00', '2026-11-21T01:45:00+01:00'],
    ])
  })

  it('200 in March: two hours from 01:00 end at 04:00', async () => {
    const body = await window('hours=2&between=01:00-04:00', '2026-03-28T22:30:00Z')
    expect(spans(body)).toEqual([['2026-03-29T01:00:00+01:00', '2026-03-29T04:00:00+02:00']])
    expect(body.day?.date).toBe('2026-03-29')
  })

  it('200 in October: 02:00 to 03:00 is two hours long', async () => {
    const body = await window('hours=2&between=02:00-03:00', '2026-10-24T22:30:00Z')
    expect(spans(body)).toEqual([['2026-10-25T02:00:00+02:00', '2026-10-25T03:00:00+01:00']])
    const day = await window('hours=24', '2026-10-24T22:00:00Z') // its last quarter-hour is its most expensive
    expect(spans(day)).toEqual([['2026-10-25T00:45:00+02:00', '2026-10-25T23:45:00+01:00']])
  })

  it('200 with the forecast appended on the API plan; 403 without a key', async () => {
    const body = await window('hours=3&forecast=tail')
    expect(body).toMatchObject({
      ...{ starts_at: '2026-11-22T12:00:00+01:00', ends_at: '2026-11-22T15:00:00+01:00', mean: 34 },
      blocks: [{ price: 'forecast' }],
      day: { date: '2026-11-22', mean: expect.closeTo((21 * 150 + 3 * 34) / 24, 4) },
      known_until: '2026-11-25T00:00:00+01:00',
    })
    service.setNow(NOON)
    const open = await service.ask(`${PATH}?hours=3&forecast=tail`)
    expect([open.status, open.json().required_tier]).toEqual([403, 'API'])
  })

  it('503 if no window fits the published prices, with Retry-After until the next ones', async () => {
    service.setNow('2026-11-20T11:07:00Z')
    const answer = await service.ask(`${PATH}?hours=13&zone=nord`)
    expect([answer.status, answer.json().error]).toEqual([503, 'no_data'])
    expect(answer.headers.get('retry-after')).toBe(String(48 * 60))
    service.setNow('2026-12-01T11:00:00Z')
    expect((await service.ask(`${PATH}?hours=1`)).status).toBe(503)
  })

  it.each([
    ['no hours', '', 'hours'],
    ['no time at all', 'hours=0', 'hours'],
    ['a third of an hour', 'hours=0.33', 'hours'],
    ['more than a day', 'hours=24.25', 'hours'],
    ['a part of the day without an end', 'hours=1&between=22:00', 'between'],
    ['a part of the day that is none', 'hours=1&between=22:00-22:00', 'between'],
    ['a part of the day shorter than the window', 'hours=5&between=22:00-02:00', 'between'],
    ['an impossible time', 'hours=1&deadline=25:00', 'deadline'],
    ['a deadline too near', 'hours=2&deadline=13:00', 'deadline'],
    ['a deadline in the past', 'hours=2&deadline=2026-11-20T10:00:00Z', 'deadline'],
    ['neither true nor false', 'hours=1&contiguous=no', 'contiguous'],
  ])('400 for %s', async (_name, query, param) => {
    service.setNow(NOON)
    const answer = await service.ask(`${PATH}?${query}`)
    expect([answer.status, answer.json().error, answer.json().param]).toEqual([400, 'invalid_parameter', param])
  })
})
