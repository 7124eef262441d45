import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type DailyClose, priceHistory, type Strategy } from '../../../../src/market/backtest/price-history.ts'
import { rollingHedge } from '../../../../src/market/backtest/rolling-hedge.ts'
import { type Backtest, maxDrawdown, runBacktest, sharpeRatio } from '../../../../src/market/backtest/run-backtest.ts'
import { smaCross } from '../../../../src/market/backtest/sma-cross.ts'
import { threshold } from '../../../../src/market/backtest/threshold.ts'

const FREE = { costBps: 0, daysPerYear: 365 }
const FIRST = Temporal.PlainDate.from('2026-03-01')

/** One price a day from 1 March 2026 on, including the change day. */
function closes(prices: number[]): DailyClose[] {
  return prices.map((price, i) => ({ date: FIRST.add({ days: i }).toString(), price }))
}

function run(prices: number[], strategy: Strategy, options = FREE, hedge?: number[]): Backtest {
  const result = runBacktest(priceHistory(closes(prices), hedge && closes(hedge)), strategy, options)
  if (result === undefined) throw new Error('too short')
  return result
}

describe('a moving-average crossover, calculated by hand', () => {
  // Averages of 1 and 2 days; the price of a day decides the next: long on 4 March (12 > 11), 5 March (15 > 13.5), out on 6 March.
  const PRICES = [10, 10, 12, 15, 12, 9]
  const cross = smaCross({ fast: 1, slow: 2 })

  it('earns the return of the day after the signal, and is compared with holding from the day before its first', () => {
    const result = run(PRICES, cross)
    expect(result).toMatchObject({ from: '2026-03-03', to: '2026-03-06', days: 4 })
    expect(result.totalReturn).toBeCloseTo(1 * (15 / 12) * (12 / 15) - 1, 12)
    expect(result.benchmarkReturn).toBeCloseTo(9 / 10 - 1, 12)
    expect(result.trades).toEqual([
      { date: '2026-03-04', asset: 1, hedge: 0 },
      { date: '2026-03-06', asset: 0, hedge: 0 },
    ])
  })

  it('pays costs for each change of position', () => {
    const { totalReturn } = run(PRICES, cross, { ...FREE, costBps: 100 })
    expect(totalReturn).toBeCloseTo((1 + 3 / 12 - 0.01) * (12 / 15) * (1 - 0.01) - 1, 12)
  })

  it.each([365, 252])('reports its maximum drawdown and its Sharpe ratio, annualised to %i days', (daysPerYear) => {
    const returns = [0, 0.25, -0.2, 0]
    const mean = 0.0125
    const deviation = Math.sqrt(returns.reduce((sum, r) => sum + (r - mean) ** 2, 0) / 3)
    const result = run(PRICES, cross, { ...FREE, daysPerYear })
    expect(result.maxDrawdown).toBeCloseTo(0.2, 12)
    expect(result.sharpe).toBeCloseTo((mean / deviation) * Math.sqrt(daysPerYear), 12)
  })

  it('treats equal averages as equal despite the rounding of their sums', () => {
    const { trades, sharpe, totalReturn } = run(Array(400).fill(50.1), smaCross({ fast: 7, slow: 30 }))
    expect({ trades, sharpe, totalReturn }).toEqual({ trades: [], sharpe: undefined, totalReturn: 0 })
  })
})

describe('a threshold strategy, calculated by hand', () => {
  it('is long from the day after a price below to the day after a price above', () => {
    const result = run([50, 39, 45, 61, 66, 50, 38, 40], threshold({ buyBelow: 40, sellAbove: 60 }))
    expect(result.trades).toEqual([
      { date: '2026-03-03', asset: 1, hedge: 0 },
      { date: '2026-03-05', asset: 0, hedge: 0 },
      { date: '2026-03-08', asset: 1, hedge: 0 },
    ])
    expect(result.totalReturn).toBeCloseTo((61 / 39) * (40 / 38) - 1, 12)
  })

  it('does not trade at the thresholds themselves', () => {
    expect(run([40, 60, 40, 60], threshold({ buyBelow: 40, sellAbove: 60 })).trades).toEqual([])
  })
})

describe('a rolling hedge, calculated by hand', () => {
  // The asset moves twice as much as its hedge: beta is 2, and only the unexplained part remains.
  const HEDGE = [100, 110, 99, 108.9, 98.01, 107.811]
  const TWICE = [100, 120, 96, 115.2, 92.16, 110.592]

  it('sells the hedge times its beta, which removes the common movement', () => {
    const result = run(TWICE, rollingHedge({ window: 2, hedgeRatio: 1 }), FREE, HEDGE)
    expect(result.from).toBe('2026-03-04')
    expect(result.totalReturn).toBeCloseTo(0, 12)
    expect(result.trades[0]).toEqual({ date: '2026-03-04', asset: 1, hedge: expect.closeTo(-2, 9) })
    expect(result.benchmarkReturn).toBeCloseTo(110.592 / 96 - 1, 12)
  })

  it('keeps the exposure that the hedge ratio leaves open', () => {
    const result = run(TWICE, rollingHedge({ window: 2, hedgeRatio: 0.5 }), FREE, HEDGE)
    expect(result.totalReturn).toBeCloseTo(1.1 * 0.9 * 1.1 - 1, 12)
  })

  it('holds no hedge if the price of the hedge does not move', () => {
    const result = run(TWICE, rollingHedge({ window: 3, hedgeRatio: 1 }), FREE, Array(6).fill(100))
    expect(result.totalReturn).toBeCloseTo(result.benchmarkReturn, 12)
    expect(result.trades).toHaveLength(1)
  })

  it('uses only the days with both prices', () => {
    const history = priceHistory(closes([1, 2, 3, 4]), closes([1, 2, 3, 4]).slice(1))
    expect(history.dates).toEqual(['2026-03-02', '2026-03-03', '2026-03-04'])
  })
})

