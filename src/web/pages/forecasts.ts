import * as z from 'zod'
import {
  FORECAST_ASSETS,
  FORECAST_SLUGS,
  forecastSlug,
  type NextForecast,
  type TrackRecord,
} from '../../api/contract/forecasts.ts'
import { BASE_PATH } from '../../api/contract/identity.ts'
import { lastDayOfPrices } from '../../api/endpoints/current-price.ts'
import { onBestBasis } from '../../api/endpoints/forecast/best-basis.ts'
import { getNextForecast } from '../../api/endpoints/forecast/get-next-forecast.ts'
import { getTrackRecord } from '../../api/endpoints/forecast/get-track-record.ts'
import { METHODOLOGY_PATH } from '../../api/endpoints/forecast/present.ts'
import { ASSETS, type Asset, requireAssetBySlug } from '../../market/assets.ts'
import { DAYS_AHEAD_MAX } from '../../market/forecast-scope.ts'
import type { MarketDay } from '../../market/market-day.ts'
import { undefinedIfNotFound } from '../ask-endpoints.ts'
import { type Html, html } from '../html.ts'
import { accuracyTexts } from '../i18n/forecast-accuracy.ts'
import { forecastTexts } from '../i18n/forecasts.ts'
import { type AskEndpoint, page } from '../page.ts'
import { accuracyTiles, dayAccuracy, modelComparison } from '../parts/accuracy-sections.ts'
import { bandColumns, CHART_FILES, chart } from '../parts/chart.ts'
import { choice } from '../parts/choices.ts'
import { endNotice, forecastStart, priceEnds } from '../parts/price-end.ts'
import { isSynthetic } from '../parts/provenance.ts'
import { figure, figureInUnit, signedFigure, timeElement } from '../parts/value.ts'
import type { View } from '../view.ts'

const RANGES = ['30d', '90d', '1y'] as const
const RANGE_DAYS = { '30d': 30, '90d': 90, '1y': 365 }
const HORIZONS = ['1', '7', '30'] as const
const query = z.object({
  asset: forecastSlug.default('pun'),
  range: z.enum(RANGES).default('90d'),
  horizon: z.enum(HORIZONS).default('1'),
})
type Query = z.output<typeof query>

/** `/forecasts`: the forecasts as issued, the actual prices, and the proof that nothing was rewritten. */
export const forecastsPage = page({
  path: '/forecasts',
  query,
  async render({ query, ask, service, today, view }) {
    const texts = forecastTexts[view.language]
    const replayTexts = accuracyTexts[view.language]
    const asset = requireAssetBySlug(query.asset)
    const end = await lastDayOfPrices(service.prices, asset.code, today)
    const span = spanOf(query, end)
    const [upcoming, record] = await Promise.all([
      nextForecasts(ask),
      ask<TrackRecord>(getTrackRecord, { query: { asset: asset.slug, ...span } }),
    ])
    const { chain } = record.ledger
    const year = {
      from: end.subtract({ days: RANGE_DAYS['1y'] }),
      to: end.add({ days: DAYS_AHEAD_MAX }),
      horizonDays: undefined,
    }
    const scored = await onBestBasis(
      (basis) => service.forecasts.scored(chain, asset.code, year, basis),
      (rows) => rows.length,
    )
    return {
      ...CHART_FILES,
      title: texts.title,
      description: texts.description,
      section: 'forecasts',
      synthetic: chain === 'sample' || upcoming.some((one) => isSynthetic(one.next?.source)),
      main: html`<p class="lead">${texts.lead}</p>
${endNotice(await priceEnds(FORECAST_ASSETS, service, today), view)}
<p><a href="${view.href(METHODOLOGY_PATH)}">${texts.methodology}</a> · <a href="${view.href('/forecasts/hours')}">${texts.byHour}</a> · <a href="${view.href(`/forecasts/past?asset=${asset.slug}`)}">${texts.past}</a></p>
<ul class="cards">${upcoming.map((one) => nextCard(one, view))}</ul>
${choices(query, view)}
<h2 id="record">${texts.summary(asset.code, view.formats.day(record.from), view.formats.day(record.to))}</h2>
${record.summary?.basis === 'replay' && html`<p class="notice"><strong>${replayTexts.replay}</strong> ${replayTexts.replayLead(record.summary.n)}</p>`}
${accuracyTiles(record, view)}
${record.records.length > 1 && html`<h2>${texts.against}</h2>${recordChart(record, view)}`}
${record.summary && worstDays(record, view)}
<ul class="buttons"><li><a class="button" href="${download(asset, span, 'json')}" download="track-record.json">${texts.download}</a></li><li><a class="button" href="${download(asset, span, 'csv')}" download>${texts.downloadCsv}</a></li></ul>
${dayAccuracy(scored.found, scored.basis, view)}
${asset.code === 'PUN' && modelComparison(view)}
${ledgerSection(record, view)}`,
    }
  },
})

