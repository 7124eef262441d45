/**
 * Applies a strategy to a history, day by day: the position that was decided from the prices up to day t−1 earns the return of
 * day t. Nothing from day t or later is used, so a history that ends earlier has the same trades up to its end.
 */
import type { Positions, PriceHistory, Strategy } from './price-history.ts'
import { simpleReturns } from './rolling-hedge.ts'

interface BacktestOptions {
  /** Cost of each change of position, in basis points of the amount bought and sold. */
  costBps: number
  /** For the Sharpe ratio: 365 if there is a price every day, 252 for trading days. */
  daysPerYear: number
}

export interface Trade {
  /** The first day whose return the new position earns, YYYY-MM-DD. */
  date: string
  /** Shares of the capital from that day on. */
  asset: number
  hedge: number
}

export interface Backtest {
  /** First and last day whose return counts. */
  from: string
  to: string
  /** Number of returns that count. */
  days: number
  /** 0.1 for 10 %. */
  totalReturn: number
  /** Share of the peak; positive. */
  maxDrawdown: number
  /** Undefined if the daily returns do not vary. */
  sharpe: number | undefined
  /** Return of buying on the day before `from` and holding to the end, without costs. */
  benchmarkReturn: number
  /** One for each day on which the position was changed. */
  trades: Trade[]
  /** Capital after each day that counts, from 1 before the first; and that of the benchmark. */
  curve: { dates: readonly string[]; equity: Float64Array; benchmark: Float64Array }
}

/** Returns undefined if the history is too short for the strategy to decide on two days. */
export function runBacktest(history: PriceHistory, strategy: Strategy, options: BacktestOptions): Backtest | undefined {
  const { dates, prices } = history
  const positions = strategy(history)
  const { firstDay } = positions
  const from = dates[firstDay]
  const to = dates.at(-1)
  if (from === undefined || to === undefined || dates.length < firstDay + 2) return undefined

  const { equity, returns, trades } = simulate(history, positions, options.costBps / 10_000)
  return {
    from,
    to,
    days: returns.length,
    totalReturn: (equity.at(-1) as number) - 1,
    maxDrawdown: maxDrawdown(equity),
    sharpe: sharpeRatio(returns, options.daysPerYear),
    benchmarkReturn: (prices.at(-1) as number) / (prices[firstDay - 1] as number) - 1,
    trades,
    curve: {
      dates: dates.slice(firstDay),
      equity: equity.subarray(1),
      benchmark: prices.subarray(firstDay).map((price) => price / (prices[firstDay - 1] as number)),
    },
  }
}

/** Capital after each day, from 1 before the first; the daily returns after costs; the changes of position. */
function simulate(history: PriceHistory, { firstDay, asset, hedge }: Positions, costShare: number) {
  const { dates } = history
  const assetReturns = simpleReturns(history.prices)
  const hedgeReturns = history.hedgePrices && simpleReturns(history.hedgePrices)
  const returns = new Float64Array(dates.length - firstDay)
  const equity = new Float64Array(returns.length + 1).fill(1, 0, 1)
  const trades: Trade[] = []
  let held = { asset: 0, hedge: 0 }
  for (let i = 0; i < returns.length; i++) {
    const day = firstDay + i
    const capital = equity[i] as number
    if (capital === 0) break // the capital is lost
    const target = { asset: asset[day] as number, hedge: hedge?.[day] ?? 0 }
    const turnover = Math.abs(target.asset - held.asset) + Math.abs(target.hedge - held.hedge)
    if (turnover > 0) trades.push({ date: dates[day] as string, ...target })
    const earned =
      target.asset * (assetReturns[day] as number) + target.hedge * (hedgeReturns?.[day] ?? 0) - turnover * costShare
    returns[i] = Math.max(-1, earned)
    equity[i + 1] = capital * (1 + (returns[i] as number))
    held = target
  }
  return { equity, returns, trades }
}

/** The largest fall from a peak as a share of the peak: 0.25 for `[1, 2, 1.5, 3]`. Values are above zero, or zero to the end. */
export function maxDrawdown(equity: ArrayLike<number>): number {
  let peak = 0
  let deepest = 0
  for (let i = 0; i < equity.length; i++) {
    const value = equity[i] as number
    if (value > peak) peak = value
    else deepest = Math.max(deepest, 1 - value / peak)
  }
  return deepest
}

/** Standard deviation below which returns count as equal: floating-point noise. */
const DEVIATION_MIN = 1e-12

/**
 * Mean over sample standard deviation of daily returns, annualised by the square root of the days in a year; the risk-free rate is
 * taken as 0. Undefined if the returns do not vary, for example if the strategy never bought.
 */
export function sharpeRatio(returns: ArrayLike<number>, daysPerYear: number): number | undefined {
  const count = returns.length
  if (count < 2) return undefined
  let sum = 0
  for (let i = 0; i < count; i++) sum += returns[i] as number
  const mean = sum / count
  let squares = 0
  for (let i = 0; i < count; i++) squares += ((returns[i] as number) - mean) ** 2
  const deviation = Math.sqrt(squares / (count - 1))
  return deviation > DEVIATION_MIN ? (mean / deviation) * Math.sqrt(daysPerYear) : undefined
}
