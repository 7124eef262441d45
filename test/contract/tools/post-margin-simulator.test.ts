import { beforeAll, describe, expect, it } from 'vitest'
import { octoberPrices } from '../../support/offers.ts'
import { serviceOfFile } from '../../support/service.ts'

const PORTFOLIO = { customers: 1000, avg_consumption_kwh: 2700 }
const BODY = { commodity: 'luce', spread_eur_kwh: 0.015, fixed_fee_eur_month: 10, portfolio: PORTFOLIO }

const service = await serviceOfFile({ now: '2026-11-21T10:00:00Z' })
const { authorization } = await service.asPlan('Pro')

const post = (body: unknown, contentType = 'application/json') =>
  service.ask('/v1/tools/margin-simulator', {
    method: 'POST',
    headers: { authorization, 'content-type': contentType },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

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
    const portfolio = {
      ...PORTFOLIO,
      cost_to_serve_eur_customer_year: 0,
      bad_debt_pct: 0,
      volume_risk_pct: 0,
    }
    expect((await post({ ...BODY, months: 6, portfolio })).json()).toMatchObject({
      gross_margin_eur: { base: 80_250 }, // 1,000 × (0.015 × 1,350 + 60)
      margin_per_customer_eur_year: 160.5,
      assumptions: { months: 6, cost_to_serve_eur_customer_year: 0, bad_debt_pct: 0, volume_risk_pct: 0 },
    })
  })

  it('200 for gas at the PSV price', async () => {
    expect((await post({ ...BODY, commodity: 'gas' })).json()).toMatchObject({
      assumptions: { wholesale_asset: 'PSV', wholesale_price_eur_kwh: 0.03 },
    })
  })

  it.each([
    ['malformed JSON', '{"commodity":', 'body'],
    ['JSON that is no object', '[1]', 'body'],
    ['an empty body', '', 'commodity'],
    ['more than 32 kB', JSON.stringify({ ...BODY, pad: 'x'.repeat(33_000) }), 'body'],
    ['an unknown field', { ...BODY, currency: 'EUR' }, 'currency'],
    ['an unknown field within', { ...BODY, portfolio: { ...PORTFOLIO, churn: 1 } }, 'portfolio.churn'],
    ['a number as text', { ...BODY, spread_eur_kwh: '0.015' }, 'spread_eur_kwh'],
    ['null', { ...BODY, fixed_fee_eur_month: null }, 'fixed_fee_eur_month'],
    ['no portfolio', { ...BODY, portfolio: undefined }, 'portfolio'],
    ['part of a customer', { ...BODY, portfolio: { ...PORTFOLIO, customers: 1.5 } }, 'portfolio.customers'],
    ['no customers', { ...BODY, portfolio: { ...PORTFOLIO, customers: 0 } }, 'portfolio.customers'],
    [
      'no consumption',
      { ...BODY, portfolio: { ...PORTFOLIO, avg_consumption_kwh: 0 } },
      'portfolio.avg_consumption_kwh',
    ],
    ['an infinite spread', JSON.stringify(BODY).replace('0.015', '1e999'), 'spread_eur_kwh'],
    ['no months', { ...BODY, months: 0 }, 'months'],
    ['an unknown commodity', { ...BODY, commodity: 'oil' }, 'commodity'],
    [
      'more bad debt than revenue',
      { ...BODY, portfolio: { ...PORTFOLIO, bad_debt_pct: 101 } },
      'portfolio.bad_debt_pct',
    ],
  ])('400 for %s', async (_name, body, param) => {
    const answer = await post(body)
    expect(answer.status).toBe(400)
    expect(answer.json()).toMatchObject({ error: 'invalid_parameter', param })
  })

  it('400 for another content type', async () => {
    const answer = await post(BODY, 'text/plain')
    expect([answer.status, answer.json().param]).toEqual([400, 'body'])
  })

  it('400 for a query parameter', async () => {
    const answer = await service.ask('/v1/tools/margin-simulator?months=6', {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(BODY),
    })
    expect([answer.status, answer.json().param]).toEqual([400, 'months'])
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
