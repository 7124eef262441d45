import { beforeAll, describe, expect, it } from 'vitest'
import { exampleOffers, octoberPrices, publishOffers } from '../../support/offers.ts'
import { serviceOfFile } from '../../support/service.ts'

const service = await serviceOfFile({ now: '2026-11-21T10:00:00Z' })

const estimate = (query: string) => service.ask(`/v1/tools/bill-estimate?${query}`)

describe('GET /v1/tools/bill-estimate before there is data', () => {
  it.each(['variabile', 'fisso'])('503 no_data for the price type %s', async (priceType) => {
    const answer = await estimate(`commodity=luce&consumption=2700&price_type=${priceType}`)
    expect([answer.status, answer.json().error]).toEqual([503, 'no_data'])
  })
})

describe('GET /v1/tools/bill-estimate', () => {
  beforeAll(async () => {
    await publishOffers(service, exampleOffers('luce'), { day: '2026-11-21' })
    await publishOffers(service, exampleOffers('gas'), { day: '2026-11-21', commodity: 'gas' })
  })

  it('503 for a variable price before the index has a full month; 200 for a fixed one', async () => {
    expect((await estimate('commodity=luce&consumption=2700')).status).toBe(503)
    expect((await estimate('commodity=luce&consumption=2700&price_type=fisso')).json()).toMatchObject({
      energy_price_eur_kwh: 0.1055,
      energy_cost_year_eur: 284.85,
      energy_cost_month_eur: 23.74,
      basis: 'Median price of 12 fixed offers.',
      assumptions: { price_type: 'fisso', customer: 'domestico', offers: 12 },
    })
    await service.seed(octoberPrices({ PUN: 100, PSV: 30 }))
  })

  it('200 for electricity, by default from the last full month’s mean plus the median spread', async () => {
    const body = (await estimate('commodity=luce&consumption=2700')).json()
    expect(body).toEqual({
      commodity: 'luce',
      consumption: 2700,
      consumption_unit: 'kWh/year',
      energy_price_eur_kwh: 0.1155,
      energy_cost_year_eur: 311.85,
      energy_cost_month_eur: 25.99,
      basis: 'Average PUN from 2026-10-01 to 2026-10-31 plus the median spread of 12 variable offers.',
      assumptions: {
        price_type: 'variabile',
        customer: 'domestico',
        offers: 12,
        reference: { asset: 'PUN', from: '2026-10-01', to: '2026-10-31', value: 0.1 },
        median_spread_eur_kwh: 0.0155,
      },
      not_included: { items: expect.any(Array), share_of_bill_pct: { from: 40, to: 60 } },
      compare_offers: 'https://www.ilportaleofferte.it/',
      updated_at: '2026-11-21',
      source: expect.any(String),
      attribution: expect.stringContaining('Gestore dei Mercati Energetici'),
    })
  })

  // 1,400 Smc × 10.7 kWh/Smc × 0.0455 €/kWh = 681.59 €
  it('200 for gas, with consumption in cubic metres', async () => {
    expect((await estimate('commodity=gas&consumption=1400')).json()).toMatchObject({
      consumption: 1400,
      consumption_unit: 'Smc/year',
      energy_price_eur_kwh: 0.0455,
      energy_cost_year_eur: 681.59,
      energy_cost_month_eur: 56.8,
      assumptions: { kwh_per_smc: 10.7, reference: { asset: 'PSV', value: 0.03 } },
    })
  })

  it.each(['0.5', '1000000000', '2700.25'])('200 for a consumption of %s', async (consumption) => {
    const body = (await estimate(`commodity=luce&consumption=${consumption}`)).json()
    expect(body.consumption).toBe(Number(consumption))
    expect(body.energy_cost_year_eur).toBeCloseTo(Number(consumption) * 0.1155, 2)
  })

  it.each([
    ['no commodity', 'consumption=2700', 'commodity'],
    ['no consumption', 'commodity=luce', 'consumption'],
    ['a consumption of 0', 'commodity=luce&consumption=0', 'consumption'],
    ['a negative one', 'commodity=luce&consumption=-1', 'consumption'],
    ['one of more than 10⁹', 'commodity=luce&consumption=1000000000.1', 'consumption'],
    ['a decimal comma', 'commodity=luce&consumption=2700,5', 'consumption'],
    ['an exponent', 'commodity=luce&consumption=2e3', 'consumption'],
    ['a hexadecimal number', 'commodity=luce&consumption=0x10', 'consumption'],
  ])('400 for %s', async (_name, query, param) => {
    const answer = await estimate(query)
    expect(answer.status).toBe(400)
    expect(answer.json()).toMatchObject({ error: 'invalid_parameter', param })
  })
})
