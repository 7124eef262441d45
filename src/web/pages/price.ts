import * as z from 'zod'
import { notFound } from '../../api/contract/errors.ts'
import type { ForecastCurve, NextForecast } from '../../api/contract/forecasts.ts'
import type { ServiceStatus } from '../../api/contract/status.ts'
import { getForecast } from '../../api/endpoints/forecast/get-forecast.ts'
import { getNextForecast } from '../../api/endpoints/forecast/get-next-forecast.ts'
import { getStatus } from '../../api/endpoints/status/get-status.ts'
import { type Asset, assetBySlug } from '../../market/assets.ts'
import { HISTORY_QUERY, historyRequest } from '../history/query.ts'
import { historyRows } from '../history/rows.ts'
import { html } from '../html.ts'
import { indexWords } from '../i18n/indices.ts'
import { page } from '../page.ts'
import { CHART_FILES } from '../parts/chart.ts'
import { correctionsSection } from '../parts/corrections.ts'
import { forecastSection } from '../parts/forecast-section.ts'
import { historySection } from '../parts/history-section.ts'
import { latestPrice } from '../parts/latest-price.ts'
import { nowSection } from '../parts/now-section.ts'
import { endNotice, priceEnds } from '../parts/price-end.ts'
import { isSynthetic } from '../parts/provenance.ts'
import { provenanceSection } from '../parts/provenance-section.ts'
import { undefinedIfNotFound } from '../parts/undefined-if-not-found.ts'

const HAVE_FORECASTS: readonly string[] = ['pun', 'psv', 'ttf']
const CORRECTIONS_MOST = 15
const CORRECTIONS_DAYS = 731

/** `/prices/<slug>`, the `page` of every observation: price, history, forecast, provenance and corrections of an index. */
export const pricePage = page({
  path: '/prices/{slug}',
  pathSchema: z.object({ slug: z.string() }),
  query: HISTORY_QUERY,
  async render({ path, query, ask, service, today, view }) {
    const asset = assetBySlug(path.slug)
    if (!asset) throw notFound('There is no index of that name.')
    const { observation, end, month } = await latestPrice(asset, { ask, service, today })
    const request = historyRequest(asset, query, { today, end })
    const hasForecast = HAVE_FORECASTS.includes(asset.slug)
    const [ends, history, curve, next, status, corrections] = await Promise.all([
      priceEnds([asset.code], service, today),
      historyRows(request, { ask, service }),
      hasForecast ? undefinedIfNotFound(ask<ForecastCurve>(getForecast, { path: { asset: asset.slug } })) : undefined,
      hasForecast
        ? undefinedIfNotFound(ask<NextForecast>(getNextForecast, { path: { asset: asset.slug } }))
        : undefined,
      ask<ServiceStatus>(getStatus),
      service.prices.corrections(asset.code, end.subtract({ days: CORRECTIONS_DAYS }), CORRECTIONS_MOST),
    ])
    return {
      ...CHART_FILES,
      title: headingOf(asset, view.language),
      description: indexWords[view.language][asset.code].about,
      section: asset.slug,
      synthetic: [observation?.source, history.source].some(isSynthetic),
      main: html`<p class="lead">${indexWords[view.language][asset.code].about}</p>
${endNotice(ends, view)}
${nowSection({ asset, observation, month, next, today }, view)}
${historySection({ asset, request, history, baseUrl: service.config.baseUrl }, view)}
${hasForecast && forecastSection({ asset, curve, next, month, isEnded: ends.length > 0 }, view)}
${provenanceSection(asset, status, view)}
${correctionsSection(asset, corrections, view)}`,
    }
  },
})

function headingOf({ code }: Asset, language: keyof typeof indexWords): string {
  return `${code}: ${indexWords[language][code].what}`
}
