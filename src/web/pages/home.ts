import * as z from 'zod'
import type { NextForecast } from '../../api/contract/forecasts.ts'
import { hourlyZone } from '../../api/contract/hourly.ts'
import type { HourlyForecast } from '../../api/contract/hourly-forecasts.ts'
import { BASE_PATH } from '../../api/contract/identity.ts'
import type { ZonalPrices } from '../../api/contract/zonal.ts'
import { getHourlyForecast } from '../../api/endpoints/forecast/get-hourly-forecast.ts'
import { getNextForecast } from '../../api/endpoints/forecast/get-next-forecast.ts'
import { getPunZones } from '../../api/endpoints/pun/get-pun-zones.ts'
import { ASSET_CODES, ASSETS, type AssetCode } from '../../market/assets.ts'
import type { MarketDay } from '../../market/market-day.ts'
import { NATIONAL_ZONE } from '../../market/zones.ts'
import { undefinedIfNotFound } from '../ask-endpoints.ts'
import { DECIMAL_PATTERN } from '../decimal.ts'
import { type Html, html } from '../html.ts'
import { bandsTexts } from '../i18n/bands.ts'
import { homeTexts } from '../i18n/home.ts'
import { hourTexts, zoneNames } from '../i18n/hours.ts'
import { page } from '../page.ts'
import { daySummary } from '../parts/day-answer.ts'
import { intervalsOf } from '../parts/day-intervals.ts'
import { DETAILS, fetchHours, hoursSection } from '../parts/hours-section.ts'
import { type IndexSnapshot, indexCard } from '../parts/index-card.ts'
import { latestPrice } from '../parts/latest-price.ts'
import { currentPrice, DEADLINES, fetchCheapestWindow, WINDOW_HOURS, windowForm } from '../parts/now.ts'
import { ageMark, endNotice, forecastStart, priceEnds } from '../parts/price-end.ts'
import { isSynthetic } from '../parts/provenance.ts'
import { figure, figureInUnit, signedFigure } from '../parts/value.ts'
import { shadeOf } from '../parts/zone-map.ts'
import type { View } from '../view.ts'

/** `/`: the price now, when power is cheap, today's and tomorrow's hours, the five indices, the zones. */
export const homePage = page({
  path: '/',
  query: z.object({
    detail: z.enum(DETAILS).default('hour'),
    hours: z.enum(WINDOW_HOURS).default('3'),
    before: z.enum(DEADLINES).default('any'),
    zone: hourlyZone.default(NATIONAL_ZONE),
  }),
  perQuarterHour: true,
  async render({ ask, today: day, now, view, query: { detail, ...window }, service }) {
    const texts = homeTexts[view.language]
    const [indices, ends, today, tomorrow, zones, next, zoneDay, found, hourlyForecast] = await Promise.all([
      fetchIndices({ ask, service, today: day }),
      priceEnds(ASSET_CODES, service, day),
      fetchHours(ask, day, detail),
      fetchHours(ask, day.add({ days: 1 }), detail),
      undefinedIfNotFound(ask<ZonalPrices>(getPunZones, { query: { zones: 'all' } })),
      undefinedIfNotFound(ask<NextForecast>(getNextForecast, { path: { asset: 'pun' } })),
      fetchHours(ask, day, 'quarter', window.zone),
      fetchCheapestWindow(ask, window),
      undefinedIfNotFound(ask<HourlyForecast>(getHourlyForecast, { path: { asset: 'pun' }, query: { days: '1' } })),
    ])
    const quarters = zoneDay.prices ? zoneDay : await fetchHours(ask, day, 'quarter')
    const forecast = next ? forecastCard(next, day, view) : html``
    const hasTomorrow = tomorrow.prices !== undefined
    const end = endOf('PUN', indices)
    const last = today.prices || hasTomorrow || end === undefined ? undefined : await fetchHours(ask, end, detail)
    const before = await fetchHours(ask, (last?.prices ? last.day : day).subtract({ days: 1 }), detail)
    const expected = hourlyForecast?.points.filter(
      ({ date, price }) => date === tomorrow.day.toString() && price === 'forecast',
    )
    const sources = [...indices.map(({ observation }) => observation?.source), today.prices?.source, zones?.source]
    const published = [quarters.prices, tomorrow.prices].flatMap((prices) => (prices ? intervalsOf(prices) : []))
    const nowSection = html`<div class="split">${currentPrice(quarters.prices, now, view)}
${windowForm(window, { found, today: day, intervals: published }, view)}</div>`
    return {
      title: texts.title,
      section: 'home',
      ...(today.prices && { fieldsAt: 'fields' }),
      synthetic: sources.some(isSynthetic),
      scripts: ['hours.js', 'tomorrow.js', 'live.js'],
      main: html`<p class="lead wide">${texts.lead}</p>
${endNotice(ends, view)}
${today.prices && nowSection}
${daySummary({ yesterdayMean: meanOf(before.day, indices), today: today.prices, tomorrow: tomorrow.prices, last: last?.prices }, view)}
${hoursSection({ before, today, tomorrow, last: last?.prices && last, forecast: (!hasTomorrow && today.prices && expected) || [], detail, belowTomorrow: hasTomorrow ? html`` : forecast }, now, view)}
${billForm(view)}
<h2>${texts.indices}</h2>
<ul class="cards compact">
${indices.map((one) => indexCard(one, day, view))}</ul>
<div class="split"><section>${zonesSection(zones, day, view)}</section>
<section>${hasTomorrow && forecast}${apiSection(service.config.baseUrl, view)}</section></div>`,
    }
  },
})

