import * as z from 'zod'
import { type AssetCode, requireAssetBySlug } from '../../../market/assets.ts'
import { round } from '../../../market/rounding.ts'
import { secondsToNextPublication } from '../../../publishers/publications.ts'
import type { PairCorrelation, StoredCorrelations } from '../../../store/trading.ts'
import { noDataBecause } from '../../contract/errors.ts'
import { type Correlation, correlatedAssets, correlation, correlationWindow } from '../../contract/trading.ts'
import { endpoint } from '../../http/endpoint.ts'
import { EXAMPLE_BASE_URL, exampleSourceIds } from '../examples.ts'
import { creditsOf } from '../source-credits.ts'

const DECIMALS = 6
/** Minimum share of the window's days for a pair: indices priced on few weekdays pass, a history that begins within the window does not. */
const RETURNS_PER_DAY_MIN = 1 / 3

/** How the daily returns of the indices move together. Spec: "/trading/correlation". */
export const getTradingCorrelation = endpoint({
  id: 'getTradingCorrelation',
  method: 'get',
  path: '/trading/correlation',
  tag: 'Trading',
  summary: 'Get correlations of daily returns',
  description:
    'Returns the Pearson correlation of the daily simple returns of each pair of indices over a window of ' +
    'calendar days that ends on the latest day on which all of them are known. A pair is compared on the days ' +
    'on which both have a price. Returns from a price of zero or below are excluded; `returns` is the number ' +
    'of the others.',
  plan: 'Trading',
  cache: '1h',
  query: z.object({ window: correlationWindow, assets: correlatedAssets }),
  reply: correlation,
  example: exampleCorrelation(),
  fails: ['no_data'],
  async handle({ query, service, today, now }) {
    const assets = query.assets.map((slug) => requireAssetBySlug(slug).code)
    const found = await service.trading.correlations(assets, query.window, today.add({ days: 1 }))
    const problem =
      found === undefined ? 'not all of these indices have prices' : problemOf(assets, query.window, found)
    if (found === undefined || problem !== undefined)
      throw noDataBecause(
        `The correlation of ${assets.join(', ')} over ${query.window} days cannot be computed: ${problem}.`,
        secondsToNextPublication(assets, now),
      )
    return presentCorrelation(assets, query.window, found, service.config.baseUrl)
  },
})

/** Why a pair has no correlation; undefined if all pairs have one. */
function problemOf(assets: AssetCode[], windowDays: number, found: StoredCorrelations): string | undefined {
  const needed = Math.ceil(windowDays * RETURNS_PER_DAY_MIN)
  for (const [a, b] of assets.flatMap((a) => assets.map((b) => [a, b] as const))) {
    const { returns, correlation } = pairOf(found.pairs, a, b)
    const name = a === b ? a : `${a} with ${b}`
    if (returns < needed) return `${name} has ${returns} daily returns up to ${found.lastDay}, ${needed} are needed`
    if (correlation === undefined) return `the price of ${name} did not move in the window up to ${found.lastDay}`
  }
  return undefined
}

function presentCorrelation(
  assets: AssetCode[],
  windowDays: number,
  found: StoredCorrelations,
  baseUrl: URL,
): Correlation {
  const matrixOf = (figure: (pair: PairCorrelation) => number) =>
    assets.map((a) => assets.map((b) => figure(pairOf(found.pairs, a, b))))
  return {
    window_days: windowDays,
    assets,
    matrix: matrixOf(({ correlation }) => round(correlation as number, DECIMALS)),
    from: Temporal.PlainDate.from(found.lastDay).subtract({ days: windowDays }).toString(),
    to: found.lastDay,
    returns: matrixOf(({ returns }) => returns),
    ...creditsOf(found.sourceIds, baseUrl),
  }
}

/** A pair without a day in common has no row. */
function pairOf(pairs: PairCorrelation[], one: AssetCode, other: AssetCode): PairCorrelation {
  const found = pairs.find(({ a, b }) => (a === one && b === other) || (a === other && b === one))
  return found ?? { a: one, b: other, returns: 0, correlation: undefined }
}

function exampleCorrelation(): Correlation {
  const pairs: PairCorrelation[] = [
    { a: 'PUN', b: 'PUN', returns: 30, correlation: 1 },
    { a: 'PSV', b: 'PSV', returns: 30, correlation: 1 },
    { a: 'TTF', b: 'TTF', returns: 21, correlation: 1 },
    { a: 'PUN', b: 'PSV', returns: 30, correlation: 0.41 },
    { a: 'PUN', b: 'TTF', returns: 21, correlation: 0.38 },
    { a: 'PSV', b: 'TTF', returns: 21, correlation: 0.93 },
  ]
  const assets: AssetCode[] = ['PUN', 'PSV', 'TTF']
  const found = { lastDay: '2026-11-20', pairs, sourceIds: exampleSourceIds(assets) }
  return presentCorrelation(assets, 30, found, EXAMPLE_BASE_URL)
}
