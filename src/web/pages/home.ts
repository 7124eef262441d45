import * as z from 'zod'
import { ASSETS } from '../../contract/assets.ts'
import type { NextForecast } from '../../contract/forecasts.ts'
import type { HourlyDay } from '../../contract/hourly.ts'
import { BASE_PATH } from '../../contract/identity.ts'
import type { Snapshot } from '../../contract/observations.ts'
import { PUBLICATION_TIMES } from '../../contract/publications.ts'
import type { DailySeries } from '../../contract/series.ts'
import type { ZonalPrices } from '../../contract/zonal.ts'
import type { MarketDay } from '../../domain/market-day.ts'
import { getNextForecast } from '../../endpoints/forecast/get-next-forecast.ts'
import { getPricesSeries } from '../../endpoints/prices/get-series.ts'
import { getPunHourly } from '../../endpoints/pun/get-pun-hourly.ts'
import { getPunZones } from '../../endpoints/pun/get-pun-zones.ts'
import { getToday } from '../../endpoints/today/get-today.ts'
import { type Html, html } from '../html.ts'
import { homeTexts } from '../i18n/home.ts'
import { hourTexts } from '../i18n/hours.ts'
import { type AskEndpoint, page } from '../page.ts'
import { hoursChart } from '../parts/hours-chart.ts'
import { type IndexNow, indexCard } from '../parts/index-card.ts'
import { orNone } from '../parts/or-none.ts'
import { isSynthetic } from '../parts/provenance.ts'
import { figure } from '../parts/value.ts'
import { zoneTiles } from '../parts/zone-tiles.ts'
import type { View } from '../view.ts'

const query = z.object({ detail: z.enum(['hour', 'quarter']).default('hour') })
type Detail = z.output<typeof query>['detail']

/** `/`: the five indices, today's and tomorrow's hours, the zones. */
export const homePage = page({
  path: '/',
  query,
  async render({ ask, today, view, query: { detail }, service }) {
    const texts = homeTexts[view.language]
    const tomorrow = today.add({ days: 1 })
    const [indices, first, second, zones, next] = await Promise.all([
      indicesNow(ask),
      hoursOf(ask, today, detail),
      hoursOf(ask, tomorrow, detail),
      orNone(ask<ZonalPrices>(getPunZones)),
      orNone(ask<NextForecast>(getNextForecast, { path: { asset: 'pun' } })),
    ])
    const sources = [...indices.map(({ observation }) => observation?.source), first?.day.source, zones?.source]
    return {
      title: texts.title,
      section: 'home',
      synthetic: sources.some(isSynthetic),
      main: html`<p class="lead">${texts.lead}</p>
<ul class="cards">
${indices.map((one) => indexCard(one, today, view))}</ul>
${hoursSection(
  [
    { day: today, found: first },
    { day: tomorrow, found: second },
  ],
  detail,
  view,
)}
<div class="split"><section>${zonesSection(zones, view)}</section>
<section>${next && forecastSection(next, view)}${useSection(service.config.baseUrl, view)}</section></div>`,
    }
  },
})

async function indicesNow(ask: AskEndpoint): Promise<IndexNow[]> {
  const snapshot = await orNone(ask<Snapshot>(getToday))
  return Promise.all(
    Object.values(ASSETS).map(async (asset) => ({
      asset,
      observation: snapshot?.values[asset.code],
      series: await ask<DailySeries>(getPricesSeries, { path: { asset: asset.slug } }),
    })),
  )
}

interface HoursFound {
  day: HourlyDay
  /** Quarter-hours were asked for, but the day has hours only. */
  hoursOnly: boolean
}

async function hoursOf(ask: AskEndpoint, day: MarketDay, detail: Detail): Promise<HoursFound | undefined> {
  const find = (granularity: Detail) =>
    orNone(ask<HourlyDay>(getPunHourly, { query: { date: day.toString(), granularity } }))
  const asked = await find(detail)
  if (asked !== undefined || detail === 'hour') return asked && { day: asked, hoursOnly: false }
  const hours = await find('hour')
  return hours && { day: hours, hoursOnly: true }
}

function hoursSection(days: { day: MarketDay; found: HoursFound | undefined }[], detail: Detail, view: View): Html {
  const texts = hourTexts[view.language]
  const choice = (value: Detail, text: string, address: string) =>
    html`<li><a class="button" href="${view.href(address)}"${value === detail && html` aria-current="true"`}>${text}</a></li>`
  const [today, tomorrow] = days.map(({ day, found }, i) => {
    const heading = html`<h3>${i === 0 ? texts.today : texts.tomorrow}, ${view.formats.weekday(day.toString())}</h3>`
    if (found === undefined) {
      const why = i === 0 ? texts.late : texts.notYet(PUBLICATION_TIMES.PUN)
      return html`<section class="card">${heading}<p class="notice">${why}</p></section>`
    }
    return html`<section class="card">${heading}${found.hoursOnly && html`<p class="notice small">${texts.hoursOnly}</p>`}${hoursChart(found.day, view)}</section>`
  })
  return html`<h2 id="hours">${detail === 'hour' ? texts.hourly : texts.quarters}</h2>
<ul class="buttons" aria-label="${texts.detail}">${choice('hour', texts.showHours, '/#hours')}${choice('quarter', texts.showQuarters, '/?detail=quarter#hours')}</ul>
<div class="split">${today}${tomorrow}</div>`
}

function zonesSection(zones: ZonalPrices | undefined, view: View): Html {
  const texts = hourTexts[view.language]
  return html`<h2 id="zones">${texts.zones}</h2>
${zones ? zoneTiles(zones, view) : html`<p class="notice">${texts.noZones}</p>`}`
}

function forecastSection(next: NextForecast, view: View): Html {
  const texts = homeTexts[view.language]
  const { formats } = view
  return html`<h2>${texts.nextForecast}</h2>
<div class="card"><p class="soft small">${texts.forecastOf(formats.weekday(next.target_date))}</p>
<p class="price">${figure(next.value, view)} <span class="unit">${next.unit}</span></p>
<p class="small">${texts.bandOf(formats.number(next.p10), formats.number(next.p90))} ${next.unit} · <a href="${view.href('/forecasts')}">${texts.record}</a></p></div>`
}

function useSection(baseUrl: URL, view: View): Html {
  const texts = homeTexts[view.language]
  return html`<h2>${texts.use}</h2>
<p>${texts.useLead}</p>
<pre><code>curl ${baseUrl.origin}${BASE_PATH}/today</code></pre>
<p>${texts.useMore} <a href="${view.href('/docs')}">${texts.documentation}</a>; <a href="${BASE_PATH}/docs/">${texts.tryIt}</a>.</p>`
}
