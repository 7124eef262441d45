import { beforeAll, describe, expect, it } from 'vitest'
import { dailyPrice, zoneDay } from '../../support/prices.ts'
import { serviceOfFile } from '../../support/service.ts'

const UNITS = { unit: '€/kWh', unit_native: '€/MWh' }

const service = await serviceOfFile({ now: '2026-11-22T09:00:00Z' }) // a Sunday

describe('GET /v1/today before there is data', () => {
  it('503 no_data with Retry-After until the next publication: CO2 at 11:15 in Rome', async () => {
    const answer = await service.ask('/v1/today')
    expect(answer.status).toBe(503)
    expect(answer.json()).toMatchObject({ error: 'no_data', docs: `${service.baseUrl}/docs/errors#no_data` })
    expect(answer.headers.get('retry-after')).toBe('4500')
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })
})

describe('GET /v1/today', () => {
  beforeAll(async () => {
    await service.seed([
      zoneDay('nazionale', '2026-11-21', 60, () => 120),
      zoneDay('nazionale', '2026-11-22', 60, (hour) => (hour <= 12 ? 100 : 110.5)),
      zoneDay('nazionale', '2026-11-23', 60, () => 90),
      dailyPrice('PSV', '2026-11-20', 34.127),
      dailyPrice('CO2', '2026-11-15', 79.32),
      dailyPrice('TTF', '2026-11-14', 31.85),
    ])
  })

  it('200 with each index on its own day, omitting missing ones and those older than 7 days', async () => {
    const { status, json } = await service.ask('/v1/today')
    const body = json()
    expect(status).toBe(200)
    expect(Object.keys(body.values as object).sort()).toEqual(['CO2', 'PSV', 'PUN'])
    expect(body).toMatchObject({
      date: '2026-11-22',
      values: {
        PUN: { asset: 'PUN', date: '2026-11-22', value: 0.10525, value_native: 105.25, ...UNITS },
        PSV: { date: '2026-11-20', value: 0.03413, value_native: 34.127, ...UNITS },
        CO2: { date: '2026-11-15', value: 79.32, unit: '€/tCO2' },
      },
      source_page: `${service.baseUrl}/`,
      docs: `${service.baseUrl}/v1`,
    })
    expect(body.values).not.toHaveProperty('CO2.value_native')
    expect(body.attribution).toContain('Gestore dei Mercati Energetici')
  })

  it('200 falls back to the latest PUN while today’s is missing', async () => {
    service.setNow('2026-11-25T09:00:00Z')
    const body = (await service.ask('/v1/today')).json()
    expect(body).toMatchObject({ date: '2026-11-23', values: { PUN: { date: '2026-11-23', value: 0.09 } } })
  })
})
