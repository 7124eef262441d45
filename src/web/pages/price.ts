import * as z from 'zod'
import { notFound } from '../../api/contract/errors.ts'
import type { ForecastCurve, NextForecast } from '../../api/contract/forecasts.ts'
import type { PriceObservation, Snapshot } from '../../api/contract/observations.ts'
import { PAGES } from '../../api/contract/plans.ts'
import type { DailySeries } from '../../api/contract/series.ts'
import type { ServiceStatus } from '../../api/contract/status.ts'
import { getForecast } from '../../api/endpoints/forecast/get-forecast.ts'
import { getNextForecast } from '../../api/endpoints/forecast/get-next-forecast.ts'
import { presentObservation } from '../../api/endpoints/present-observation.ts'
import { getPricesSeries } from '../../api/endpoints/prices/get-series.ts'
import { getStatus } from '../../api/endpoints/status/get-status.ts'
import { getToday } from '../../api/endpoints/today/get-today.ts'
import type { Service } from '../../api/http/service.ts'
import { type Asset, assetBySlug } from '../../market/assets.ts'
import type { MarketDay } from '../../market/market-day.ts'
import { html } from '../html.ts'
import { indexWords } from '../i18n/indices.ts'
import { page } from '../page.ts'
import { CHART_FILES } from '../parts/chart.ts'
import { correctionsSection } from '../parts/corrections.ts'
import { forecastSection } from '../parts/forecast-section.ts'
import { DEFAULT_RANGE, historySection, RANGE_DAYS, RANGES } from '../parts/history-section.ts'
import { nowSection } from '../parts/now-section.ts'
import { isSynthetic } from '../parts/provenance.ts'
import { provenanceSection } from '../parts/provenance-section.ts'
import { undefinedIfNotFound } from '../parts/undefined-if-not-found.ts'

const HAVE_FORECASTS: readonly string[] = ['pun', 'psv', 'ttf']
const CORRECTIONS_MOST = 15

/** `/prices/<slug>`, the `page` of every observation: price, history, forecast, provenance and corrections of an index. */
export const pricePage = page({
  path: '/prices/{slug}',
  pathSchema: z.object({ slug: z.string() }),
  query: z.object({ range: z.enum(RANGES).default(DEFAULT_RANGE) }),
  async render({ path, query: { range }, ask, service, today, view }) {
    const asset = assetBySlug(path.slug)
    if (!asset) throw notFound('There is no index of that name.')
    const seriesOf = (days: number) =>
      ask<DailySeries>(getPricesSeries, { path: { asset: asset.slug }, query: lastDays(days, today) })
    const hasForecast = HAVE_FORECASTS.includes(asset.slug)
    const [snapshot, tomorrow, month, series, curve, next, status, corrections] = await Promise.all([
      undefinedIfNotFound(ask<Snapshot>(getToday)),
      tomorrowsPrice(asset, service, today),
      seriesOf(RANGE_DAYS['30d']),
      seriesOf(RANGE_DAYS[range]),
      hasForecast ? undefinedIfNotFound(ask<ForecastCurve>(getForecast, { path: { asset: asset.slug } })) : undefined,
      hasForecast
        ? undefinedIfNotFound(ask<NextForecast>(getNextForecast, { path: { asset: asset.slug } }))
        : undefined,
      ask<ServiceStatus>(getStatus),
      service.prices.corrections(asset.code, today.subtract({ days: PAGES.historyDepthDays }), CORRECTIONS_MOST),
    ])
    const observation = snapshot?.values[asset.code]
    return {
      ...CHART_FILES,
      title: headingOf(asset, view.language),
      description: indexWords[view.language][asset.code].about,
      section: asset.slug,
      synthetic: [observation?.source, tomorrow?.source, series.source].some(isSynthetic),
      main: html`<p class="lead">${indexWords[view.language][asset.code].about}</p>
${nowSection({ asset, observation, tomorrow, month, next, today }, view)}
${historySection({ asset, range, series, baseUrl: service.config.baseUrl }, view)}
${hasForecast && forecastSection({ asset, curve, next, month }, view)}
${provenanceSection(asset, status, view)}
${correctionsSection(asset, corrections, view)}`,
    }
  },
})

function headingOf({ code }: Asset, language: keyof typeof indexWords): string {
  return `${code}: ${indexWords[language][code].what}`
}

async function tomorrowsPrice(
  { code }: Asset,
  { prices, config }: Service,
  today: MarketDay,
): Promise<PriceObservation | undefined> {
  const tomorrow = today.add({ days: 1 })
  const found = await prices.latest(code, { notBefore: tomorrow, notAfter: tomorrow })
  return found && presentObservation(found, config.baseUrl)
}

/** Up to tomorrow, which may be published already. */
function lastDays(days: number, today: MarketDay): { from: string; to: string } {
  return { from: today.subtract({ days }).toString(), to: today.add({ days: 1 }).toString() }
}