async function fetchIndices(page: Parameters<typeof latestPrice>[1]): Promise<IndexSnapshot[]> {
  return Promise.all(
    Object.values(ASSETS).map(async (asset) => {
      const { observation, month } = await latestPrice(asset, page)
      return { asset, observation, series: month }
    }),
  )
}

/** The day of the latest price. */
function endOf(code: AssetCode, indices: readonly IndexSnapshot[]): MarketDay | undefined {
  const found = indices.find(({ asset }) => asset.code === code)?.observation
  return found && Temporal.PlainDate.from(found.date)
}

/** Mean of the PUN. */
function meanOf(day: MarketDay, indices: readonly IndexSnapshot[]): number | undefined {
  const pun = indices.find(({ asset }) => asset.code === 'PUN')
  return pun?.series.points.find(({ date }) => date === day.toString())?.value
}

/** Form that opens last month's bill at a single price; hidden if "mine" is stored, which has more. */
function billForm(view: View): Html {
  const texts = homeTexts[view.language]
  const field = (id: string, label: string) =>
    html`<div class="field"><label for="bill-${id}">${label}</label>
<input id="bill-${id}" name="${id}" inputmode="decimal" autocomplete="off" pattern="${DECIMAL_PATTERN}" title="${bandsTexts[view.language].number}" required></div>\n`
  return html`<section class="card bill"><h2>${texts.bill}</h2>
<form class="row" method="get" action="${view.href('/bands')}#bill">
<input type="hidden" name="contract" value="flat">
${field('f0', texts.billUse)}${field('spread', texts.billSpread)}<button class="primary">${texts.billShow}</button></form></section>`
}

function zonesSection(zones: ZonalPrices | undefined, today: MarketDay, view: View): Html {
  const texts = hourTexts[view.language]
  return html`<h2 id="zones">${texts.zones}</h2>
${zones ? zoneTiles(zones, today, view) : html`<p class="soft">${texts.noZones}</p>`}
<p><a href="${view.href('/zones')}">${texts.onMap}</a> · <a href="${view.href('/trading?period=week#zones')}">${texts.spreads}</a></p>`
}

function forecastCard(next: NextForecast, today: MarketDay, view: View): Html {
  const texts = homeTexts[view.language]
  const { formats } = view
  return html`<section class="card aside"><h3>${texts.nextForecast}</h3>
<p class="soft small">${texts.forecastOf(formats.weekday(next.target_date))}</p>
<p class="price">${figureInUnit(next.value, next.unit, view)}</p>
${forecastStart({ basis: next.basis, first: next.target_date, infoDate: next.info_date }, view)}
<p class="small">${texts.bandOf(formats.number(next.p10), formats.number(next.p90))} ${next.unit}</p>
<p class="small"><a href="${view.href('/forecasts')}">${texts.record}</a> · <a href="${view.href(`/forecasts/past?day=${today.subtract({ days: 1 })}&ago=2`)}">${texts.yesterday}</a></p></section>`
}

function apiSection(baseUrl: URL, view: View): Html {
  const texts = homeTexts[view.language]
  return html`<h2>${texts.use}</h2>
<p>${texts.useLead}</p>
<pre><code>curl ${baseUrl.origin}${BASE_PATH}/today</code></pre>
<p>${texts.useMore} <a href="${view.href('/docs')}">${texts.documentation}</a>; <a href="${BASE_PATH}/docs/">${texts.tryIt}</a>.</p>`
}

/** The market zones as tiles in their geographical order, coloured by their difference from the PUN; with a table as text. */
function zoneTiles({ date, unit, national, zones }: ZonalPrices, today: MarketDay, view: View): Html {
  const texts = hourTexts[view.language]
  const { formats } = view
  const tiles = zones.map(
    ({
      code,
      value,
      spread_vs_pun: spread,
    }) => html`<li class="zone ${code} ${shadeOf(spread)}" data-zone="${code}"><span>${zoneNames[view.language][code]}</span>
<strong>${figure(value, view)}</strong>
${signedFigure(spread, view)}</li>
`,
  )
  return html`<p class="soft">${texts.zonesOf(formats.weekday(date))}. PUN ${figure(national, view)} ${unit}.${ageMark('PUN', date, today, view)}</p>
<ul class="italy">
${tiles}</ul>`
}
