/** One index on the home page: price, change, last 30 days, source. */
import type { PriceObservation } from '../../api/contract/observations.ts'
import type { DailySeries } from '../../api/contract/series.ts'
import type { Asset } from '../../market/assets.ts'
import type { MarketDay } from '../../market/market-day.ts'
import { type Html, html } from '../html.ts'
import { indexTexts, priceTexts } from '../i18n/indices.ts'
import type { View } from '../view.ts'
import { staleDays } from './price-end.ts'
import { sourceLink } from './provenance.ts'
import { change, figure, figureInUnit, timeElement } from './value.ts'

export interface IndexSnapshot {
  asset: Asset
  observation: PriceObservation | undefined
  /** The 30 days up to today, or to the last stored one. */
  series: DailySeries
}

export function indexCard({ asset, observation, series }: IndexSnapshot, today: MarketDay, view: View): Html {
  const texts = priceTexts[view.language]
  const head = html`<h3><a href="${view.href(`/prices/${asset.slug}`)}">${asset.code}</a></h3>
<p class="soft small">${indexTexts[view.language][asset.code].what}</p>`
  if (observation === undefined) return html`<li class="card index">${head}<p class="soft">${texts.missing}</p></li>`
  const age = staleDays(asset.code, observation.date, today)
  return html`<li class="card index">${head}
${priceFigure(observation, view)}
<p class="small">${changeSince(observation, series, view)}</p>
${series.points.length > 1 && trend(series, view)}
${age && html`<p class="mark small">${view.formats.day(observation.date)}, ${texts.age(age)}</p>`}
<p class="soft small credit">${timeElement(observation.date, view.formats.day(observation.date))} · ${sourceLink(observation.source, observation.source_url, view)}</p>
</li>`
}

/** The price as its market quotes it, and under it, for energy and gas, per kWh. */
export function priceFigure(observation: PriceObservation, view: View): Html {
  const { value, unit, value_native: native, unit_native: nativeUnit, basis } = observation
  if (native === undefined || nativeUnit === undefined)
    return html`<p class="price">${figureInUnit(value, unit, view)}</p>`
  return html`<p class="price">${figureInUnit(native, nativeUnit, view)}</p>
<p class="consumer soft small">${figure(value, view, 5)} ${unit}</p>${
    basis &&
    html`
<p class="small">${priceTexts[view.language].dailyMean}</p>`
  }`
}

/** Change from the preceding price of the series; both as returned by the API. */
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

const WIDTH = 120
const HEIGHT = 32
const MARGIN = 2

/**
 * A line without axes. Points are placed by date, and the line continues across days without a price.
 * `label` describes the line in words.
 */
function sparkline(points: readonly { date: string; value: number }[], label: string): Html {
  const times = points.map(({ date }) => Date.parse(date))
  const values = points.map(({ value }) => value)
  const x = scale(Math.min(...times), Math.max(...times), MARGIN, WIDTH - MARGIN)
  const y = scale(Math.min(...values), Math.max(...values), HEIGHT - MARGIN, MARGIN)
  const line = points.map((point, i) => `${x(times[i] as number)},${y(point.value)}`).join(' ')
  return html`<svg class="sparkline" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${label}">
<polyline points="${line}" /></svg>`
}

function scale(from: number, to: number, low: number, high: number): (value: number) => number {
  const span = to - from
  const middle = (low + high) / 2
  return (value) => Math.round((span === 0 ? middle : low + ((value - from) / span) * (high - low)) * 100) / 100
}