interface AssetForecast {
  asset: Asset
  next: NextForecast | undefined
}

async function nextForecasts(ask: AskEndpoint): Promise<AssetForecast[]> {
  return Promise.all(
    FORECAST_ASSETS.map(async (code) => {
      const asset = ASSETS[code]
      const next = ask<NextForecast>(getNextForecast, { path: { asset: asset.slug } })
      return { asset, next: await undefinedIfNotFound(next) }
    }),
  )
}

function nextCard({ asset, next }: AssetForecast, view: View): Html {
  const texts = forecastTexts[view.language]
  const { formats } = view
  if (next === undefined)
    return html`<li class="card"><p><strong>${asset.code}</strong> <span class="soft">${texts.none}</span></p></li>`
  return html`<li class="card"><p class="soft small"><a href="${view.href(`/prices/${asset.slug}#forecast`)}">${texts.next(asset.code, formats.shortDay(next.target_date))}</a></p>
<p class="price">${figureInUnit(next.value, next.unit, view)}</p>
${forecastStart({ basis: next.basis, first: next.target_date, infoDate: next.info_date }, view)}
<p class="small">${texts.bandKey}: ${texts.band(formats.number(next.p10), formats.number(next.p90))}</p></li>`
}

/** Omits horizon 1, so that the API uses the shortest horizon of each day: TTF's Monday is three days after its Friday. */
function spanOf({ range, horizon }: Query, end: MarketDay): Record<string, string> {
  const from = end.subtract({ days: RANGE_DAYS[range] - 1 }).toString()
  return { from, to: end.toString(), ...(horizon !== '1' && { horizon }) }
}

function choices(query: Query, view: View): Html {
  const texts = forecastTexts[view.language]
  const addressOf = (changed: Query) => view.href(`/forecasts?${new URLSearchParams(changed)}#record`)
  const indices = { label: texts.index, values: FORECAST_SLUGS, show: (slug: Query['asset']) => slug.toUpperCase() }
  const ranges = { label: texts.range, values: RANGES, show: (range: Query['range']) => texts.ranges[range] }
  const horizons = { label: texts.horizon, values: HORIZONS, show: (days: Query['horizon']) => texts.horizons[days] }
  return html`${choice('asset', indices, query, addressOf)}
${choice('range', ranges, query, addressOf)}
${choice('horizon', horizons, query, addressOf)}`
}

function download({ slug }: Asset, span: Record<string, string>, format: string): string {
  return `${BASE_PATH}/forecast/track-record?${new URLSearchParams({ asset: slug, ...span, format })}`
}

const WORST_SHOWN = 5