describe('prices at or below zero', () => {
  it('are excluded and counted, and the next return is since the last positive price', () => {
    const history = priceHistory(closes([10, 0, -5, 20, 30]))
    expect(history).toMatchObject({ dates: ['2026-03-01', '2026-03-04', '2026-03-05'], excludedDays: 2 })
    expect(run([10, 0, -5, 20, 30], threshold({ buyBelow: 15, sellAbove: 100 })).totalReturn).toBeCloseTo(2, 12)
  })

  it('of the hedge exclude a day too', () => {
    expect(priceHistory(closes([10, 11, 12]), closes([1, 0, 1]))).toMatchObject({ excludedDays: 1 })
  })
})

describe('a total loss', () => {
  it('is final: no capital, trade or further drawdown follows', () => {
    // Beta is 10; when the hedge doubles, the short position loses ten times the capital.
    const hedge = [100, 101, 100, 101, 202, 100, 50]
    const asset = [100, 110, 99, 108.9, 108.9, 120, 130]
    const result = run(asset, rollingHedge({ window: 3, hedgeRatio: 1 }), FREE, hedge)
    expect(result).toMatchObject({ totalReturn: -1, maxDrawdown: 1 })
    expect(result.trades.map(({ date }) => date)).toEqual(['2026-03-05'])
  })
})

describe('a history with fewer than two tradable days', () => {
  it.each([
    ['sma_cross', smaCross({ fast: 2, slow: 5 }), 7],
    ['threshold', threshold({ buyBelow: 1, sellAbove: 2 }), 3],
    ['rolling_hedge', rollingHedge({ window: 5, hedgeRatio: 1 }), 8],
  ])('has no result for %s', (_name, strategy, enough) => {
    const history = (days: number) => priceHistory(closes(Array(days).fill(10)), closes(Array(days).fill(10)))
    expect(runBacktest(history(enough), strategy, FREE)).toMatchObject({ days: 2 })
    for (let days = 0; days < enough; days++) expect(runBacktest(history(days), strategy, FREE)).toBeUndefined()
  })
})

describe('a backtest of random prices', () => {
  const pricePaths = fc.array(fc.double({ min: 0.5, max: 500, noNaN: true }), { minLength: 30, maxLength: 120 })
  const whole = (min: number, max: number) => fc.integer({ min, max })
  const strategies = fc.oneof(
    fc.tuple(whole(1, 8), whole(1, 8)).map(([fast, more]) => smaCross({ fast, slow: fast + more })),
    fc.tuple(whole(1, 300), whole(0, 300)).map(([low, more]) => threshold({ buyBelow: low, sellAbove: low + more })),
    fc.record({ window: whole(5, 12), hedgeRatio: fc.double({ min: 0, max: 3, noNaN: true }) }).map(rollingHedge),
  )
  const options = fc.record({ costBps: whole(0, 200), daysPerYear: fc.constant(365) })

  it('has the same past trades if the history ends earlier', () => {
    fc.assert(
      fc.property(pricePaths, strategies, options, fc.nat(), (prices, strategy, given, cut) => {
        const hedge = prices.toReversed()
        const known = 16 + (cut % (prices.length - 16))
        const whole = runBacktest(priceHistory(closes(prices), closes(hedge)), strategy, given)
        const past = priceHistory(closes(prices.slice(0, known)), closes(hedge.slice(0, known)))
        const part = runBacktest(past, strategy, given)
        fc.pre(whole !== undefined && part !== undefined)
        expect(part?.trades).toEqual(whole?.trades.filter(({ date }) => date <= (part?.to as string)))
      }),
    )
  })

  it('has the same positions if the last price changes', () => {
    fc.assert(
      fc.property(pricePaths, strategies, fc.double({ min: 0.5, max: 500, noNaN: true }), (prices, strategy, last) => {
        const positions = (path: number[]) =>
          strategy(priceHistory(closes(path), closes(path.map((price) => price / 3 + 1))))
        expect(positions([...prices.slice(0, -1), last])).toEqual(positions(prices))
      }),
    )
  })

  it('has finite figures, a drawdown between 0 and 1, and no loss above 100 %', () => {
    fc.assert(
      fc.property(pricePaths, strategies, options, (prices, strategy, given) => {
        const result = runBacktest(priceHistory(closes(prices), closes(prices.toReversed())), strategy, given)
        fc.pre(result !== undefined)
        if (result === undefined) return
        expect([result.totalReturn, result.benchmarkReturn, result.sharpe ?? 0].every(Number.isFinite)).toBe(true)
        expect(result.totalReturn).toBeGreaterThanOrEqual(-1)
        expect(result.maxDrawdown).toBeGreaterThanOrEqual(0)
        expect(result.maxDrawdown).toBeLessThanOrEqual(1)
      }),
    )
  })
})

describe('backtest metrics', () => {
  it('measure the drawdown from the highest previous point', () => {
    expect(maxDrawdown([1, 2, 1.5, 3, 1.2, 4])).toBeCloseTo(0.6, 12)
    expect(maxDrawdown([1, 1, 2])).toBe(0)
  })

  it('omit the Sharpe ratio if returns do not vary', () => {
    expect(sharpeRatio([0.01], 365)).toBeUndefined()
    expect(sharpeRatio([0.01, 0.01, 0.01], 365)).toBeUndefined()
  })
})
