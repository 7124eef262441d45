/** One index on the home page: price, change, last 30 days, source. */

import type { PriceObservation } from '../../api/contract/observations.ts'
import type { DailySeries } from '../../api/contract/series.ts'
import type { Asset } from '../../market/assets.ts'
import type { MarketDay } from '../../market/market-day.ts'
import { type Html, html } from '../html.ts'
import { indexWords, priceTexts } from '../i18n/indices.ts'
import type { View } from '../view.ts'
import { staleDays } from './price-end.ts'
import { sourceLink } from './source-link.ts'
import { sparkline } from './sparkline.ts'
import { change, dayElement, figure } from './value.ts'

export interface IndexNow {
  asset: Asset
  observation: PriceObservation | undefined
  /** The 30 days up to today, or to the last stored one. */
  series: DailySeries
}

export function indexCard({ asset, observation, series }: IndexNow, today: MarketDay, view: View): Html {
  const texts = priceTexts[view.language]
  const head = html`<h3><a href="${view.href(`/prices/${asset.slug}`)}">${asset.code}</a></h3>
<p class="soft small">${indexWords[view.language][asset.code].what}</p>`
  if (observation === undefined) return html`<li class="card index">${head}<p class="soft">${texts.missing}</p></li>`
  const age = staleDays(asset.code, observation.date, today)
  return html`<li class="card index">${head}
${priceFigure(observation, view)}
<p class="small">${changeSince(observation, series, view)}</p>
${series.points.length > 1 && trend(series, view)}
${age && html`<p class="mark small">${view.formats.day(observation.date)}, ${texts.age(age)}</p>`}
<p class="soft small credit">${dayElement(observation.date, view.formats.day(observation.date))} · ${sourceLink(observation.source, observation.source_url, view)}</p>
</li>`
}

/** The price as its market quotes it, and under it, for energy and gas, per kWh. */
export function priceFigure(observation: PriceObservation, view: View): Html {
  const { value, unit, value_native: native, unit_native: nativeUnit, basis } = observation
  if (native === undefined || nativeUnit === undefined)
    return html`<p class="price">${figure(value, view)} <span class="unit">${unit}</span></p>`
  return html`<p class="price">${figure(native, view)} <span class="unit">${nativeUnit}</span></p>
<p class="consumer soft small">${figure(value, view, 5)} ${unit}</p>${
    basis &&
    html`
<p class="small">${priceTexts[view.language].dailyMean}</p>`
  }`
}

/** From the last price before it in the series; both as the API gives them. */
export function changeSince(observation: PriceObservation, series: DailySeries, view: View): Html {
  const texts = priceTexts[view.language]
  const price = observation.value_native ?? observation.value
  const previous = series.points.findLast(({ date }) => date < observation.date)
  if (previous === undefined) return html`<span class="soft">${texts.noPrevious}</span>`
  const difference = price - previous.value
  const share = previous.value > 0 ? ` (${view.formats.signedPercent(difference / previous.value)})` : ''
  const day = texts.sinceYesterday(view.formats.shortDay(previous.date))
  return html`${change(difference, `${view.formats.signed(difference)}${share}`)} <span class="soft since">${day}</span>`
}

function trend({ points, from, to, stats, unit }: DailySeries, view: View): Html {
  const { formats, language } = view
  if (stats === undefined) return html``
  const show = (value: number) => `${formats.number(value)} ${unit}`
  const label = priceTexts[language].trend(formats.day(from), formats.day(to), show(stats.min), show(stats.max))
  return sparkline(points, label)
}
