import { beforeAll, describe, expect, it } from 'vitest'
import { octoberPrices } from '../../support/offers.ts'
import { serviceOfFile } from '../../support/service.ts'
import { sendJson } from '../send-json.ts'

const PORTFOLIO = { customers: 1000, avg_consumption_kwh: 2700 }
const BODY = { commodity: 'luce', spread_eur_kwh: 0.015, fixed_fee_eur_month: 10, portfolio: PORTFOLIO }

const service = await serviceOfFile({ now: '2026-11-21T10:00:00Z' })
const headers = await service.asPlan('Pro')

const post = (body: unknown, more = {}, query = '') =>
  sendJson(service, `/v1/tools/margin-simulator${query}`, body, { ...headers, ...more })

describe('POST /v1/tools/margin-simulator before there is data', () => {
  it('503 no_data', async () => {
    const answer = await post(BODY)
    expect([answer.status, answer.json().error]).toEqual([503, 'no_data'])
  })
})

describe('POST /v1/tools/margin-simulator', () => {
  beforeAll(() => service.seed(octoberPrices({ PUN: 110, PSV: 30 })))

  // The figures calculated by hand in test/unit/market/margin-simulation.test.ts.
  it('200 with a simulation and all its assumptions', async () => {
    const answer = await post(BODY)
    expect(answer.json()).toEqual({
      gross_margin_eur: { base: 99_727.5, stress_up: 97_969.8, stress_down: 100_683.3 },
      margin_per_customer_eur_year: 99.73,
      breakeven_spread_eur_kwh: -0.022499,
      assumptions: {
        months: 12,
        wholesale_price_eur_kwh: 0.11,
        wholesale_asset: 'PUN',
        wholesale_from: '2026-10-01',
        wholesale_to: '2026-10-31',
        cost_to_serve_eur_customer_year: 45,
        bad_debt_pct: 1.5,
        volume_risk_pct: 3,
        stress_up: { wholesale_price_pct: 30, volume_pct: 10 },
        stress_down: { wholesale_price_pct: -30, volume_pct: -10 },
      },
      attribution: expect.stringContaining('Gestore dei Mercati Energetici'),
    })
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  it('200 with the assumptions of the request instead of the defaults', async () => {
    const costs = { cost_to_serve_eur_customer_year: 0, bad_debt_pct: 0, volume_risk_pct: 0 }
    expect((await post({ ...BODY, months: 6, portfolio: { ...PORTFOLIO, ...costs } })).json()).toMatchObject({
      gross_margin_eur: { base: 80_250 }, // 1,000 × (0.015 × 1,350 + 60)
      margin_per_customer_eur_year: 160.5,
      assumptions: { months: 6, ...costs },
    })
  })

  it('200 for gas at the PSV price', async () => {
    expect((await post({ ...BODY, commodity: 'gas' })).json()).toMatchObject({
      assumptions: { wholesale_asset: 'PSV', wholesale_price_eur_kwh: 0.03 },
    })
  })

  it.each<[string, unknown, string, object?, string?]>([
    ['malformed JSON', '{"commodity":', 'body'],
    ['JSON that is no object', '[1]', 'body'],
    ['an empty body', '', 'commodity'],
    ['more than 32 kB', JSON.stringify({ ...BODY, pad: 'x'.repeat(33_000) }), 'body'],
    ['an unknown field', { ...BODY, currency: 'EUR' }, 'currency'],
    ['a number as text', { ...BODY, spread_eur_kwh: '0.015' }, 'spread_eur_kwh'],
    ['null', { ...BODY, fixed_fee_eur_month: null }, 'fixed_fee_eur_month'],
    ['no portfolio', { ...BODY, portfolio: undefined }, 'portfolio'],
    ['an infinite spread', JSON.stringify(BODY).replace('0.015', '1e999'), 'spread_eur_kwh'],
    ['no months', { ...BODY, months: 0 }, 'months'],
    ['an unknown commodity', { ...BODY, commodity: 'oil' }, 'commodity'],
    ['another content type', BODY, 'body', { 'content-type': 'text/plain' }],
    ['a query parameter', BODY, 'months', {}, '?months=6'],
  ])('400 for %s', async (_name, body, param, more, query) => {
    const answer = await post(body, more, query)
    expect(answer.status).toBe(400)
    expect(answer.json()).toMatchObject({ error: 'invalid_parameter', param })
  })

  it.each([
    ['an unknown field', { churn: 1 }],
    ['part of a customer', { customers: 1.5 }],
    ['no customers', { customers: 0 }],
    ['no consumption', { avg_consumption_kwh: 0 }],
    ['more bad debt than revenue', { bad_debt_pct: 101 }],
  ])('400 for %s in the portfolio', async (_name, change) => {
    const answer = await post({ ...BODY, portfolio: { ...PORTFOLIO, ...change } })
    expect(answer.status).toBe(400)
    expect(answer.json()).toMatchObject({ error: 'invalid_parameter', param: `portfolio.${Object.keys(change)[0]}` })
  })

  it('200 at the extremes that the body allows', async () => {
    for (const [customers, kwh, months] of [
      [100_000_000, 1e9, 120],
      [1, 0.001, 1],
    ]) {
      const portfolio = { customers, avg_consumption_kwh: kwh, bad_debt_pct: 50, volume_risk_pct: 100 }
      const answer = await post({ ...BODY, spread_eur_kwh: -10, fixed_fee_eur_month: 100_000, months, portfolio })
      expect(answer.status).toBe(200)
    }
  })
})
