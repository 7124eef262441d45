/** The latest price of an index, and beside it the next forecast. */

import type { NextForecast } from '../../api/contract/forecasts.ts'
import type { PriceObservation } from '../../api/contract/observations.ts'
import type { DailySeries } from '../../api/contract/series.ts'
import type { Asset } from '../../market/assets.ts'
import type { MarketDay } from '../../market/market-day.ts'
import { type Html, html } from '../html.ts'
import { homeTexts } from '../i18n/home.ts'
import { hourTexts } from '../i18n/hours.ts'
import { priceTexts } from '../i18n/indices.ts'
import { pricePageTexts } from '../i18n/price-page.ts'
import type { View } from '../view.ts'
import { changeSince, priceFigure } from './index-card.ts'
import { ageMark, isFromFile } from './price-end.ts'
import { sourceLink } from './source-link.ts'
import { dayElement, figure } from './value.ts'

export interface Now {
  asset: Asset
  /** The last one: tomorrow's once it is published. */
  observation: PriceObservation | undefined
  /** The 30 days before it. */
  month: DailySeries
  next: NextForecast | undefined
  today: MarketDay
}

export function nowSection(now: Now, view: View): Html {
  const { asset, observation, month, next, today } = now
  const texts = pricePageTexts[view.language]
  return html`<div class="split now">
<section class="card"><h2>${texts.now}</h2>
${observation ? latest(observation, now, view) : html`<p class="soft">${priceTexts[view.language].missing}</p>`}
${observation && before(observation, month, today, view)}
${asset.code === 'PUN' && html`<p class="small"><a href="${view.href('/#hours')}">${texts.hours}</a> · <a href="${view.href('/prices/pun/hours')}">${hourTexts[view.language].allHours}</a> · <a href="${view.href('/zones')}">${hourTexts[view.language].onMap}</a></p>`}
</section>
${next && nextCard(next, view)}
</div>`
}

function latest(observation: PriceObservation, { asset, month, today }: Now, view: View): Html {
  const texts = priceTexts[view.language]
  const { formats } = view
  const { date, observed_at: publishedAt, source, source_url: address } = observation
  return html`${priceFigure(observation, view)}
<p>${changeSince(observation, month, view)}</p>
<p class="soft small">${texts.marketDay} ${dayElement(date, formats.weekday(date))}${ageMark(asset.code, date, today, view)}. ${isFromFile(date, publishedAt) ? texts.imported : texts.published} ${dayElement(publishedAt, formats.instant(publishedAt))}. ${texts.source}: ${sourceLink(source, address, view)}</p>`
}

/** Today's price beside tomorrow's; if today has none, the latest earlier one. */
function before(observation: PriceObservation, { points, unit }: DailySeries, today: MarketDay, view: View): Html {
  const point = points.findLast(({ date }) => date <= today.toString())
  if (observation.date <= today.toString() || point === undefined) return html``
  const { today: word } = priceTexts[view.language]
  return html`<p>${point.date === today.toString() && `${word}, `}${dayElement(point.date, view.formats.weekday(point.date))}: ${figure(point.value, view)} <span class="unit">${unit}</span></p>`
}

function nextCard(next: NextForecast, view: View): Html {
  const { formats, language } = view
  const { mae_30d: mae, coverage80_30d: coverage, accuracy_basis: basis, n } = next
  const texts = pricePageTexts[language]
  return html`<section class="card"><h2>${texts.forecast}: ${formats.weekday(next.target_date)}</h2>
<p class="price">${figure(next.value, view)} <span class="unit">${next.unit}</span></p>
<p>${homeTexts[language].bandOf(formats.number(next.p10), formats.number(next.p90))} ${next.unit}</p>
<p class="soft small">${mae !== undefined && coverage !== undefined && texts.accuracy(formats.number(mae), formats.percent(coverage, 0), n)} ${basis === 'replay' && texts.replay}</p>
</section>`
}
