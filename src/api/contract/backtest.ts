/** Backtests of a strategy on the daily prices of an index. Spec: "POST /trading/backtest"; decisions: "Trading". */
import * as z from 'zod'
import { ASSET_CODES, type AssetCode } from '../../market/assets.ts'
import { QUARTILE_DAYS } from '../../market/backtest/threshold.ts'
import * as field from './fields.ts'
import { attribution } from './observations.ts'
import { anyCase, marketDay } from './parameters.ts'

export const BACKTEST_ASSETS = ['pun', 'psv', 'ttf'] as const
type BacktestAsset = (typeof BACKTEST_ASSETS)[number]

/** Hedge instruments of `rolling_hedge`, sold against the asset. */
export const HEDGES: Record<BacktestAsset, AssetCode> = { pun: 'TTF', psv: 'TTF', ttf: 'Brent' }

/** Power and Italian gas are priced every day, the others on trading days. */
const CALENDAR_DAYS_PER_YEAR = 365
const TRADING_DAYS_PER_YEAR = 252
const PRICED_EVERY_DAY: readonly BacktestAsset[] = ['pun', 'psv']

/** Trading days a year, for the Sharpe ratio. A hedged position has returns only on the trading days of its hedge. */
export function daysPerYear(asset: BacktestAsset, isHedged: boolean): number {
  return PRICED_EVERY_DAY.includes(asset) && !isHedged ? CALENDAR_DAYS_PER_YEAR : TRADING_DAYS_PER_YEAR
}

/** Longest span from `from` to `to`. */
export const BACKTEST_YEARS_MAX = 20
const LENGTH_MAX = 1_000
const PRICE_MAX = 10_000

const LENGTH_PROBLEM = `must be at most ${LENGTH_MAX}`
const PRICE_PROBLEM = `must be between -${PRICE_MAX} and ${PRICE_MAX}`

const days = (min: number) =>
  z.int('must be a whole number').min(min, `must be at least ${min}`).max(LENGTH_MAX, LENGTH_PROBLEM)
const price = z.number('must be a number').min(-PRICE_MAX, PRICE_PROBLEM).max(PRICE_MAX, PRICE_PROBLEM)

const costBps = z
  .number('must be a number')
  .min(0, 'must not be negative')
  .max(1_000, 'must be at most 1000')
  .default(0)
  .meta({
    description: 'Cost of each change of position, in hundredths of a percent of the amount traded.',
    example: 5,
  })

const smaCrossParams = z
  .strictObject({
    fast: days(1).default(20).meta({ description: 'Length of the fast moving average in days.', example: 20 }),
    slow: days(2).default(50).meta({ description: 'Length of the slow one; greater than `fast`.', example: 50 }),
    cost_bps: costBps,
  })
  .refine(({ fast, slow }) => fast < slow, { path: ['fast'], error: 'must be less than slow' })

const thresholdParams = z
  .strictObject({
    buy_below: price.optional().meta({
      description: `Buy after a day below this price, in the native unit of the index. Without both: the lower quartile of the span’s first ${QUARTILE_DAYS} prices, for the days after them.`,
      example: 80,
    }),
    sell_above: price.optional().meta({
      description: 'Sell after a day above this price; not less than `buy_below`. Without both: the upper quartile.',
      example: 120,
    }),
    cost_bps: costBps,
  })
  .superRefine(({ buy_below, sell_above }, context) => {
    const problem = (name: string, message: string) => context.addIssue({ code: 'custom', path: [name], message })
    if (buy_below === undefined && sell_above !== undefined) problem('buy_below', 'is required')
    else if (buy_below !== undefined && sell_above === undefined) problem('sell_above', 'is required')
    else if (buy_below !== undefined && sell_above !== undefined && buy_below > sell_above)
      problem('buy_below', 'must not be more than sell_above')
  })

const rollingHedgeParams = z.strictObject({
  window: days(5).default(60).meta({ description: 'Returns that beta is estimated from.', example: 60 }),
  hedge_ratio: z
    .number('must be a number')
    .min(0, 'must not be negative')
    .max(10, 'must be at most 10')
    .default(1)
    .meta({ description: 'Part of beta that is hedged; 1: all of it.', example: 1 }),
  cost_bps: costBps,
})

const common = {
  asset: anyCase(z.enum(BACKTEST_ASSETS).meta({ description: 'The index.', example: 'pun' })),
  from: marketDay.meta({ description: 'First day whose price is used.', example: '2023-01-01' }),
  to: marketDay.meta({
    description: `Last day whose price is used; after \`from\`, by at most ${BACKTEST_YEARS_MAX} years.`,
    example: '2024-12-31',
  }),
}

export const backtestRequest = z
  .discriminatedUnion('strategy', [
    z
      .strictObject({ ...common, strategy: z.literal('sma_cross'), params: smaCrossParams.prefault({}) })
      .meta({ id: 'SmaCrossBacktest', description: 'Long while the fast moving average is above the slow one.' }),
    z.strictObject({ ...common, strategy: z.literal('threshold'), params: thresholdParams.prefault({}) }).meta({
      id: 'ThresholdBacktest',
      description: 'Long from the first day below one price to the first above another.',
    }),
    z.strictObject({ ...common, strategy: z.literal('rolling_hedge'), params: rollingHedgeParams.prefault({}) }).meta({
      id: 'RollingHedgeBacktest',
      description: 'Long the asset and short its hedge times beta: TTF for PUN and PSV, Brent for TTF.',
    }),
  ])
  .meta({
    example: {
      asset: 'pun',
      strategy: 'sma_cross',
      from: '2023-01-01',
      to: '2024-12-31',
      params: { fast: 20, slow: 50 },
    },
  })

export type BacktestRequest = z.output<typeof backtestRequest>

export const backtestResult = z
  .strictObject({
    total_return_pct: field.number('Of the strategy, after costs.', 18.4),
    max_drawdown_pct: field.size('Largest fall from a peak, in percent of the peak; positive.', 23.7),
    sharpe: field.number.optional(
      'Annualised Sharpe ratio of the daily returns, riskless rate 0: by √365 where there is a price every day, by √252 on trading ' +
        'days. Absent where the returns do not vary, as those of a strategy that never bought.',
      0.62,
    ),
    benchmark_return_pct: field.number('Of buying and holding over the same days, without costs.', -28.1),
    trades: field.count('Days on which the position was changed.', 14),
    asset: z.enum(ASSET_CODES).meta({ description: 'Code of the index.', example: 'PUN' }),
    strategy: z.enum(['sma_cross', 'threshold', 'rolling_hedge']).meta({ example: 'sma_cross' }),
    params: z
      .record(z.string(), z.number())
      .meta({ description: 'The parameters used, defaults included.', example: { fast: 20, slow: 50, cost_bps: 0 } }),
    from: field.day('First day whose return counts, after the warm-up.', '2023-02-20'),
    to: field.day('Last day whose return counts.', '2024-12-31'),
    days: field.positive('Daily returns that count.', 681),
    excluded_days: field.count('Days left out because a price was zero or below.', 0),
    source: field.text('Names of the official sources, separated by `; `.'),
    attribution,
  })
  .meta({ id: 'BacktestResult', description: 'What a strategy would have made of past prices.' })

export type BacktestResult = z.infer<typeof backtestResult>
