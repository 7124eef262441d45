import { describe, expect, it } from 'vitest'
import { dailyPrice, zoneDay } from '../../support/prices.ts'
import { serviceOfFile } from '../../support/service.ts'

/** Complete history and CSV; history and formats by plan are tested in series-plans.test.ts. */

const service = await serviceOfFile({ now: '2026-11-21T10:00:00Z' })
const { authorization } = await service.asPlan('API')
const incomplete = zoneDay('nazionale', '2026-11-19', 60, () => 500)
await service.seed([
  zoneDay('nazionale', '2026-10-25', 60, () => 80), // 25 hours
  zoneDay('nazionale', '2026-11-18', 60, (hour) => (hour === 1 ? 100.1 : 100)),
  { ...incomplete, prices: incomplete.prices.slice(1) },
  zoneDay('nazionale', '2026-11-20', 60, () => -10.005),
  zoneDay('nazionale', '2026-11-21', 60, () => 118.43),
  zoneDay('nazionale', '2026-11-22', 60, () => 90),
  dailyPrice('Brent', '2026-11-19', 68.91),
])

const series = (query = '', headers: Record<string, string> = {}) =>
  service.ask(`/v1/prices/pun/series${query}`, { headers: { authorization, ...headers } })

describe('GET /v1/prices/{asset}/series', () => {
  it('200 from 30 days ago to today by default, omitting days with gaps', async () => {
    const { status, json } = await series()
    expect(status).toBe(200)
    expect(json()).toMatchObject({
      asset: 'PUN',
      unit: '€/MWh',
      from: '2026-10-22',
      to: '2026-11-21',
      count: 4,
      points: [
        { date: '2026-10-25', value: 80 },
        { date: '2026-11-18', value: 100.004167 },
        { date: '2026-11-20', value: -10.005 },
        { date: '2026-11-21', value: 118.43 },
      ],
      stats: { min: -10.005, max: 118.43, avg: 72.107292 },
      source: 'Gestore dei Mercati Energetici S.p.A. (GME)',
    })
  })

  it.each([
    [
      'with both ends included, and tomorrow if requested',
      '?from=2026-11-20&to=2026-11-22',
      { from: '2026-11-20', to: '2026-11-22', count: 3 },
    ],
    [
      'for the 30 days before `to` if `from` is missing',
      '?to=2026-11-10',
      { from: '2026-10-11', to: '2026-11-10', count: 1 },
    ],
    [
      'in €/kWh with 5 decimals, rounded half away from zero',
      '?from=2026-11-20&unit=kwh',
      { unit: '€/kWh', points: [{ value: -0.01001 }, { value: 0.11843 }] },
    ],
  ])('200 %s', async (_name, query, expected) => {
    expect((await series(query)).json()).toMatchObject(expected)
  })

  it('200 without statistics if there are no points', async () => {
    const body = (await series('?from=2010-01-01&to=2010-01-31')).json()
    expect(body).toMatchObject({ count: 0, points: [], from: '2010-01-01', to: '2010-01-31' })
    expect(body).not.toHaveProperty('stats')
    expect(body.attribution).toContain(service.baseUrl)
  })

  it('200 in the native unit of an index without a consumer unit', async () => {
    const body = (await service.ask('/v1/prices/brent/series')).json()
    expect(body).toMatchObject({ asset: 'Brent', unit: '$/bbl', points: [{ date: '2026-11-19', value: 68.91 }] })
  })
})

describe('GET /v1/prices/{asset}/series as CSV', () => {
  const CSV = 'asset;unit;date;value\r\nPUN;€/MWh;2026-11-20;-10,005\r\nPUN;€/MWh;2026-11-21;118,43\r\n'

  it.each([
    ['format=csv', '&format=csv', undefined],
    ['Accept', '', 'text/csv'],
    ['format=csv against Accept', '&format=csv', 'application/json'],
  ])('200 requested by %s', async (_name, parameter, accept) => {
    const answer = await series(`?from=2026-11-20${parameter}`, accept ? { accept } : {})
    expect(answer.status).toBe(200)
    expect(answer.text).toBe(CSV)
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="pun_2026-11-20_2026-11-21.csv"')
    expect(answer.headers.get('vary')).toContain('Accept')
  })

  it('200 as JSON if format=json contradicts Accept', async () => {
    const answer = await series('?from=2026-11-20&format=json', { accept: 'text/csv' })
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  })
})

describe('an invalid request to GET /v1/prices/{asset}/series', () => {
  it.each([
    ['from after to', 'pun', 'from=2026-11-21&to=2026-11-20', 'from'],
    ['from after today', 'pun', 'from=2026-12-01', 'from'],
    ['a unit that does not apply', 'brent', 'unit=kwh', 'unit'],
    ['a unit that does not apply', 'co2', 'unit=kwh', 'unit'],
  ])('400 for %s: %s ?%s', async (_name, asset, query, param) => {
    const answer = await service.ask(`/v1/prices/${asset}/series?${query}`)
    expect(answer.status).toBe(400)
    expect(answer.json()).toMatchObject({ error: 'invalid_parameter', param })
    expect(answer.text.length).toBeLessThan(500)
  })
})
