import { beforeAll, describe, expect, it } from 'vitest'
import { exampleOffers, octoberPrices, publishOffers } from '../../support/offers.ts'
import { zoneDay } from '../../support/prices.ts'
import { serviceOfFile } from '../../support/service.ts'

const service = await serviceOfFile({ now: '2026-11-21T10:00:00Z' })
const { authorization } = await service.asPlan('API')

const stats = (query: string) => service.ask(`/v1/mercato-libero/stats?${query}`, { headers: { authorization } })

describe('GET /v1/mercato-libero/stats', () => {
  beforeAll(async () => {
    await service.seed(octoberPrices({ PUN: 100, PSV: 30 }))
    await publishOffers(service, exampleOffers('luce'), { day: '2026-11-21' })
  })

  it('200 has the percentiles of variable offers to households by default', async () => {
    expect((await stats('commodity=luce')).json()).toEqual({
      commodity: 'luce',
      price_type: 'variabile',
      customer: 'domestico',
      offers: 12,
      excluded: 0,
      spread_eur_kwh: { p10: 0.0111, p25: 0.01275, median: 0.0155, p75: 0.01825, p90: 0.0199 },
      spread_basis: 'last_full_month',
      reference: { asset: 'PUN', from: '2026-10-01', to: '2026-10-31', value: 0.1 },
      fixed_cost_eur_month: { p10: 8.55, median: 10.75, p90: 12.95 },
      updated_at: '2026-11-21',
      source: 'Portale Offerte (ARERA, Acquirente Unico S.p.A.)',
      methodology: `${service.baseUrl}/docs/offer-indices`,
      attribution: expect.any(String),
    })
  })

  it('200 as CSV with the same values in one row', async () => {
    const { text, headers } = await stats('commodity=luce&format=csv')
    expect(text).toBe(
      'commodity;price_type;customer;offers;excluded;spread_eur_kwh_p10;spread_eur_kwh_p25;spread_eur_kwh_median;' +
        'spread_eur_kwh_p75;spread_eur_kwh_p90;spread_basis;reference_asset;reference_from;reference_to;reference_value;' +
        'fixed_cost_eur_month_p10;fixed_cost_eur_month_median;fixed_cost_eur_month_p90;updated_at\r\n' +
        'luce;variabile;domestico;12;0;0,0111;0,01275;0,0155;0,01825;0,0199;last_full_month;PUN;2026-10-01;2026-10-31;0,1;' +
        '8,55;10,75;12,95;2026-11-21\r\n',
    )
    expect(headers.get('content-disposition')).toContain('mercato-libero_luce_variabile_domestico_2026-11-21.csv')
  })

  it('200 for offers to businesses', async () => {
    expect((await stats('commodity=luce&customer=business')).json()).toMatchObject({ customer: 'business', offers: 12 })
  })

  it('503 for fixed prices until 20 of the last 30 days have reference prices', async () => {
    const fixed = 'commodity=luce&price_type=fisso'
    expect((await stats(fixed)).status).toBe(503) // 22 to 31 October are only ten days
    const days = Array.from({ length: 10 }, (_, i) => `2026-11-${String(i + 1).padStart(2, '0')}`)
    await service.seed(days.map((day) => zoneDay('nazionale', day, 60, () => 130)))
    await publishOffers(service, exampleOffers('luce'), { day: '2026-11-21' })
    const answer = await stats(fixed)
    expect(answer.json()).toMatchObject({
      price_type: 'fisso',
      spread_basis: 'trailing_30_days',
      reference: { asset: 'PUN', from: '2026-10-22', to: '2026-11-20', value: 0.115 },
      spread_eur_kwh: { median: -0.0095 },
    })
  })

  it('503 for a commodity without offers', async () => {
    const answer = await stats('commodity=gas')
    expect(answer.status).toBe(503)
    expect(answer.json()).toMatchObject({ error: 'no_data' })
  })

  it('400 for no commodity', async () => {
    const answer = await stats('')
    expect([answer.status, answer.json()]).toMatchObject([400, { error: 'invalid_parameter', param: 'commodity' }])
  })
})
