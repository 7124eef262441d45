/** The daily prices of an index over a range: chart, statistics, downloads. */

import { DEVELOPER_KEY_PATH } from '../../api/contract/developer-key.ts'
import { BASE_PATH } from '../../api/contract/identity.ts'
import { PAGES, PLANS } from '../../api/contract/plans.ts'
import type { DailySeries } from '../../api/contract/series.ts'
import type { Asset } from '../../market/assets.ts'
import { type Html, html } from '../html.ts'
import { pricePageTexts } from '../i18n/price-page.ts'
import type { View } from '../view.ts'
import { chart } from './chart.ts'
import { figure } from './value.ts'

export const RANGES = ['30d', '90d', '1y', '2y'] as const
export type Range = (typeof RANGES)[number]
export const DEFAULT_RANGE: Range = '90d'
/** Calendar days before today; the longest is as deep as pages go. */
export const RANGE_DAYS: Record<Range, number> = { '30d': 30, '90d': 90, '1y': 365, '2y': PAGES.historyDepthDays }

export interface History {
  asset: Asset
  range: Range
  series: DailySeries
  baseUrl: URL
}

export function historySection({ asset, range, series, baseUrl }: History, view: View): Html {
  const texts = pricePageTexts[view.language]
  return html`<section><h2 id="history">${texts.history}</h2>
${rangeChoice(asset, range, view)}
${series.stats ? html`${statistics(series, series.stats, view)}${curve(series, view)}` : html`<p class="notice">${texts.noHistory}</p>`}
${downloads(asset, series, baseUrl, view)}
</section>`
}

function rangeChoice(asset: Asset, chosen: Range, view: View): Html {
  const texts = pricePageTexts[view.language]
  const links = RANGES.map((range) => {
    const address = view.href(`/prices/${asset.slug}?range=${range}#history`)
    return html`<li><a class="button" href="${address}"${range === chosen && html` aria-current="true"`}>${texts.ranges[range]}</a></li>`
  })
  return html`<ul class="buttons" aria-label="${texts.range}">${links}</ul>`
}

function statistics(series: DailySeries, stats: NonNullable<DailySeries['stats']>, view: View): Html {
  const texts = pricePageTexts[view.language]
  const last = series.points.at(-1)?.date ?? series.to
  const days = Temporal.PlainDate.from(series.from).until(Temporal.PlainDate.from(last)).days + 1
  const means = series.points.filter(({ basis }) => basis).length
  const entry = (label: string, value: Html) => html`<div><dt>${label}</dt><dd>${value}</dd></div>\n`
  const inUnit = (value: number) => html`${figure(value, view)} <span class="unit">${series.unit}</span>`
  return html`<dl class="figures">
${entry(texts.mean, inUnit(stats.avg))}${entry(texts.lowest, inUnit(stats.min))}${entry(texts.highest, inUnit(stats.max))}${entry(texts.days, html`<data value="${series.count}">${series.count}</data> <span class="unit">${texts.ofDays(days)}</span>`)}</dl>${
    means > 0 &&
    html`
<p class="small">${texts.dailyMeans(means)}</p>`
  }`
}

function curve({ asset, unit, from, points }: DailySeries, view: View): Html {
  const texts = pricePageTexts[view.language]
  const { formats } = view
  const last = points.at(-1)?.date ?? from
  return chart(
    {
      caption: texts.caption(asset, formats.day(points[0]?.date ?? from), formats.day(last)),
      dayLabel: texts.day,
      unit,
      columns: [{ label: texts.price, line: 'price' }],
      rows: points.toReversed().map(({ date, value }) => ({ date, values: [value] })),
      key: [{ line: 'price', label: `${asset}, ${unit}` }],
    },
    view,
  )
}

/** Links to the API, whose plans apply: a link where no key is needed, else a command. */
function downloads({ slug }: Asset, { from, to }: DailySeries, baseUrl: URL, view: View): Html {
  const texts = pricePageTexts[view.language]
  const address = `${BASE_PATH}/prices/${slug}/series`
  return html`<h3>${texts.download}</h3>
<ul class="buttons"><li><a class="button" href="${address}" download="${slug}.json">${texts.json}</a></li></ul>
<p class="small">${texts.downloadMore(PLANS.Developer.name)} <a href="${view.href(DEVELOPER_KEY_PATH)}">${texts.getKey}</a>.</p>
<pre><code>curl -H 'Authorization: Bearer &lt;API_KEY&gt;' '${new URL(address, baseUrl).href}?from=${from}&amp;to=${to}&amp;format=csv'</code></pre>`
}
