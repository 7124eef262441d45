import * as z from 'zod'
import { notFound } from '../../api/contract/errors.ts'
import { FORECAST_SLUGS, type ForecastCurve, type NextForecast } from '../../api/contract/forecasts.ts'
import type { PriceObservation } from '../../api/contract/observations.ts'
import type { DailySeries } from '../../api/contract/series.ts'
import type { ServiceStatus } from '../../api/contract/status.ts'
import { getForecast } from '../../api/endpoints/forecast/get-forecast.ts'
import { getNextForecast } from '../../api/endpoints/forecast/get-next-forecast.ts'
import { METHODOLOGY_PATH } from '../../api/endpoints/forecast/present.ts'
import { getStatus } from '../../api/endpoints/status/get-status.ts'
import { type Asset, type AssetCode, assetBySlug } from '../../market/assets.ts'
import { type MarketDay, toUtcIso } from '../../market/market-day.ts'
import { roundNative } from '../../market/price-units.ts'
import { NATIONAL_ZONE } from '../../market/zones.ts'
import type { Correction } from '../../store/prices.ts'
import { undefinedIfNotFound } from '../ask-endpoints.ts'
import { HISTORY_QUERY, historyRequest } from '../history/query.ts'
import { historyRows } from '../history/rows.ts'
import { type Html, html } from '../html.ts'
import { homeTexts } from '../i18n/home.ts'
import { hourTexts } from '../i18n/hours.ts'
import { indexTexts, priceTexts } from '../i18n/indices.ts'
import { marketTexts } from '../i18n/markets.ts'
import { pricePageTexts } from '../i18n/price-page.ts'
import { termsIn, usualPublicationIn } from '../i18n/sources.ts'
import { page } from '../page.ts'
import { bandColumns, CHART_FILES, chart } from '../parts/chart.ts'
import { historySection } from '../parts/history-section.ts'
import { changeSince, priceFigure } from '../parts/index-card.ts'
import { latestPrice } from '../parts/latest-price.ts'
import { ageMark, endNotice, forecastStart, isFromFile, priceEnds } from '../parts/price-end.ts'
import { isSynthetic, sourceLink } from '../parts/provenance.ts'
import { figure, figureInUnit, timeElement } from '../parts/value.ts'
import type { View } from '../view.ts'

const CORRECTIONS_MAX = 15
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
    const hasForecast = FORECAST_SLUGS.some((slug) => slug === asset.slug)
    const [ends, history, curve, next, status, corrections] = await Promise.all([
      priceEnds([asset.code], service, today),
      historyRows(request, { ask, service }),
      hasForecast ? undefinedIfNotFound(ask<ForecastCurve>(getForecast, { path: { asset: asset.slug } })) : undefined,
      hasForecast
        ? undefinedIfNotFound(ask<NextForecast>(getNextForecast, { path: { asset: asset.slug } }))
        : undefined,
      ask<ServiceStatus>(getStatus),
      service.prices.corrections(asset.code, end.subtract({ days: CORRECTIONS_DAYS }), CORRECTIONS_MAX),
    ])
    return {
      ...CHART_FILES,
      title: headingOf(asset, view.language),
      description: indexTexts[view.language][asset.code].about,
      section: asset.slug,
      synthetic: [observation?.source, history.source].some(isSynthetic),
      main: html`<p class="lead">${indexTexts[view.language][asset.code].about}</p>
${endNotice(ends, view)}
${nowSection({ asset, observation, month, next, today }, view)}
${historySection({ asset, request, history, baseUrl: service.config.baseUrl, corrections }, view)}
${hasForecast && forecastSection({ asset, curve, next, month, isEnded: ends.length > 0 }, view)}
${provenanceSection(asset, status, view)}
${correctionsSection(asset, corrections, view)}`,
    }
  },
})

function headingOf({ code }: Asset, language: keyof typeof indexTexts): string {
  return `${code}: ${indexTexts[language][code].what}`
}

interface CurrentPrice {
  asset: Asset
  /** The latest: tomorrow's once it is published. */
  observation: PriceObservation | undefined
  /** The 30 days before it. */
  month: DailySeries
  next: NextForecast | undefined
  today: MarketDay
}

