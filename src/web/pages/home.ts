import * as z from 'zod'
import type { NextForecast } from '../../api/contract/forecasts.ts'
import { BASE_PATH } from '../../api/contract/identity.ts'
import type { Snapshot } from '../../api/contract/observations.ts'
import type { DailySeries } from '../../api/contract/series.ts'
import type { ZonalPrices } from '../../api/contract/zonal.ts'
import { getNextForecast } from '../../api/endpoints/forecast/get-next-forecast.ts'
import { getPricesSeries } from '../../api/endpoints/prices/get-series.ts'
import { getPunZones } from '../../api/endpoints/pun/get-pun-zones.ts'
import { getToday } from '../../api/endpoints/today/get-today.ts'
import type { Service } from '../../api/http/service.ts'
import { ASSETS } from '../../market/assets.ts'
import type { MarketDay } from '../../market/market-day.ts'
import { type Html, html } from '../html.ts'
import { homeTexts } from '../i18n/home.ts'
import { hourTexts } from '../i18n/hours.ts'
import { type AskEndpoint, page } from '../page.ts'
import { dayAnswer } from '../parts/day-answer.ts'
import { askHours, DETAILS, hoursSection } from '../parts/hours-section.ts'
import { type IndexNow, indexCard } from '../parts/index-card.ts'
import { isSynthetic } from '../parts/provenance.ts'
import { tomorrowsPrice } from '../parts/tomorrows-price.ts'
import { undefinedIfNotFound } from '../parts/undefined-if-not-found.ts'
import { figure } from '../parts/value.ts'
import { zoneTiles } from '../parts/zone-tiles.ts'
import type { View } from '../view.ts'

/** `/`: when power is cheap, today's and tomorrow's hours, the five indices, the zones. */
export const homePage = page({
  path: '/',
  query: z.object({ detail: z.enum(DETAILS).default('hour') }),
  async render({ ask, today: day, view, query: { detail }, service }) {
    const texts = homeTexts[view.language]
    const [indices, today, tomorrow, zones, next] = await Promise.all([
      indicesNow(ask, service, day),
      askHours(ask, day, detail),
      askHours(ask, day.add({ days: 1 }), detail),
      undefinedIfNotFound(ask<ZonalPrices>(getPunZones, { query: { zones: 'all' } })),
      undefinedIfNotFound(ask<NextForecast>(getNextForecast, { path: { asset: 'pun' } })),
    ])
    const forecast = next ? forecastCard(next, view) : html``
    const hasTomorrow = tomorrow.prices !== undefined
    const sources = [...indices.map(({ observation }) => observation?.source), today.prices?.source, zones?.source]
    return {
      title: texts.title,
      section: 'home',
      synthetic: sources.some(isSynthetic),
      scripts: ['hours.js', 'tomorrow.js'],
      main: html`<p class="lead wide">${texts.lead}</p>
${dayAnswer({ yesterdayMean: meanOf(day.subtract({ days: 1 }), indices), today: today.prices, tomorrow: tomorrow.prices }, view)}
${hoursSection({ today, tomorrow, detail, beside: hasTomorrow ? html`` : forecast }, view)}
<h2>${texts.indices}</h2>
<ul class="cards compact">
${indices.map((one) => indexCard(one, day, view))}</ul>
<div class="split"><section>${zonesSection(zones, view)}</section>
<section>${hasTomorrow && forecast}${useSection(service.config.baseUrl, view)}</section></div>`,
    }
  },
})

/** Tomorrow's price of each once it is published, else the API's current one. */
async function indicesNow(ask: AskEndpoint, service: Service, today: MarketDay): Promise<IndexNow[]> {
  const snapshot = await undefinedIfNotFound(ask<Snapshot>(getToday))
  return Promise.all(
    Object.values(ASSETS).map(async (asset) => ({
      asset,
      observation: (await tomorrowsPrice(asset, service, today)) ?? snapshot?.values[asset.code],
      series: await ask<DailySeries>(getPricesSeries, { path: { asset: asset.slug } }),
    })),
  )
}

/** Of the PUN. */
function meanOf(day: MarketDay, indices: readonly IndexNow[]): number | undefined {
  const pun = indices.find(({ asset }) => asset.code === 'PUN')
  return pun?.series.points.find(({ date }) => date === day.toString())?.value
}

function zonesSection(zones: ZonalPrices | undefined, view: View): Html {
  const texts = hourTexts[view.language]
  return html`<h2 id="zones">${texts.zones}</h2>
${zones ? zoneTiles(zones, view) : html`<p class="notice">${texts.noZones}</p>`}
<p><a href="${view.href('/zones')}">${texts.onMap}</a></p>`
}

function forecastCard(next: NextForecast, view: View): Html {
  const texts = homeTexts[view.language]
  const { formats } = view
  return html`<section class="card"><h3>${texts.nextForecast}</h3>
<p class="soft small">${texts.forecastOf(formats.weekday(next.target_date))}</p>
<p class="price">${figure(next.value, view)} <span class="unit">${next.unit}</span></p>
<p class="small">${texts.bandOf(formats.number(next.p10), formats.number(next.p90))} ${next.unit}</p>
<p class="small"><a href="${view.href('/forecasts')}">${texts.record}</a></p></section>`
}

function useSection(baseUrl: URL, view: View): Html {
  const texts = homeTexts[view.language]
  return html`<h2>${texts.use}</h2>
<p>${texts.useLead}</p>
<pre><code>curl ${baseUrl.origin}${BASE_PATH}/today</code></pre>
<p>${texts.useMore} <a href="${view.href('/docs')}">${texts.documentation}</a>; <a href="${BASE_PATH}/docs/">${texts.tryIt}</a>.</p>`
}
