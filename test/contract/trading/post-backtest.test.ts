import { describe, expect, it } from 'vitest'
import { dailyPrice } from '../../support/prices.ts'
import { serviceOfFile, startTestService } from '../../support/service.ts'
import { dayNumber, NOW, priceOn, tradingHistory } from './trading-history.ts'

const REQUEST = {
  asset: 'pun',
  strategy: 'sma_cross',
  from: '2026-02-01',
  to: '2026-11-20',
  params: { fast: 3, slow: 10 },
}
const { params: _, ...WITHOUT_PARAMS } = REQUEST

const service = await serviceOfFile({ now: NOW })
const { authorization } = await service.asPlan('Trading')
await service.seed(tradingHistory())

const post = (body: unknown) =>
  service.ask('/v1/trading/backtest', {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

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
    const answer = await post({ ...WITHOUT_PARAMS, strategy, ...(params && { params }) })
    expect(answer.json()).toMatchObject({ strategy, params: used })
  })

  it.each(['pun', 'psv', 'ttf'])('runs a rolling hedge on %s', async (asset) => {
    const answer = await post({ ...WITHOUT_PARAMS, asset, strategy: 'rolling_hedge', params: { window: 20 } })
    expect(answer.status).toBe(200)
    expect(answer.json()).toMatchObject({ asset: asset.toUpperCase(), trades: expect.any(Number) })
  })

  it('uses quartiles of the first 60 prices as default thresholds and starts after them', async () => {
    const answer = await post({ ...WITHOUT_PARAMS, asset: 'psv', strategy: 'threshold', params: { cost_bps: 5 } })
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
  it.each<[string, unknown, string, string]>([
    ['no asset', { ...REQUEST, asset: undefined }, 'asset', 'is required'],
    ['another asset', { ...REQUEST, asset: 'brent' }, 'asset', 'must be one of pun, psv, ttf'],
    ['no strategy', { ...REQUEST, strategy: undefined }, 'strategy', 'is required'],
    [
      'another strategy',
      { ...REQUEST, strategy: 'hodl' },
      'strategy',
      'must be one of sma_cross, threshold, rolling_hedge',
    ],
    ['an impossible date', { ...REQUEST, from: '2026-02-30' }, 'from', 'must be a calendar date'],
    ['an unknown field', { ...REQUEST, form: 1 }, 'form', 'is not a known field'],
    ['from after to', { ...REQUEST, from: '2026-11-20', to: '2026-02-01' }, 'from', 'must be before to'],
    ['an empty span', { ...REQUEST, from: '2026-11-20', to: '2026-11-20' }, 'from', 'must be before to'],
    ['more than 20 years', { ...REQUEST, from: '2006-11-19' }, 'to', 'at most 20 years'],
    ['a span before the history', { ...REQUEST, from: '2004-01-01', to: '2004-12-31' }, 'from', 'it has none'],
    ['fast above slow', { ...REQUEST, params: { fast: 20, slow: 10 } }, 'params.fast', 'must be less than slow'],
    ['fast as slow', { ...REQUEST, params: { fast: 10, slow: 10 } }, 'params.fast', 'must be less than slow'],
    ['fast above the default slow', { ...REQUEST, params: { fast: 60 } }, 'params.fast', 'must be less than slow'],
    ['a part of a day', { ...REQUEST, params: { fast: 2.5, slow: 10 } }, 'params.fast', 'must be a whole number'],
    ['a number as text', { ...REQUEST, params: { fast: '2', slow: 10 } }, 'params.fast', 'must be a whole number'],
    ['no length', { ...REQUEST, params: { fast: 0, slow: 10 } }, 'params.fast', 'must be at least 1'],
    ['a very long length', { ...REQUEST, params: { fast: 2, slow: 1001 } }, 'params.slow', 'must be at most 1000'],
    [
      'more days than there are',
      { ...REQUEST, params: { fast: 2, slow: 900 } },
      'params.slow',
      'needs 902 days, the span has 293',
    ],
    ['a parameter of another strategy', { ...REQUEST, params: { window: 5 } }, 'params.window', 'is not a known field'],
    ['negative costs', { ...REQUEST, params: { cost_bps: -1 } }, 'params.cost_bps', 'must not be negative'],
    ['params of null', { ...REQUEST, params: null }, 'params', 'must be an object'],
    [
      'one threshold',
      { ...REQUEST, strategy: 'threshold', params: { buy_below: 1 } },
      'params.sell_above',
      'is required',
    ],
    [
      'the other threshold',
      { ...REQUEST, strategy: 'threshold', params: { sell_above: 1 } },
      'params.buy_below',
      'is required',
    ],
    [
      'thresholds left out of a short span',
      { ...WITHOUT_PARAMS, strategy: 'threshold', from: '2026-09-21' },
      'to',
      'must leave 62 days, the span has 61',
    ],
    [
      'thresholds crossed',
      { ...REQUEST, strategy: 'threshold', params: { buy_below: 9, sell_above: 8 } },
      'params.buy_below',
      'must not be more than sell_above',
    ],
    [
      'an enormous threshold',
      { ...REQUEST, strategy: 'threshold', params: { buy_below: 9, sell_above: 1e300 } },
      'params.sell_above',
      'must be between',
    ],
    [
      'a short hedge window',
      { ...REQUEST, strategy: 'rolling_hedge', params: { window: 2 } },
      'params.window',
      'must be at least 5',
    ],
    [
      'a hedge window beyond the span',
      { ...REQUEST, strategy: 'rolling_hedge', params: { window: 999 } },
      'params.window',
      'needs 1002 days',
    ],
    [
      'a negative hedge',
      { ...REQUEST, strategy: 'rolling_hedge', params: { hedge_ratio: -1 } },
      'params.hedge_ratio',
      'must not be negative',
    ],
    ['an array', [REQUEST], 'body', 'must be an object'],
    ['broken JSON', '{', 'body', 'well-formed JSON'],
    [
      'a number beyond all numbers',
      '{"asset":"pun","strategy":"sma_cross","from":"2026-02-01","to":"2026-11-20","params":{"cost_bps":1e999}}',
      'params.cost_bps',
      'must be',
    ],
  ])('returns 400 for %s and names the parameter', async (_name, body, param, reason) => {
    const answer = await post(body)
    expect(answer.status, answer.text).toBe(400)
    expect(answer.json()).toMatchObject({ error: 'invalid_parameter', param, message: expect.stringContaining(reason) })
  })

  it('returns 400 naming the missing prices of a hedge', async () => {
    const early = await startTestService({ now: NOW })
    const { key } = await early.issueKey('Trading')
    await early.seed(
      Array.from({ length: 28 }, (_, i) => dailyPrice('TTF', `2026-02-${String(i + 1).padStart(2, '0')}`, 30 + i)),
    )
    const answer = await early.ask('/v1/trading/backtest', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...WITHOUT_PARAMS, asset: 'ttf', strategy: 'rolling_hedge' }),
    })
    await early.stop()
    expect(answer.status).toBe(400)
    expect(answer.json()).toMatchObject({
      param: 'strategy',
      message: expect.stringContaining('needs prices of Brent'),
    })
  })

  it('returns 503 for a future span', async () => {
    const answer = await post({ ...REQUEST, from: '2027-01-01', to: '2027-12-31' })
    expect(answer.status).toBe(503)
    expect(answer.json()).toMatchObject({ error: 'no_data' })
  })
})
