import { describe, expect, it, onTestFinished } from 'vitest'
import { dailyPrice, zoneDay } from '../support/prices.ts'
import { serviceOfFile, startTestService } from '../support/service.ts'

/** The next day in Rome has already begun, in UTC it has not. */
const NOW = '2026-11-21T23:30:00Z'

const service = await serviceOfFile({ now: NOW })

describe('GET /v1/pun/today', () => {
  it('503 no_data while today’s PUN is missing, though yesterday’s is stored', async () => {
    await service.seed([zoneDay('nazionale', '2026-11-21', 60, () => 120)])
    const answer = await service.ask('/v1/pun/today')
    expect(answer.status).toBe(503)
    expect(answer.json()).toMatchObject({
      error: 'no_data',
      message: expect.stringMatching(/^PUN of 2026-11-22 is not published yet\. Prices of PUN end on 2026-11-21\./),
    })
    expect(answer.headers.get('retry-after')).toBe(String(12 * 3600 + 25 * 60)) // 00:30 to 12:55
  })

  it('503 no_data while today’s hours are not complete', async () => {
    const day = zoneDay('nazionale', '2026-11-22', 60, () => 118.43)
    await service.seed([{ ...day, prices: day.prices.slice(0, 20) }])
    expect((await service.ask('/v1/pun/today')).status).toBe(503)
  })

  it('200 with the price of today’s market day in Rome once stored', async () => {
    await service.seed([zoneDay('nazionale', '2026-11-22', 60, () => 118.43)], {
      at: Temporal.Instant.from('2026-11-21T11:57:03.9Z'),
    })
    const answer = await service.ask('/v1/pun/today')
    expect(answer.status).toBe(200)
    expect(answer.json()).toMatchObject({
      date: '2026-11-22',
      observed_at: '2026-11-21T11:57:03Z',
      value: 0.11843,
      unit: '€/kWh',
      value_native: 118.43,
      unit_native: '€/MWh',
      asset: 'PUN',
      source: 'Gestore dei Mercati Energetici S.p.A. (GME)',
      source_url: 'https://www.mercatoelettrico.org',
      page: `${service.baseUrl}/prices/pun`,
    })
  })
})

describe.each([
  ['psv', 'PSV', 34.127, { value: 0.03413, unit: '€/kWh', value_native: 34.127, unit_native: '€/MWh' }],
  ['ttf', 'TTF', 31.85, { value: 0.03185, unit: '€/kWh', value_native: 31.85, unit_native: '€/MWh' }],
  ['brent', 'Brent', 68.91, { value: 68.91, unit: '$/bbl' }],
  ['co2', 'CO2', 79.32, { value: 79.32, unit: '€/tCO2' }],
] as const)('GET /v1/%s/today', (slug, asset, price, shown) => {
  it('503 no_data when the latest price is older than 7 days', async () => {
    await service.seed([dailyPrice(asset, '2026-11-14', 1)])
    const answer = await service.ask(`/v1/${slug}/today`)
    expect(answer.status).toBe(503)
    expect(answer.json()).toMatchObject({ error: 'no_data' })
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(60)
  })

  it('200 with the latest price of the last 7 days', async () => {
    await service.seed([dailyPrice(asset, '2026-11-15', price)])
    const answer = await service.ask(`/v1/${slug}/today`)
    expect(answer.status).toBe(200)
    const { value, unit, value_native, unit_native, ...rest } = answer.json()
    expect({ value, unit, value_native, unit_native }).toEqual({
      value_native: undefined,
      unit_native: undefined,
      ...shown,
    })
    expect(rest).toMatchObject({ asset, date: '2026-11-15', page: `${service.baseUrl}/prices/${slug}` })
  })
})

describe('synthetic data', () => {
  it('is marked as synthetic in source and attribution', async () => {
    const invented = await startTestService({ now: '2026-11-21T10:00:00Z' })
    onTestFinished(() => invented.stop())
    await invented.seed([dailyPrice('Brent', '2026-11-20', 70)], { source: 'sample' })
    const body = (await invented.ask('/v1/brent/today')).json()
    expect(body).toMatchObject({ value: 70, source_url: `${invented.baseUrl}/docs/sample-data` })
    expect(body.source).toMatch(/synthetic/i)
    expect(body.attribution).toMatch(/synthetic/i)
  })
})
