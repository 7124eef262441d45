import { type AssetCode, requireAssetBySlug } from '../../../market/assets.ts'
import { type PriceHistory, priceHistory, type Strategy } from '../../../market/backtest/price-history.ts'
import { rollingHedge } from '../../../market/backtest/rolling-hedge.ts'
import { type Backtest, runBacktest } from '../../../market/backtest/run-backtest.ts'
import { smaCross } from '../../../market/backtest/sma-cross.ts'
import { QUARTILE_DAYS, quartileThresholds, threshold } from '../../../market/backtest/threshold.ts'
import { round } from '../../../market/rounding.ts'
import type { DailyHistory } from '../../../store/prices.ts'
import {
  BACKTEST_YEARS_MAX,
  type BacktestRequest,
  type BacktestResult,
  backtestRequest,
  backtestResult,
  daysPerYear,
  HEDGES,
} from '../../contract/backtest.ts'
import { invalidParameter } from '../../contract/errors.ts'
import { endpoint, type HandlerContext } from '../../http/endpoint.ts'
import { retryIfSampleDataWasReplaced } from '../../http/retry-if-sample-data-was-replaced.ts'
import { EXAMPLE_BASE_URL, exampleSourceIds } from '../examples.ts'
import { noPriceYet } from '../next-step.ts'
import { creditsOf } from '../source-credits.ts'

const PERCENT_DECIMALS = 4
const SHARPE_DECIMALS = 4

/** The result of a strategy on past prices. Spec: "POST /trading/backtest". */
export const postTradingBacktest = endpoint({
  id: 'postTradingBacktest',
  method: 'post',
  path: '/trading/backtest',
  tag: 'Trading',
  summary: 'Backtest a strategy',
  description:
    'Applies a strategy to the daily prices from `from` to `to`. The position of a day is decided from the ' +
    'prices up to the day before and earns the day’s return. The first days, which have too little history to ' +
    'decide from, count neither for the strategy nor for the benchmark. Days with a price of zero or below are' +
    ' excluded. Statistics, not financial advice.',
  plan: 'Trading',
  cache: 'none',
  body: backtestRequest,
  reply: backtestResult,
  example: exampleBacktest(),
  fails: ['no_data'],
  async handle({ body, service, today, now }) {
    return presentBacktest(body.strategy, await backtestOf(body, { service, today, now }), service.config.baseUrl)
  },
})

/** The result with its curve. Throws `invalid_parameter` and `no_data`. */
export async function backtestOf(body: BacktestRequest, context: HandlerContext) {
  refuseSpan(body)
  const prices = await retryIfSampleDataWasReplaced(context.service.sampleData, () => pricesOf(body, context))
  const history = priceHistory(prices.asset.points, prices.hedge?.points)
  const options = { costBps: body.params.cost_bps, daysPerYear: daysPerYear(body.asset, prices.hedge !== undefined) }
  const { strategy, params } = strategyOf(body, history)
  const result = runBacktest(history, strategy, options)
  if (result === undefined) throw tooShort(body, history)
  const sourceIds = [...prices.asset.sourceIds, ...(prices.hedge?.sourceIds ?? [])]
  return {
    ...result,
    params,
    asset: requireAssetBySlug(body.asset).code,
    excludedDays: history.excludedDays,
    sourceIds,
  }
}

function refuseSpan({ from, to }: BacktestRequest): void {
  if (Temporal.PlainDate.compare(from, to) >= 0)
    throw invalidParameter('from', `must be before to (${to}); got "${from}"`)
  if (Temporal.PlainDate.compare(from.add({ years: BACKTEST_YEARS_MAX }), to) < 0)
    throw invalidParameter('to', `must be at most ${BACKTEST_YEARS_MAX} years after from (${from}); got "${to}"`)
}

interface BacktestPrices {
  asset: DailyHistory
  /** Undefined if the strategy has no hedge. */
  hedge: DailyHistory | undefined
}

async function pricesOf(body: BacktestRequest, context: HandlerContext): Promise<BacktestPrices> {
  const { service, today } = context
  const { from, to } = body
  const { code } = requireAssetBySlug(body.asset)
  const hedgeCode = body.strategy === 'rolling_hedge' ? HEDGES[body.asset] : undefined
  const [asset, hedge] = await Promise.all([
    service.prices.history(code, { from, to }),
    hedgeCode && service.prices.history(hedgeCode, { from, to }),
  ])
  if (asset.points.length === 0) {
    if (Temporal.PlainDate.compare(to, today) >= 0) throw await noPriceYet(context, code, `${code} of ${from} to ${to}`)
    throw invalidParameter('from', `must begin a span in which ${code} has prices; from ${from} to ${to} it has none`)
  }
  if (hedge?.points.length === 0)
    throw invalidParameter('strategy', `needs prices of ${hedgeCode}, which has none from ${from} to ${to}`)
  return { asset, hedge }
}

/** The strategy, and the parameters it uses: those of the request, or thresholds taken from the prices. */
function strategyOf(body: BacktestRequest, history: PriceHistory): { strategy: Strategy; params: UsedParameters } {
  switch (body.strategy) {
    case 'sma_cross':
      return { strategy: smaCross(body.params), params: body.params }
    case 'threshold': {
      const { buy_below: buyBelow, sell_above: sellAbove, cost_bps } = body.params
      const isGiven = buyBelow !== undefined && sellAbove !== undefined
      const used = isGiven ? { buyBelow, sellAbove } : quartileThresholds(history)
      if (used === undefined) throw tooShort(body, history)
      return { strategy: threshold(used), params: { buy_below: used.buyBelow, sell_above: used.sellAbove, cost_bps } }
    }
    case 'rolling_hedge': {
      const { window, hedge_ratio: hedgeRatio } = body.params
      return { strategy: rollingHedge({ window, hedgeRatio }), params: body.params }
    }
  }
}

/** The error that names the parameter that needs more days than are available. */
function tooShort(body: BacktestRequest, { dates }: PriceHistory): Error {
  const there = `the span has ${dates.length} with usable prices`
  switch (body.strategy) {
    case 'sma_cross':
      return invalidParameter('params.slow', `needs ${body.params.slow + 2} days, ${there}`)
    case 'threshold':
      return invalidParameter(
        'to',
        `must leave ${body.params.buy_below === undefined ? QUARTILE_DAYS + 2 : 3} days, ${there}`,
      )
    case 'rolling_hedge':
      return invalidParameter('params.window', `needs ${body.params.window + 3} days, ${there}`)
  }
}

/** A strategy's parameters, named as in the request. */
type UsedParameters = Readonly<Record<string, number>>

type Outcome = Omit<Backtest, 'trades' | 'curve'> & {
  params: UsedParameters
  asset: AssetCode
  trades: { length: number }
  excludedDays: number
  sourceIds: string[]
}

/** The result of a backtest as the response shows it. */
function presentBacktest(strategy: BacktestRequest['strategy'], outcome: Outcome, baseUrl: URL): BacktestResult {
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
    ...creditsOf(outcome.sourceIds, baseUrl),
  }
}

function exampleBacktest(): BacktestResult {
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