/** The record day by day: forecast, band, and actual price. */
function recordChart({ asset, unit, records }: TrackRecord, view: View): Html {
  const texts = forecastTexts[view.language]
  const { columns, key } = bandColumns(view)
  return chart(
    {
      name: 'record',
      caption: texts.caption(asset),
      dayLabel: texts.day,
      unit,
      columns: [
        ...columns,
        { label: texts.error, line: 'none', signed: true },
        { label: texts.inBand, line: 'none', show: (value) => (value === 1 ? texts.yes : texts.no) },
      ],
      rows: records.toReversed().map(({ target_date: date, actual, p10, p50, p90, error, in_band: inBand }) => ({
        date,
        values: [actual, p10, p50, p90, error, inBand === undefined ? undefined : Number(inBand)],
      })),
      key,
      hasPun: asset === 'PUN',
      file: `${asset.toLowerCase()}_track_record`,
    },
    view,
  )
}

/** The scored days with the largest errors. */
function worstDays({ records, unit }: TrackRecord, view: View): Html {
  const texts = forecastTexts[view.language]
  const { formats } = view
  const isIssued = records.some(({ issued_at: at }) => at !== undefined)
  const worst = records
    .flatMap((record) => {
      const { actual, error } = record
      return actual === undefined || error === undefined ? [] : [{ ...record, actual, error }]
    })
    .sort((a, b) => Math.abs(b.error) - Math.abs(a.error))
    .slice(0, WORST_SHOWN)
  const row = ({ target_date: day, issued_at: issuedAt, model, p50, actual, error }: (typeof worst)[number]) =>
    html`<tr><td>${timeElement(day, formats.day(day))}</td><td class="number">${figure(p50, view)}</td><td class="number">${figure(actual, view)}</td><td class="number">${signedFigure(error, view)}</td>${isIssued && html`<td>${issuedAt !== undefined && timeElement(issuedAt, formats.instant(issuedAt))}</td><td><code>${model}</code></td>`}</tr>\n`
  return html`<h2>${texts.worst}</h2>
<p>${texts.worstLead}</p>
<div class="scroll card" tabindex="0" role="region" aria-label="${texts.worst}"><table>
<thead><tr><th scope="col">${texts.day}</th><th scope="col" class="number">${texts.median}, ${unit}</th><th scope="col" class="number">${texts.actual}</th><th scope="col" class="number">${texts.error}</th>${isIssued && html`<th scope="col">${texts.issued}</th><th scope="col">${texts.model}</th>`}</tr></thead>
<tbody>
${worst.map(row)}</tbody></table></div>`
}

const DAYS_SHOWN = 7

/** The latest hash of the chain, and how to verify it. */
function ledgerSection({ ledger }: TrackRecord, view: View): Html {
  const texts = forecastTexts[view.language]
  return html`<section><h2 id="ledger">${texts.ledger}</h2>
<p>${texts.ledgerLead}</p>
${ledger.head === undefined ? html`<p class="soft">${texts.empty}</p>` : chainDetails(ledger, ledger.head, view)}
<h3>${texts.verify}</h3>
<p>${texts.verifyHow}</p>
<pre><code>npm run ledger -- verify track-record.csv</code></pre>
<p><a href="${view.href(METHODOLOGY_PATH)}">${texts.methodology}</a></p>
</section>`
}

function chainDetails({ chain, length, days }: TrackRecord['ledger'], head: string, view: View): Html {
  const texts = forecastTexts[view.language]
  const latest = days.slice(-DAYS_SHOWN).toReversed()
  return html`<dl class="particulars">
<dt>${texts.chain}</dt><dd><code>${chain}</code>, ${texts.chains[chain]}</dd>
<dt>${texts.length}</dt><dd>${figure(length, view, 0)}</dd>
<dt>${texts.head}</dt><dd><code class="hash">${head}</code></dd>
</dl>
${
  latest.length > 0 &&
  html`<details><summary>${texts.lastDays}</summary><div class="scroll"><table>
<thead><tr><th scope="col">${texts.date}</th><th scope="col" class="number">${texts.length}</th><th scope="col">${texts.hash}</th></tr></thead>
<tbody>
${latest.map(({ date, sequence, hash }) => html`<tr><td>${timeElement(date, view.formats.day(date))}</td><td class="number">${sequence}</td><td><code class="hash">${hash}</code></td></tr>\n`)}</tbody></table></div></details>`
}`
}
