/** State of the trading page, from the query of its URL. */
import * as z from 'zod'
import { BACKTEST_ASSETS } from '../../api/contract/backtest.ts'
import { hourlyZone } from '../../api/contract/hourly.ts'
import { anyCase, assetSlug, marketDay } from '../../api/contract/parameters.ts'
import { decimalField } from '../decimal.ts'
import { type Html, html } from '../html.ts'
import { type Choice, choice } from '../parts/choices.ts'
import type { View } from '../view.ts'

export const TRADING_PATH = '/trading'
export const SPREAD_NAMES = ['spark', 'clean', 'psv-ttf'] as const
export const PERIODS = ['week', 'month', '30d'] as const
export const WINDOWS = ['30', '90', '180'] as const

export const STRATEGIES = ['sma_cross', 'threshold', 'rolling_hedge'] as const
export type Strategy = (typeof STRATEGIES)[number]

/** Range of each slider; the API allows more. */
export const SLIDERS = {
  fast: { min: 2, max: 60, step: 1, start: 10 },
  slow: { min: 5, max: 200, step: 1, start: 40 },
  buy_below: { min: 0, max: 300, step: 1, start: 100 },
  sell_above: { min: 0, max: 300, step: 1, start: 115 },
  window: { min: 5, max: 200, step: 1, start: 60 },
  hedge_ratio: { min: 0, max: 2, step: 0.1, start: 1 },
  cost_bps: { min: 0, max: 50, step: 1, start: 5 },
} as const
export type Slider = keyof typeof SLIDERS

const slider = ({ start }: { start: number }) => decimalField({ max: 9_999, byDefault: start })

const backtestFields = {
  strategy: z.enum(STRATEGIES).default('sma_cross'),
  index: anyCase(z.enum(BACKTEST_ASSETS)).default('pun'),
  fast: slider(SLIDERS.fast),
  slow: slider(SLIDERS.slow),
  buy_below: slider(SLIDERS.buy_below),
  sell_above: slider(SLIDERS.sell_above),
  window_days: slider(SLIDERS.window),
  hedge_ratio: slider(SLIDERS.hedge_ratio),
  cost_bps: slider(SLIDERS.cost_bps),
}

export type BacktestField = keyof typeof backtestFields

/** Fields of a battery; efficiency in percent. */
export const BATTERY_FIELDS = {
  power: { max: 10_000, byDefault: 1 },
  energy: { max: 100_000, byDefault: 4 },
  efficiency: { max: 100, byDefault: 85 },
  cycles: { max: 24, byDefault: 1 },
} as const

export const tradingQuery = z.object({
  period: z.enum(PERIODS).default('month'),
  zone_a: hourlyZone.default('nord'),
  zone_b: hourlyZone.default('sud'),
  chart: z.enum(SPREAD_NAMES).default('spark'),
  window: z.enum(WINDOWS).default('90'),
  a: assetSlug.default('pun'),
  b: assetSlug.default('ttf'),
  battery_zone: hourlyZone.default('nazionale'),
  power: decimalField(BATTERY_FIELDS.power),
  energy: decimalField(BATTERY_FIELDS.energy),
  efficiency: decimalField(BATTERY_FIELDS.efficiency),
  cycles: decimalField(BATTERY_FIELDS.cycles),
  from: marketDay.optional(),
  to: marketDay.optional(),
  ...backtestFields,
})
export type TradingQuery = z.output<typeof tradingQuery>

const DEFAULTS: Readonly<Record<string, unknown>> = tradingQuery.parse({})

/** Returns the URL of the same view with the given changes; default values are omitted. */
export function tradingAddress(
  query: TradingQuery,
  changes: Partial<TradingQuery>,
  anchor: string,
  view: View,
): string {
  const chosen = Object.entries({ ...query, ...changes }).filter(([name, value]) => DEFAULTS[name] !== value)
  const parameters = new URLSearchParams(chosen.map(([name, value]) => [name, String(value)])).toString()
  return view.href(`${TRADING_PATH}${parameters && '?'}${parameters}#${anchor}`)
}

/** Buttons that change one query parameter of the trading page. */
export function tradingChoice<Name extends keyof TradingQuery>(
  name: Name,
  shown: Choice<TradingQuery[Name]>,
  query: TradingQuery,
  anchor: string,
  view: View,
): Html {
  return choice(name, shown, query, (changed) => tradingAddress(changed, {}, anchor, view))
}

/** Hidden fields with the rest of the query, for a form that already has the fields in `shown`. */
export function hiddenFields(query: TradingQuery, shown: readonly string[]): Html {
  const others = Object.entries(query).filter(([name, value]) => !shown.includes(name) && DEFAULTS[name] !== value)
  return html`<fieldset class="carried" hidden>${others.map(([name, value]) => html`<input type="hidden" name="${name}" value="${String(value)}">`)}</fieldset>`
}
