import { describe, expect, it } from 'vitest'
import { seedHours } from '../../support/hourly-forecasts.ts'
import { dailyPrice, zoneDay } from '../../support/prices.ts'
import { serviceOfFile } from '../../support/service.ts'
import { sendJson } from '../send-json.ts'

const BATTERY = { power_mw: 2, energy_mwh: 2, efficiency: 1, cycles_per_day: 1 }
const REQUEST = { zone: 'nord', from: '2026-10-24', to: '2026-11-01', ...BATTERY }

const service = await serviceOfFile({ now: '2026-11-01T20:00:00Z' })
const headers = await service.asPlan('Trading')
const issued = { zone: 'nord', days: 1, issue: 'evening' } as const
// The midday issue is not used.
const midday = { infoDate: '2026-10-23', issuedAt: '2026-10-22T11:00:00Z', issue: 'midday' } as const
await seedHours(service.sql, { ...issued, ...midday })
const evening = { infoDate: '2026-10-24', issuedAt: '2026-10-23T17:30:00Z' }
await seedHours(service.sql, { ...issued, ...evening, p50: (hour) => (hour === 20 ? 99 : hour === 5 ? 1 : 50) })
await service.seed([
  dailyPrice('PUN', '2026-11-01', 100),
  zoneDay('nord', '2026-10-24', 60, (hour) => hour),
  zoneDay('nord', '2026-10-25', 60, (hour) => hour),
  zoneDay('nord', '2026-10-26', 60, (hour) => (hour === 7 ? undefined : hour)),
  zoneDay('nord', '2026-11-01', 60, () => 50),
])

const post = (body: unknown) => sendJson(service, '/v1/trading/battery', body, headers)

describe('POST /trading/battery', () => {
  it('compares the evening forecast with perfect foresight, on days of 24 and 25 hours', async () => {
    const answer = await post(REQUEST)
    expect(answer.status, answer.text).toBe(200)
    expect(answer.json()).toMatchObject({
      zone: 'nord',
      battery: BATTERY,
      unit: '€',
      perfect_foresight: { days: 3, revenue_eur: 94, eur_mw_year: 5718.33, cycles: 2 },
      forecast: {
        ...{ days: 1, live_days: 1, replay_days: 0, revenue_eur: 30, eur_mw_year: 5475 },
        ...{ perfect_foresight_eur: 48, share_pct: 62.5 },
      },
      excluded_days: { incomplete_prices: 6, no_forecast: 2 },
      months: [
        { month: '2026-10', days: 2, perfect_foresight_eur: 94, forecast_days: 1, forecast_eur: 30, share_pct: 62.5 },
        { month: '2026-11', days: 1, perfect_foresight_eur: 0, forecast_days: 0 },
      ],
    })
  })

  it('omits forecast figures if there was no forecast, and defaults to a four-hour battery', async () => {
    const body = (await post({ zone: 'nord', from: '2026-10-24', to: '2026-10-24' })).json()
    expect(body).not.toHaveProperty('forecast')
    expect(body).toMatchObject({ battery: { power_mw: 1, energy_mwh: 4, efficiency: 0.85, cycles_per_day: 1 } })
  })

  it.each<[string, object, string, string]>([
    ['from after to', { from: '2026-11-02' }, 'from', 'must not be after to'],
    ['more than three years', { from: '2023-10-31' }, 'to', 'at most 3 years'],
    ['no power', { power_mw: 0 }, 'power_mw', 'must be at least 0.001'],
    ['more out than in', { efficiency: 1.01 }, 'efficiency', 'must be at most 1'],
    ['a field of another strategy', { fast: 3 }, 'fast', 'is not a known field'],
  ])('returns 400 for %s and names the parameter', async (_name, change, param, reason) => {
    const answer = await post({ ...REQUEST, ...change })
    expect(answer.status, answer.text).toBe(400)
    expect(answer.json()).toMatchObject({ error: 'invalid_parameter', param, message: expect.stringContaining(reason) })
  })

  it.each([
    [404, { from: '2024-01-01', to: '2024-01-31' }, 'There are no prices of nord'],
    [503, { from: '2026-11-02', to: '2026-11-30' }, 'not published yet'],
  ])('returns %i without prices', async (status, span, message) => {
    const answer = await post({ ...REQUEST, ...span })
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(message)])
  })
})
