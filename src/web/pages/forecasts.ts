import * as z from 'zod'
import { forecastSlug, type NextForecast, type TrackRecord } from '../../api/contract/forecasts.ts'
import { BASE_PATH } from '../../api/contract/identity.ts'
import { getNextForecast } from '../../api/endpoints/forecast/get-next-forecast.ts'
import { getTrackRecord } from '../../api/endpoints/forecast/get-track-record.ts'
import { assetOfSlug, METHODOLOGY_PATH } from '../../api/endpoints/forecast/present.ts'
import { ASSETS, type Asset } from '../../market/assets.ts'
import type { MarketDay } from '../../market/market-day.ts'
import { type Html, html } from '../html.ts'
import { forecastTexts } from '../i18n/forecasts.ts'
import { type AskEndpoint, page } from '../page.ts'
import { CHART_FILES } from '../parts/chart.ts'
import { accuracyTiles } from '../parts/forecast-accuracy.ts'
import { ledgerSection } from '../parts/forecast-ledger.ts'
import { recordChart, worstDays } from '../parts/forecast-record.ts'
import { isSynthetic } from '../parts/provenance.ts'
import { undefinedIfNotFound } from '../parts/undefined-if-not-found.ts'
import { figure } from '../parts/value.ts'
import type { View } from '../view.ts'

const RANGES = { '30d': 30, '90d': 90, '1y': 365 } as const
const query = z.object({
  asset: forecastSlug.default('pun'),
  range: z.enum(['30d', '90d', '1y']).default('90d'),
  horizon: z.enum(['1', '7', '30']).default('1'),
})
type Query = z.output<typeof query>

/** `/forecasts`: the forecasts as issued, the actual prices, and the proof that nothing was rewritten. */
export const forecastsPage = page({
  path: '/forecasts',
  query,
  async render({ query, ask, today, view }) {
    const texts = forecastTexts[view.language]
    const asset = assetOfSlug(query.asset)
    const span = spanOf(query, today)
    const [nexts, record] = await Promise.all([
      nextForecasts(ask),
      ask<TrackRecord>(getTrackRecord, { query: { asset: asset.slug, ...span } }),
    ])
    const next = nexts.find((one) => one.asset.slug === asset.slug)?.next
    return {
      ...CHART_FILES,
      title: texts.title,
      description: texts.description,
      section: 'forecasts',
      synthetic: record.ledger.chain === 'sample' || nexts.some((one) => isSynthetic(one.next?.source)),
      main: html`<p class="lead">${texts.lead}</p>
<p><a href="${view.href(METHODOLOGY_PATH)}">${texts.methodology}</a> · <a href="${view.href('/forecasts/hours')}">${texts.byHour}</a></p>
<ul class="cards">${nexts.map((one) => nextCard(one, view))}</ul>
${choices(query, view)}
<h2 id="record">${texts.summary(asset.code, view.formats.day(record.from), view.formats.day(record.to))}</h2>
${accuracyTiles(record, next, view)}
${record.records.length > 1 && html`<h2>${texts.against}</h2>${recordChart(record, view)}`}
${record.summary && worstDays(record, view)}
<ul class="buttons"><li><a class="button" href="${download(asset, span, 'json')}" download="track-record.json">${texts.download}</a></li><li><a class="button" href="${download(asset, span, 'csv')}" download>${texts.downloadCsv}</a></li></ul>
${ledgerSection(record, view)}`,
    }
  },
})

interface Next {
  asset: Asset
  next: NextForecast | undefined
}

async function nextForecasts(ask: AskEndpoint): Promise<Next[]> {
  const assets = [ASSETS.PUN, ASSETS.PSV, ASSETS.TTF]
  return Promise.all(
    assets.map(async (asset) => ({
      asset,
      next: await undefinedIfNotFound(ask<NextForecast>(getNextForecast, { path: { asset: asset.slug } })),
    })),
  )
}

function nextCard({ asset, next }: Next, view: View): Html {
  const texts = forecastTexts[view.language]
  const { formats } = view
  if (next === undefined)
    return html`<li class="card"><p><strong>${asset.code}</strong> <span class="soft">${texts.none}</span></p></li>`
  return html`<li class="card"><p class="soft small"><a href="${view.href(`/prices/${asset.slug}#forecast`)}">${texts.next(asset.code, formats.shortDay(next.target_date))}</a></p>
<p class="price">${figure(next.value, view)} <span class="unit">${next.unit}</span></p>
<p class="small">${texts.bandKey}: ${texts.band(formats.number(next.p10), formats.number(next.p90))}</p></li>`
}

/** The shortest horizon of each day if the next day is requested: TTF's Monday is three days after its Friday. */
function spanOf({ range, horizon }: Query, today: MarketDay): Record<string, string> {
  const from = today.subtract({ days: RANGES[range] }).toString()
  return { from, to: today.toString(), ...(horizon !== '1' && { horizon }) }
}

function choices(query: Query, view: View): Html {
  const texts = forecastTexts[view.language]
  const list = (label: string, name: keyof Query, options: readonly (readonly [string, string])[]) =>
    html`<div class="choice"><span>${label}</span><ul class="buttons">${options.map(([value, text]) => {
      const parameters = new URLSearchParams({ ...query, [name]: value })
      return html`<li><a class="button" href="${view.href(`/forecasts?${parameters}#record`)}"${query[name] === value && html` aria-current="true"`}>${text}</a></li>`
    })}</ul></div>`
  return html`${list(texts.index, 'asset', [
    ['pun', 'PUN'],
    ['psv', 'PSV'],
    ['ttf', 'TTF'],
  ])}
${list(texts.range, 'range', Object.entries(texts.ranges))}
${list(texts.horizon, 'horizon', Object.entries(texts.horizons))}`
}

function download({ slug }: Asset, span: Record<string, string>, format: string): string {
  return `${BASE_PATH}/forecast/track-record?${new URLSearchParams({ asset: slug, ...span, format })}`
}
