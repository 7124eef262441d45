import { describe, expect, it } from 'vitest'
import { dailyPrice } from '../../support/prices.ts'
import { serviceOfFile } from '../../support/service.ts'
import { sendJson } from '../send-json.ts'
import { dayNumber, NOW, priceOn, tradingHistory } from './trading-history.ts'

const REQUEST = {
  asset: 'pun',
  strategy: 'sma_cross',
  from: '2026-02-01',
  to: '2026-11-20',
  params: { fast: 3, slow: 10 },
}

const service = await serviceOfFile({ now: NOW })
const headers = await service.asPlan('Trading')
await service.seed([...tradingHistory(), dailyPrice('TTF', '2025-02-03', 30)])

const post = (body: unknown) => sendJson(service, '/v1/trading/backtest', body, headers)

describe('POST /trading/backtest', () => {
  it('returns the figures of the contract, with the span and parameters used', async () => {
    const answer = await post(REQUEST)
    expect(answer.status).toBe(200)
    expect(answer.json()).toMatchObject({
      total_return_pct: expect.any(Number),
      max_drawdown_pct: expect.any(Number),
      sharpe: expect.any(Number),
      benchmark_return_pct: expect.any(Number),
      trades: expect.any(Number),
      asset: 'PUN',
      params: { fast: 3, slow: 10, cost_bps: 0 },
      from: '2026-02-11',
      to: '2026-11-20',
      days: 283,
      excluded_days: 0,
    })
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  it.each([
    ['sma_cross', undefined, { fast: 20, slow: 50, cost_bps: 0 }],
    ['threshold', { buy_below: 95, sell_above: 110, cost_bps: 10 }, { buy_below: 95, sell_above: 110, cost_bps: 10 }],
    ['threshold', undefined, { cost_bps: 0 }],
    ['rolling_hedge', undefined, { window: 60, hedge_ratio: 1, cost_bps: 0 }],
  ])('runs %s with given or default parameters', async (strategy, params, used) => {
    const answer = await post({ ...REQUEST, strategy, params })
    expect(answer.json()).toMatchObject({ strategy, params: used })
  })

  it.each(['pun', 'psv', 'ttf'])('runs a rolling hedge on %s', async (asset) => {
    const answer = await post({ ...REQUEST, asset, strategy: 'rolling_hedge', params: { window: 20 } })
    expect(answer.status).toBe(200)
    expect(answer.json()).toMatchObject({ asset: asset.toUpperCase(), trades: expect.any(Number) })
  })

  it('uses quartiles of the first 60 prices as default thresholds and starts after them', async () => {
    const answer = await post({ ...REQUEST, asset: 'psv', strategy: 'threshold', params: { cost_bps: 5 } })
    const first = Array.from({ length: 60 }, (_, n) => priceOn(dayNumber('2026-02-01') + n).PSV).sort((a, b) => a - b)
    const between = (below: number, share: number) =>
      (first[below] as number) * (1 - share) + (first[below + 1] as number) * share
    expect(answer.json()).toMatchObject({
      from: '2026-04-02',
      params: {
        buy_below: expect.closeTo(between(14, 0.75), 1),
        sell_above: expect.closeTo(between(44, 0.25), 1),
        cost_bps: 5,
      },
    })
  })

  it('returns less with trading costs', async () => {
    const free = (await post(REQUEST)).json() as { total_return_pct: number; trades: number }
    const dear = (await post({ ...REQUEST, params: { ...REQUEST.params, cost_bps: 50 } })).json() as typeof free
    expect(dear.trades).toBe(free.trades)
    expect(dear.total_return_pct).toBeLessThan(free.total_return_pct)
  })

  it('omits the Sharpe ratio if the strategy never buys', async () => {
    const answer = await post({ ...REQUEST, strategy: 'threshold', params: { buy_below: 1, sell_above: 2 } })
    expect(answer.json()).toMatchObject({ total_return_pct: 0, max_drawdown_pct: 0, trades: 0 })
    expect(answer.json()).not.toHaveProperty('sharpe')
  })

  it('excludes days without a positive price and counts them', async () => {
    await service.seed([dailyPrice('PSV', '2026-05-05', 0)])
    expect((await post({ ...REQUEST, asset: 'psv' })).json()).toMatchObject({ excluded_days: 1, days: 282 })
  })
})

describe('an invalid backtest request', () => {
  async function expectRefusal(body: unknown, param: string, reason: string) {
    const answer = await post(body)
    expect(answer.status, answer.text).toBe(400)
    expect(answer.json()).toMatchObject({ error: 'invalid_parameter', param, message: expect.stringContaining(reason) })
  }

  it.each<[string, object, string, string]>([
    ['no asset', { asset: undefined }, 'asset', 'is required'],
    ['another asset', { asset: 'brent' }, 'asset', 'must be one of pun, psv, ttf'],
    ['no strategy', { strategy: undefined }, 'strategy', 'is required'],
    ['another strategy', { strategy: 'hodl' }, 'strategy', 'must be one of sma_cross, threshold, rolling_hedge'],
    ['an impossible date', { from: '2026-02-30' }, 'from', 'must be a calendar date'],
    ['an unknown field', { form: 1 }, 'form', 'is not a known field'],
    ['from after to', { from: '2026-11-20', to: '2026-02-01' }, 'from', 'must be before to'],
    ['an empty span', { from: '2026-11-20', to: '2026-11-20' }, 'from', 'must be before to'],
    ['more than 20 years', { from: '2006-11-19' }, 'to', 'at most 20 years'],
    ['a span before the history', { from: '2004-01-01', to: '2004-12-31' }, 'from', 'it has none'],
    ['params of null', { params: null }, 'params', 'must be an object'],
  ])('returns 400 for %s and names the parameter', async (_name, change, param, reason) => {
    await expectRefusal({ ...REQUEST, ...change }, param, reason)
  })

  it.each<[string, string, object, string, string]>([
    ['fast above slow', 'sma_cross', { fast: 20, slow: 10 }, 'fast', 'must be less than slow'],
    ['fast as slow', 'sma_cross', { fast: 10, slow: 10 }, 'fast', 'must be less than slow'],
    ['fast above the default slow', 'sma_cross', { fast: 60 }, 'fast', 'must be less than slow'],
    ['a part of a day', 'sma_cross', { fast: 2.5, slow: 10 }, 'fast', 'must be a whole number'],
    ['a number as text', 'sma_cross', { fast: '2', slow: 10 }, 'fast', 'must be a whole number'],
    ['no length', 'sma_cross', { fast: 0, slow: 10 }, 'fast', 'must be at least 1'],
    ['a very long length', 'sma_cross', { fast: 2, slow: 1001 }, 'slow', 'must be at most 1000'],
    ['more days than there are', 'sma_cross', { fast: 2, slow: 900 }, 'slow', 'needs 902 days, the span has 293'],
    ['a parameter of another strategy', 'sma_cross', { window: 5 }, 'window', 'is not a known field'],
    ['negative costs', 'sma_cross', { cost_bps: -1 }, 'cost_bps', 'must not be negative'],
    ['one threshold', 'threshold', { buy_below: 1 }, 'sell_above', 'is required'],
    ['the other threshold', 'threshold', { sell_above: 1 }, 'buy_below', 'is required'],
    [
      'crossed thresholds',
      'threshold',
      { buy_below: 9, sell_above: 8 },
      'buy_below',
      'must not be more than sell_above',
    ],
    ['an enormous threshold', 'threshold', { buy_below: 9, sell_above: 1e300 }, 'sell_above', 'must be between'],
    ['a short hedge window', 'rolling_hedge', { window: 2 }, 'window', 'must be at least 5'],
    ['a hedge window beyond the span', 'rolling_hedge', { window: 999 }, 'window', 'needs 1002 days'],
    ['a negative hedge', 'rolling_hedge', { hedge_ratio: -1 }, 'hedge_ratio', 'must not be negative'],
  ])('returns 400 for %s and names the parameter', async (_name, strategy, params, field, reason) => {
    await expectRefusal({ ...REQUEST, strategy, params }, `params.${field}`, reason)
  })

  it.each<[string, unknown, string, string]>([
    ['an array', [REQUEST], 'body', 'must be an object'],
    ['broken JSON', '{', 'body', 'well-formed JSON'],
    [
      'a number beyond all numbers',
      JSON.stringify(REQUEST).replace('"fast":3', '"cost_bps":1e999'),
      'params.cost_bps',
      'must be',
    ],
  ])('returns 400 for %s and names the parameter', async (_name, body, param, reason) => {
    await expectRefusal(body, param, reason)
  })

  it('returns 400 for default thresholds in a short span, and for a hedge without prices', async () => {
    const short = { ...REQUEST, strategy: 'threshold', params: undefined, from: '2026-09-21' }
    await expectRefusal(short, 'to', 'must leave 62 days, the span has 61')
    const unhedged = { asset: 'ttf', strategy: 'rolling_hedge', from: '2025-02-01', to: '2025-02-28' }
    await expectRefusal(unhedged, 'strategy', 'needs prices of Brent')
  })

  it('returns 503 for a future span', async () => {
    const answer = await post({ ...REQUEST, from: '2027-01-01', to: '2027-12-31' })
    expect(answer.status).toBe(503)
    expect(answer.json()).toMatchObject({ error: 'no_data' })
  })
})
