import * as z from 'zod'
import { FORECAST_SLUGS, forecastSlug } from '../../api/contract/forecasts.ts'
import { marketDay, wholeNumber } from '../../api/contract/parameters.ts'
import { PAGES } from '../../api/contract/plans.ts'
import type { DailySeries } from '../../api/contract/series.ts'
import { lastDayOfPrices } from '../../api/endpoints/current-price.ts'
import { currentChain } from '../../api/endpoints/forecast/current-issue.ts'
import { getPricesSeries } from '../../api/endpoints/prices/get-series.ts'
import { type Asset, requireAssetBySlug } from '../../market/assets.ts'
import { type MarketDay, marketDayOf } from '../../market/market-day.ts'
import { isBefore, laterOf } from '../../market/time-order.ts'
import type { DayForecast, ForecastPoint } from '../../store/forecasts.ts'
import { type Html, html } from '../html.ts'
import { pastForecastTexts } from '../i18n/forecast-accuracy.ts'
import { forecastTexts } from '../i18n/forecasts.ts'
import { type AskEndpoint, page } from '../page.ts'
import { bandColumns, CHART_FILES, chart } from '../parts/chart.ts'
import { choice } from '../parts/choices.ts'
import { endNotice, priceEnds } from '../parts/price-end.ts'
import { figure, signedFigure, timeElement } from '../parts/value.ts'
import type { View } from '../view.ts'

const PATH = '/forecasts/past'
/** Range of the slider, in days before the target. */
const DAYS_BEFORE_MAX = 30
const DAYS_BEFORE_DEFAULT = 7
/** Days of the curve after the target, and of prices before the issue. */
const DAYS_AROUND = 10
const RECENT_DAYS = 8

const query = z.object({
  asset: forecastSlug.default('pun'),
  day: marketDay.optional(),
  ago: wholeNumber({ max: DAYS_BEFORE_MAX, description: 'Days before.', example: '7' }).default(DAYS_BEFORE_DEFAULT),
})

/** `/forecasts/past`: the forecasts issued for a day, by lead time, and the actual price. */
export const pastForecastsPage = page({
  path: PATH,
  query,
  async render({ query, ask, service, now, today, view }) {
    const texts = pastForecastTexts[view.language]
    const asset = requireAssetBySlug(query.asset)
    const end = await lastDayOfPrices(service.prices, asset.code, today)
    const selection = { asset, day: query.day ?? end, ago: query.ago }
    const chain = await currentChain({ service, today, now }, asset.code)
    const forecasts = await service.forecasts.ofDay(chain, asset.code, selection.day, DAYS_BEFORE_MAX)
    const chosen = nearestIssue(forecasts, selection.day, selection.ago)
    const curve =
      chosen &&
      (await service.forecasts.issuedFrom(chain, asset.code, Temporal.PlainDate.from(chosen.infoDate), DAYS_BEFORE_MAX))
    const prices = chosen ? await pricesAround(ask, selection, chosen, end) : new Map<string, number>()
    return {
      title: texts.title,
      description: texts.description,
      section: 'forecasts',
      fieldsAt: 'fields',
      scripts: [...CHART_FILES.scripts, 'live.js'],
      styles: CHART_FILES.styles,
      synthetic: chain === 'sample',
      main: html`<p class="lead">${texts.lead}</p>
${endNotice(await priceEnds([asset.code], service, today), view)}
${choices(selection, { today, end }, view)}
${form(selection, today, view)}
<div id="said">
${
  chosen === undefined || curve === undefined
    ? html`<p class="soft">${texts.noForecast}</p>`
    : html`${verdict(chosen, prices, selection, view)}
${curveChart(curve, prices, chosen, selection, view)}
${everyForecast(forecasts, prices, selection, view)}`
}
</div>
<p><a href="${view.href('/forecasts')}">${texts.record}</a></p>`,
    }
  },
})

interface Selection {
  asset: Asset
  day: MarketDay
  ago: number
}

/** Returns the forecast issued `ago` days before, or else the nearest one. */
function nearestIssue(forecasts: readonly DayForecast[], day: MarketDay, ago: number): DayForecast | undefined {
  const distance = (one: DayForecast) => Math.abs(daysBefore(one, day) - ago)
  return forecasts.toSorted((a, b) => distance(a) - distance(b))[0]
}

function daysBefore({ issuedAt }: DayForecast, day: MarketDay): number {
  return marketDayOf(issuedAt).until(day, { largestUnit: 'days' }).days
}

/** Limited to the history of the pages. */
async function pricesAround(ask: AskEndpoint, { asset, day }: Selection, { infoDate }: DayForecast, end: MarketDay) {
  const first = end.subtract({ days: PAGES.historyDepthDays - 1 })
  const earliest = Temporal.PlainDate.from(infoDate).subtract({ days: DAYS_AROUND })
  const from = laterOf(earliest, first)
  if (isBefore(day, from)) return new Map<string, number>()
  const query = { from: from.toString(), to: day.add({ days: DAYS_AROUND }).toString() }
  const { points } = await ask<DailySeries>(getPricesSeries, { path: { asset: asset.slug }, query })
  return new Map(points.map(({ date, value }) => [date, value]))
}

