/** Correlation matrix of the indices; each figure links to the chart of its two series. */
import type { DailySeries } from '../../api/contract/series.ts'
import type { Correlation } from '../../api/contract/trading.ts'
import { getTradingCorrelation } from '../../api/endpoints/trading/get-correlation.ts'
import { ASSET_SLUGS, ASSETS, type AssetCode, type AssetSlug, requireAssetBySlug } from '../../market/assets.ts'
import type { MarketDay } from '../../market/market-day.ts'
import { round } from '../../market/rounding.ts'
import { undefinedIfNotFound } from '../ask-endpoints.ts'
import { type Html, html } from '../html.ts'
import { tradingTexts } from '../i18n/trading.ts'
import type { AskEndpoint } from '../page.ts'
import { chart } from '../parts/chart.ts'
import { figure } from '../parts/value.ts'
import { shadeOf } from '../parts/zone-map.ts'
import type { View } from '../view.ts'
import { type TradingQuery, tradingAddress, tradingChoice, WINDOWS } from './query.ts'

/** Thresholds of the first, second and third shade. */
const SHADES = [0.2, 0.5, 0.8]
const DECIMALS = 2

export function fetchCorrelation(ask: AskEndpoint, window: string): Promise<Correlation | undefined> {
  const query = { window, assets: ASSET_SLUGS.join(',') }
  return undefinedIfNotFound(ask<Correlation>(getTradingCorrelation, { query }))
}

export function correlationSection(
  correlation: Correlation | undefined,
  points: Record<AssetSlug, DailySeries['points']>,
  query: TradingQuery,
  today: MarketDay,
  view: View,
): Html {
  const texts = tradingTexts[view.language]
  const show = (days: string) => texts.days(Number(days))
  return html`<h2 id="correlations">${texts.correlations}</h2>
${tradingChoice('window', { label: texts.window, values: WINDOWS, show }, query, 'correlations', view)}
${correlation === undefined ? html`<p class="soft">${texts.none}</p>` : matrix(correlation, query, view)}
${pairChart(points, query, today, view)}`
}

function matrix({ assets, matrix, window_days: days, to }: Correlation, query: TradingQuery, view: View): Html {
  const texts = tradingTexts[view.language]
  const cell = (a: AssetCode, b: AssetCode, value: number) => {
    const text = figure(value, view)
    if (a === b) return html`<td class="number soft">${text}</td>`
    const [one, other] = [ASSETS[a].slug, ASSETS[b].slug]
    const isOpen = [query.a, query.b].toSorted().join() === [one, other].toSorted().join()
    const address = tradingAddress(query, { a: one, b: other }, 'pair', view)
    return html`<td class="number ${shadeOf(-value, SHADES)}"><a href="${address}" aria-label="${texts.open(a, b)}: ${view.formats.number(value)}"${isOpen && html` aria-current="true"`}>${text}</a></td>`
  }
  return html`<p>${texts.correlationsLead(days, view.formats.day(to))}</p>
<div class="scroll card" tabindex="0" role="region" aria-labelledby="correlations"><table class="matrix">
<thead><tr><th scope="col">${texts.index}</th>${assets.map((code) => html`<th scope="col" class="number">${code}</th>`)}</tr></thead>
<tbody>
${assets.map((a, i) => html`<tr><th scope="row">${a}</th>${assets.map((b, j) => cell(a, b, matrix[i]?.[j] as number))}</tr>\n`)}</tbody></table></div>`
}

/** Chart of both series over the last year, rebased to 100. */
function pairChart(
  points: Record<AssetSlug, DailySeries['points']>,
  { a, b }: TradingQuery,
  today: MarketDay,
  view: View,
): Html {
  const texts = tradingTexts[view.language]
  const since = today.subtract({ years: 1 }).toString()
  const [codeA, codeB] = [requireAssetBySlug(a).code, requireAssetBySlug(b).code]
  const series = [a, b].map((slug) => {
    const shown = points[slug].filter(({ date }) => date >= since)
    const base = shown.find(({ value }) => value > 0)?.value
    return new Map(
      base === undefined ? [] : shown.map(({ date, value }) => [date, round((100 * value) / base, DECIMALS)]),
    )
  })
  const dates = [...new Set(series.flatMap((one) => [...one.keys()]))].sort().reverse()
  if (dates.length < 2 || a === b) return html``
  return html`<h3 id="pair">${texts.open(codeA, codeB)}</h3>
${chart(
  {
    name: 'pair',
    caption: texts.pair(codeA, codeB),
    dayLabel: texts.day,
    unit: '',
    columns: [
      { label: codeA, line: 'first' },
      { label: codeB, line: 'actual' },
    ],
    hasPun: [a, b].includes('pun'),
    rows: dates.map((date) => ({ date, values: series.map((one) => one.get(date)) })),
  },
  view,
)}`
}
