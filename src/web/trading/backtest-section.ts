/** A backtest configured by sliders, with its equity curve. */
import type * as z from 'zod'
import { BACKTEST_ASSETS, backtestRequest } from '../../api/contract/backtest.ts'
import { ApiError, type ErrorCode } from '../../api/contract/errors.ts'
import { backtestOf } from '../../api/endpoints/trading/post-backtest.ts'
import type { HandlerContext } from '../../api/http/endpoint.ts'
import type { MarketDay } from '../../market/market-day.ts'
import { round } from '../../market/rounding.ts'
import { decimalText } from '../decimal.ts'
import { type Html, html } from '../html.ts'
import { tradingTexts } from '../i18n/trading.ts'
import { chart } from '../parts/chart.ts'
import { dataElement, figureEntry } from '../parts/value.ts'
import type { View } from '../view.ts'
import {
  type BacktestField,
  hiddenFields,
  SLIDERS,
  type Slider,
  STRATEGIES,
  type Strategy,
  type TradingQuery,
  tradingChoice,
} from './query.ts'

const STRATEGY_SLIDERS: Record<Strategy, readonly Slider[]> = {
  sma_cross: ['fast', 'slow', 'cost_bps'],
  threshold: ['buy_below', 'sell_above', 'cost_bps'],
  rolling_hedge: ['window', 'hedge_ratio', 'cost_bps'],
}

const REPORTED_ERRORS: readonly ErrorCode[] = ['invalid_parameter', 'no_data', 'not_found']

/** Maximum number of rows of the chart; longer spans are thinned. */
const ROWS_MAX = 300

export async function backtestSection(
  query: TradingQuery,
  span: { from: MarketDay; to: MarketDay },
  context: HandlerContext,
  view: View,
): Promise<Html> {
  const texts = tradingTexts[view.language]
  const strategies = { label: texts.strategy, values: STRATEGIES, show: (one: Strategy) => texts.strategies[one] }
  const indices = { label: texts.index, values: BACKTEST_ASSETS, show: (slug: string) => slug.toUpperCase() }
  return html`<h2 id="backtest">${texts.backtest}</h2>
<p>${texts.backtestLead}</p>
${tradingChoice('strategy', strategies, query, 'backtest', view)}
${tradingChoice('index', indices, query, 'backtest', view)}
${form(query, view)}
<div id="backtest-result">${await result(query, span, context, view)}</div>`
}

/** Returns the query parameter of a slider; `window` is already that of the correlations. */
function fieldOf(name: Slider): BacktestField {
  return name === 'window' ? 'window_days' : name
}

function form(query: TradingQuery, view: View): Html {
  const texts = tradingTexts[view.language]
  const sliders = STRATEGY_SLIDERS[query.strategy]
  const input = (name: Slider) => {
    const { min, max, step } = SLIDERS[name]
    const value = query[fieldOf(name)]
    return html`<label for="${fieldOf(name)}"><span>${texts.params[name]}: <output for="${fieldOf(name)}">${decimalText(Number(value), view.language)}</output></span><input id="${fieldOf(name)}" type="range" name="${fieldOf(name)}" min="${min}" max="${max}" step="${step}" value="${value}"></label>\n`
  }
  return html`<form class="live card" method="get" action="${view.href('/trading')}" data-live="backtest-result">
${hiddenFields(query, sliders.map(fieldOf))}
${sliders.map(input)}<div><button class="primary">${texts.run}</button></div>
</form>`
}

async function result(
  query: TradingQuery,
  { from, to }: { from: MarketDay; to: MarketDay },
  context: HandlerContext,
  view: View,
): Promise<Html> {
  const params = Object.fromEntries(STRATEGY_SLIDERS[query.strategy].map((name) => [name, query[fieldOf(name)]]))
  const { strategy, index: asset } = query
  const request = { asset, strategy, params, from: from.toString(), to: to.toString() }
  return renderResult(backtestRequest, request, async (body) => outcome(await backtestOf(body, context), view))
}

/** Renders the result of a request, or the reason why it is invalid. */
export async function renderResult<Schema extends z.ZodType>(
  schema: Schema,
  request: unknown,
  make: (body: z.output<Schema>) => Promise<Html>,
): Promise<Html> {
  const parsed = schema.safeParse(request)
  if (!parsed.success)
    return problem(parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; '))
  try {
    return await make(parsed.data)
  } catch (err) {
    if (err instanceof ApiError && REPORTED_ERRORS.includes(err.code)) return problem(err.message)
    throw err
  }
}

/** The API's message, in English. */
function problem(text: string): Html {
  return html`<p class="notice" lang="en" role="status">${text}</p>`
}

function outcome(found: Awaited<ReturnType<typeof backtestOf>>, view: View): Html {
  const texts = tradingTexts[view.language]
  const { formats } = view
  const { totalReturn, benchmarkReturn, maxDrawdown, sharpe, trades, curve, from, to } = found
  const tile = (label: string, value: number, text: string) => figureEntry(label, dataElement(value, text))
  const percent = (share: number) => round(100 * share, 2)
  const every = Math.ceil(curve.dates.length / ROWS_MAX)
  const rows = curve.dates
    .map((date, i) => ({ date, values: [percent(curve.equity[i] as number), percent(curve.benchmark[i] as number)] }))
    .filter((_, i) => (curve.dates.length - 1 - i) % every === 0)
  return html`<dl class="tiles">
${tile(texts.totalReturn, totalReturn, formats.signedPercent(totalReturn))}${tile(texts.benchmark, benchmarkReturn, formats.signedPercent(benchmarkReturn))}${tile(texts.drawdown, maxDrawdown, formats.percent(maxDrawdown))}${sharpe !== undefined && tile(texts.sharpe, sharpe, formats.number(sharpe))}${tile(texts.trades, trades.length, formats.number(trades.length, 0))}</dl>
${chart(
  {
    name: 'backtest',
    caption: texts.curve(formats.day(from), formats.day(to)),
    dayLabel: texts.day,
    unit: '',
    columns: [
      { label: texts.equity, line: 'first' },
      { label: texts.benchmark, line: 'actual' },
    ],
    rows: rows.toReversed(),
  },
  view,
)}`
}