/** The latest price of an index, next to the next forecast. */
function nowSection(now: CurrentPrice, view: View): Html {
  const { asset, observation, month, next, today } = now
  const texts = pricePageTexts[view.language]
  return html`<div class="split now">
<section class="card"><h2>${texts.now}</h2>
${observation ? latestDetails(observation, now, view) : html`<p class="soft">${priceTexts[view.language].missing}</p>`}
${observation && earlierPrice(observation, month, today, view)}
${asset.code === 'PUN' && html`<p class="small"><a href="${view.href('/#hours')}">${texts.hours}</a> · <a href="${view.href('/prices/pun/hours')}">${hourTexts[view.language].allHours}</a> · <a href="${view.href('/zones')}">${hourTexts[view.language].onMap}</a> · <a href="${view.href('/markets')}">${marketTexts[view.language].title}</a></p>`}
</section>
${next && nextCard(next, view)}
</div>`
}

function latestDetails(observation: PriceObservation, { asset, month, today }: CurrentPrice, view: View): Html {
  const texts = priceTexts[view.language]
  const { formats } = view
  const { date, observed_at: publishedAt, source, source_url: address } = observation
  return html`${priceFigure(observation, view)}
<p>${changeSince(observation, month, view)}</p>
<p class="soft small">${texts.marketDay} ${timeElement(date, formats.weekday(date))}${ageMark(asset.code, date, today, view)}. ${isFromFile(date, publishedAt) ? texts.imported : texts.published} ${timeElement(publishedAt, formats.instant(publishedAt))}. ${texts.source}: ${sourceLink(source, address, view)}</p>`
}

/** Adds today's price if tomorrow's is shown; if today has none, the latest earlier one. */
function earlierPrice(
  observation: PriceObservation,
  { points, unit }: DailySeries,
  today: MarketDay,
  view: View,
): Html {
  const point = points.findLast(({ date }) => date <= today.toString())
  if (observation.date <= today.toString() || point === undefined) return html``
  const { today: word } = priceTexts[view.language]
  return html`<p>${point.date === today.toString() && `${word}, `}${timeElement(point.date, view.formats.weekday(point.date))}: ${figureInUnit(point.value, unit, view)}</p>`
}

function nextCard(next: NextForecast, view: View): Html {
  const { formats, language } = view
  const { mae_30d: mae, coverage80_30d: coverage, accuracy_basis: basis, n } = next
  const texts = pricePageTexts[language]
  return html`<section class="card"><h2>${texts.forecast}: ${formats.weekday(next.target_date)}</h2>
<p class="price">${figureInUnit(next.value, next.unit, view)}</p>
<p>${homeTexts[language].bandOf(formats.number(next.p10), formats.number(next.p90))} ${next.unit}</p>
<p class="soft small">${mae !== undefined && coverage !== undefined && texts.accuracy(formats.number(mae), formats.percent(coverage, 0), n)} ${basis === 'replay' && texts.replay}</p>
</section>`
}

interface Forecast {
  asset: Asset
  curve: ForecastCurve | undefined
  next: NextForecast | undefined
  /** The last 30 days. */
  month: DailySeries
  /** Whether prices have ended, which the page already states. */
  isEnded: boolean
}

/** The forecast of the next 30 days with its band, drawn after the last 30 days. */
function forecastSection({ asset, curve, month, isEnded }: Forecast, view: View): Html {
  const texts = pricePageTexts[view.language]
  const { formats } = view
  return html`<section><h2 id="forecast">${texts.forecast}</h2>
${curve ? html`<p>${texts[curve.basis === 'live' ? 'issued' : 'computed'](formats.instant(curve.generated_at), curve.model)} ${texts.known(formats.day(curve.info_date))}</p>${forecastStart({ basis: curve.basis, first: curve.points[0]?.date ?? curve.info_date, infoDate: curve.info_date }, view)}${fanChart(curve, month, view)}` : html`<p class="${isEnded ? 'soft' : 'notice'}">${texts.noForecast}</p>`}
<p><a href="${view.href(`/forecasts?asset=${asset.slug}`)}">${texts.trackRecord}</a> · <a href="${view.href(METHODOLOGY_PATH)}">${texts.methodology}</a></p>
</section>`
}