function choices(
  { asset, day, ago }: Selection,
  { today, end }: { today: MarketDay; end: MarketDay },
  view: View,
): Html {
  const texts = pastForecastTexts[view.language]
  const query: Record<'asset' | 'day' | 'ago', string> = { asset: asset.slug, day: day.toString(), ago: String(ago) }
  const addressOf = (changed: typeof query) => view.href(`${PATH}?${new URLSearchParams(changed)}`)
  const indices = { label: texts.index, values: FORECAST_SLUGS, show: (slug: string) => slug.toUpperCase() }
  const days = {
    label: texts.recent,
    values: Array.from({ length: RECENT_DAYS }, (_, i) => end.subtract({ days: i }).toString()),
    show: (date: string) => (date === today.toString() ? texts.today : view.formats.dayOfWeek(date)),
  }
  return html`${choice('asset', indices, query, addressOf)}
${choice('day', days, query, addressOf)}`
}

function form({ asset, day, ago }: Selection, today: MarketDay, view: View): Html {
  const texts = pastForecastTexts[view.language]
  return html`<form class="live card" id="fields" method="get" action="${view.href(PATH)}" data-live="said">
<input type="hidden" name="asset" value="${asset.slug}">
<label>${texts.day}<input type="date" name="day" value="${day.toString()}" max="${today.add({ days: DAYS_AROUND }).toString()}" required></label>
<label for="ago"><span>${texts.ago}: <output for="ago">${ago}</output></span><input id="ago" type="range" name="ago" min="1" max="${DAYS_BEFORE_MAX}" value="${ago}"></label>
<div><button class="primary">${texts.show}</button></div>
</form>`
}

function verdict(chosen: DayForecast, prices: Map<string, number>, { day, ago }: Selection, view: View): Html {
  const texts = pastForecastTexts[view.language]
  const { formats } = view
  const { p10, p50, p90, basis } = chosen
  const price = prices.get(day.toString())
  const isInside = price !== undefined && p10 <= price && price <= p90
  const when = formats.day(marketDayOf(chosen.issuedAt).toString())
  const before = daysBefore(chosen, day)
  const outcome = () => {
    if (price === undefined) return texts.open
    return (isInside ? texts.right : texts.wrong)(formats.number(price), formats.signed(p50 - price))
  }
  return html`${before !== ago && html`<p class="soft small">${texts.nearest(before)}</p>`}
<p class="verdict${price !== undefined && !isInside && ' out'}" role="status">${texts.said(when, formats.number(p50), formats.number(p10), formats.number(p90), formats.weekday(day.toString()))} ${outcome()}</p>
${basis === 'replay' && html`<p class="notice small">${texts.isReplay}</p>`}`
}

function curveChart(
  curve: readonly ForecastPoint[],
  prices: Map<string, number>,
  chosen: DayForecast,
  { day }: Selection,
  view: View,
): Html {
  const texts = pastForecastTexts[view.language]
  const last = day.add({ days: DAYS_AROUND }).toString()
  const byDay = new Map(curve.filter(({ targetDate }) => targetDate <= last).map((point) => [point.targetDate, point]))
  const days = [...new Set([...prices.keys(), ...byDay.keys()])].sort().reverse()
  return chart(
    {
      name: 'curve',
      caption: texts.curve(view.formats.day(marketDayOf(chosen.issuedAt).toString())),
      dayLabel: texts.day,
      unit: '€/MWh',
      ...bandColumns(view),
      rows: days.map((date) => {
        const { p10, p50, p90 } = byDay.get(date) ?? {}
        return { date, values: [prices.get(date), p10, p50, p90] }
      }),
    },
    view,
  )
}

function everyForecast(
  forecasts: readonly DayForecast[],
  prices: Map<string, number>,
  { day }: Selection,
  view: View,
): Html {
  const texts = pastForecastTexts[view.language]
  const { formats } = view
  const price = prices.get(day.toString())
  const caption = texts.all(formats.weekday(day.toString()))
  const { low, median, high, error } = forecastTexts[view.language]
  const row = (one: DayForecast) => {
    const { issuedAt, model, p10, p50, p90, basis } = one
    const at = issuedAt.toString()
    return html`<tr><td>${timeElement(at, formats.day(marketDayOf(issuedAt).toString()))} <span class="soft small">${texts.issuedBefore(daysBefore(one, day))}</span></td><td class="number">${figure(p10, view)}</td><td class="number">${figure(p50, view)}</td><td class="number">${figure(p90, view)}</td><td class="number">${price === undefined ? '–' : signedFigure(p50 - price, view)}</td><td><code>${model}</code>${basis === 'replay' && html` <span class="soft small">${texts.replayed}</span>`}</td></tr>\n`
  }
  return html`<h2 id="every">${caption}</h2>
<p>${texts.allLead}</p>
<div class="scroll card tall every" tabindex="0" role="region" aria-labelledby="every"><table>
<thead><tr><th scope="col">${texts.issued}</th><th scope="col" class="number">${low}</th><th scope="col" class="number">${median}</th><th scope="col" class="number">${high}</th><th scope="col" class="number">${error}</th><th scope="col">${texts.model}</th></tr></thead>
<tbody>
${forecasts.toReversed().map(row)}</tbody></table></div>`
}
