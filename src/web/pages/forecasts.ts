import * as z from 'zod'
import { FORECAST_ASSETS, forecastSlug, type NextForecast, type TrackRecord } from '../../api/contract/forecasts.ts'
import { BASE_PATH } from '../../api/contract/identity.ts'
import { lastDayOfPrices } from '../../api/endpoints/current-price.ts'
import { getNextForecast } from '../../api/endpoints/forecast/get-next-forecast.ts'
import { getTrackRecord } from '../../api/endpoints/forecast/get-track-record.ts'
import { METHODOLOGY_PATH, showError } from '../../api/endpoints/forecast/present.ts'
import { presentErrors } from '../../api/endpoints/forecast/present-track-record.ts'
import type { Service } from '../../api/http/service.ts'
import { ASSETS, type Asset, assetOfSlug } from '../../market/assets.ts'
import { DAYS_AHEAD_MAX } from '../../market/forecast-scope.ts'
import type { MarketDay } from '../../market/market-day.ts'
import { type Html, html } from '../html.ts'
import { accuracyTexts } from '../i18n/forecast-accuracy.ts'
import { forecastTexts } from '../i18n/forecasts.ts'
import { type AskEndpoint, page } from '../page.ts'
import { onBestBasis } from '../parts/accuracy-basis.ts'
import { dayAccuracy, modelsBeside } from '../parts/accuracy-sections.ts'
import { CHART_FILES } from '../parts/chart.ts'
import { accuracyTiles } from '../parts/forecast-accuracy.ts'
import { ledgerSection } from '../parts/forecast-ledger.ts'
import { recordChart, type ShownRecords, worstDays } from '../parts/forecast-record.ts'
import { endNotice, priceEnds } from '../parts/price-end.ts'
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
  async render({ query, ask, service, today, view }) {
    const texts = forecastTexts[view.language]
    const replayTexts = accuracyTexts[view.language]
    const asset = assetOfSlug(query.asset)
    const end = await lastDayOfPrices(service.prices, asset.code, today)
    const span = spanOf(query, end)
    const [nexts, record] = await Promise.all([
      nextForecasts(ask),
      ask<TrackRecord>(getTrackRecord, { query: { asset: asset.slug, ...span } }),
    ])
    const { chain } = record.ledger
    const shown = record.summary ? record : await replayOf(service, chain, asset, record)
    const year = {
      from: end.subtract({ days: RANGES['1y'] }),
      to: end.add({ days: DAYS_AHEAD_MAX }),
      horizonDays: undefined,
    }
    const scored = await onBestBasis((basis) => service.forecasts.scored(chain, asset.code, year, basis))
    return {
      ...CHART_FILES,
      title: texts.title,
      description: texts.description,
      section: 'forecasts',
      synthetic: chain === 'sample' || nexts.some((one) => isSynthetic(one.next?.source)),
      main: html`<p class="lead">${texts.lead}</p>
${endNotice(await priceEnds(FORECAST_ASSETS, service, today), view)}
<p><a href="${view.href(METHODOLOGY_PATH)}">${texts.methodology}</a> · <a href="${view.href('/forecasts/hours')}">${texts.byHour}</a> · <a href="${view.href(`/forecasts/past?asset=${asset.slug}`)}">${texts.past}</a></p>
<ul class="cards">${nexts.map((one) => nextCard(one, view))}</ul>
${choices(query, view)}
<h2 id="record">${texts.summary(asset.code, view.formats.day(record.from), view.formats.day(record.to))}</h2>
${!record.summary && shown.summary && html`<p class="notice"><strong>${replayTexts.replay}</strong> ${replayTexts.replayLead(shown.records.length)}</p>`}
${accuracyTiles(shown, view)}
${shown.records.length > 1 && html`<h2>${texts.against}</h2>${recordChart(shown, view)}`}
${shown.summary && worstDays(shown, view)}
<ul class="buttons"><li><a class="button" href="${download(asset, span, 'json')}" download="track-record.json">${texts.download}</a></li><li><a class="button" href="${download(asset, span, 'csv')}" download>${texts.downloadCsv}</a></li></ul>
${dayAccuracy(scored.rows, scored.basis, view)}
${asset.code === 'PUN' && modelsBeside(view)}
${ledgerSection(record, view)}`,
    }
  },
})

/** For as long as nothing that was issued is scored. */
async function replayOf(
  { forecasts }: Service,
  chain: TrackRecord['ledger']['chain'],
  { code }: Asset,
  { asset, unit, from, to, horizon_days: horizonDays }: TrackRecord,
): Promise<ShownRecords & Pick<TrackRecord, 'summary'>> {
  const span = { from: Temporal.PlainDate.from(from), to: Temporal.PlainDate.from(to), horizonDays }
  const errors = await forecasts.errors(chain, code, span, { basis: 'replay' })
  const scored = await forecasts.scored(chain, code, span, 'replay')
  const records = scored.map(({ targetDate, p10, p50, p90, actual }) => ({
    ...{ target_date: targetDate, p10, p50, p90, actual, error: showError(p50 - actual) },
    in_band: p10 <= actual && actual <= p90,
  }))
  return { asset, unit, records, ...(errors && { summary: presentErrors(errors, undefined) }) }
}

interface Next {
  asset: Asset
  next: NextForecast | undefined
}

async function nextForecasts(ask: AskEndpoint): Promise<Next[]> {
  return Promise.all(
    FORECAST_ASSETS.map(async (code) => {
      const asset = ASSETS[code]
      const next = ask<NextForecast>(getNextForecast, { path: { asset: asset.slug } })
      return { asset, next: await undefinedIfNotFound(next) }
    }),
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
function spanOf({ range, horizon }: Query, end: MarketDay): Record<string, string> {
  const from = end.subtract({ days: RANGES[range] }).toString()
  return { from, to: end.toString(), ...(horizon !== '1' && { horizon }) }
}

function choices(query: Query, view: View): Html {
  const texts = forecastTexts[view.language]
  const list = (label: string, name: keyof Query, options: readonly (readonly [string, string])[]) =>
    html`<div class="choice"><span>${label}</span><ul class="buttons">${options.map(([value, text]) => {
      const parameters = new URLSearchParams({ ...query, [name]: value })
      return html`<li><a class="button" href="${view.href(`/forecasts?${parameters}#record`)}"${query[name] === value && html` aria-current="true"`}>${text}</a></li>`
    })}</ul></div>`
  const indices = FORECAST_ASSETS.map((code) => [ASSETS[code].slug, code] as const)
  return html`${list(texts.index, 'asset', indices)}
${list(texts.range, 'range', Object.entries(texts.ranges))}
${list(texts.horizon, 'horizon', Object.entries(texts.horizons))}`
}

function download({ slug }: Asset, span: Record<string, string>, format: string): string {
  return `${BASE_PATH}/forecast/track-record?${new URLSearchParams({ asset: slug, ...span, format })}`
}
