/** The result of a backtest as the response shows it. */
import type { AssetCode } from '../../../market/assets.ts'
import type { Backtest } from '../../../market/backtest/run-backtest.ts'
import { round } from '../../../market/rounding.ts'
import type { BacktestRequest, BacktestResult } from '../../contract/backtest.ts'
import { EXAMPLE_BASE_URL, exampleSourceIds } from '../examples.ts'
import { attributionText, sourceNames } from '../source-credits.ts'

const PERCENT_DECIMALS = 4
const SHARPE_DECIMALS = 4

/** Of a strategy, named as in the request. */
export type UsedParameters = Readonly<Record<string, number>>

type Outcome = Omit<Backtest, 'trades' | 'curve'> & {
  params: UsedParameters
  asset: AssetCode
  trades: { length: number }
  excludedDays: number
  sourceIds: string[]
}

export function presentBacktest(strategy: BacktestRequest['strategy'], outcome: Outcome, baseUrl: URL): BacktestResult {
  const percent = (share: number) => round(share * 100, PERCENT_DECIMALS)
  return {
    total_return_pct: percent(outcome.totalReturn),
    max_drawdown_pct: percent(outcome.maxDrawdown),
    ...(outcome.sharpe !== undefined && { sharpe: round(outcome.sharpe, SHARPE_DECIMALS) }),
    benchmark_return_pct: percent(outcome.benchmarkReturn),
    trades: outcome.trades.length,
    asset: outcome.asset,
    strategy,
    params: { ...outcome.params },
    from: outcome.from,
    to: outcome.to,
    days: outcome.days,
    excluded_days: outcome.excludedDays,
    source: sourceNames(outcome.sourceIds),
    attribution: attributionText(outcome.sourceIds, baseUrl),
  }
}

export function exampleBacktest(): BacktestResult {
  const outcome = {
    params: { fast: 20, slow: 50, cost_bps: 0 },
    asset: 'PUN' as const,
    from: '2023-02-20',
    to: '2024-12-31',
    days: 681,
    totalReturn: 0.184,
    maxDrawdown: 0.237,
    sharpe: 0.62,
    benchmarkReturn: -0.281,
    trades: { length: 14 },
    excludedDays: 0,
    sourceIds: exampleSourceIds(['PUN']),
  }
  return presentBacktest('sma_cross', outcome, EXAMPLE_BASE_URL)
}