function fanChart({ asset, unit, points }: ForecastCurve, month: DailySeries, view: View): Html {
  const texts = pricePageTexts[view.language]
  const past = month.points.map(({ date, value }) => ({ date, values: [value, undefined, undefined, undefined] }))
  const future = points.map(({ date, p10, p50, p90 }) => ({ date, values: [undefined, p10, p50, p90] }))
  return chart(
    {
      name: 'forecast',
      caption: texts.forecastCaption(asset),
      dayLabel: texts.day,
      unit,
      ...bandColumns(view),
      hasPun: asset === 'PUN',
      rows: [...future, ...past.toReversed()],
      file: `${asset.toLowerCase()}_forecast`,
    },
    view,
  )
}

type Source = ServiceStatus['sources'][number]

/** The publisher of an index, its terms, its latest publication, and when it was fetched: from `/v1/status`. */
function provenanceSection({ code }: Asset, { sources }: ServiceStatus, view: View): Html {
  const texts = pricePageTexts[view.language]
  const found = sources.flatMap((source) => {
    const series = source.series.find((one) => seriesOf(code).includes(one.series))
    return series ? [sourceFacts(source, series, view)] : []
  })
  return html`<section><h2 id="provenance">${texts.provenance}</h2>
${found.length > 0 ? found : html`<p class="soft">${texts.noHistory}</p>`}
</section>`
}

/** The PUN is published as a zone, or as a daily mean. */
function seriesOf(code: AssetCode): string[] {
  return code === 'PUN' ? [code, `zone:${NATIONAL_ZONE}`] : [code]
}

function sourceFacts(
  { id, name, url, terms, fetching, synthetic }: Source,
  series: Source['series'][number],
  view: View,
): Html {
  const texts = pricePageTexts[view.language]
  const { formats } = view
  const instant = (iso: string) => timeElement(iso, formats.instant(iso))
  const day = formats.day(series.latest_market_day)
  const isImported = !synthetic && fetching?.state !== 'on'
  const isDated = !isFromFile(series.latest_market_day, series.observed_at)
  return html`<dl class="particulars">
<dt>${texts.publisher}</dt><dd>${sourceLink(name, url, view)}</dd>
<dt>${texts.terms}</dt><dd>${termsIn(view.language, id, terms)}</dd>
<dt>${texts.usual}</dt><dd>${usualPublicationIn(view.language, series.usual_publication)}</dd>
${
  isDated &&
  html`<dt>${texts.observed}</dt><dd>${instant(series.observed_at)}</dd>
`
}<dt>${isImported ? texts.imported : texts.fetched}</dt><dd>${instant(series.fetched_at)}</dd>
<dt>${texts.complete}</dt><dd>${series.complete ? texts.whole(day) : texts.partial(day)}</dd>
</dl>`
}

/** Published values that were later replaced, each with its replacement. */
function correctionsSection({ nativeUnit }: Asset, corrections: readonly Correction[], view: View): Html {
  const texts = pricePageTexts[view.language]
  return html`<section><h2 id="corrections">${texts.corrections}</h2>
<p>${texts.correctionsLead}</p>
${corrections.length === 0 ? html`<p class="soft">${texts.noCorrections}</p>` : correctionsTable(nativeUnit, corrections, view)}
</section>`
}

function correctionsTable(unit: string, corrections: readonly Correction[], view: View): Html {
  const texts = pricePageTexts[view.language]
  const { formats } = view
  const price = (value: number | undefined) =>
    value === undefined ? html`<span class="soft">${texts.notWhole}</span>` : figure(roundNative(value), view)
  const row = ({ day, correctedAt, replaced, before, after }: Correction) => {
    const at = toUtcIso(correctedAt)
    return html`<tr><td>${timeElement(day, formats.day(day))}</td><td>${timeElement(at, formats.instant(at))}</td><td class="number">${replaced}</td><td class="number">${price(before)}</td><td class="number">${price(after)}</td></tr>\n`
  }
  return html`<div class="scroll card" tabindex="0" role="region" aria-label="${texts.corrections}"><table>
<thead><tr><th scope="col">${texts.day}</th><th scope="col">${texts.corrected}</th><th scope="col" class="number">${texts.values}</th><th scope="col" class="number">${texts.before}, ${unit}</th><th scope="col" class="number">${texts.after}, ${unit}</th></tr></thead>
<tbody>
${corrections.map(row)}</tbody></table></div>`
}
