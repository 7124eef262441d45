import type { Asset } from '../contract/assets.ts'
import type { PriceObservation } from '../contract/observations.ts'
import { type Html, html } from './html.ts'
import { layout } from './layout.ts'

/** `/prices/<slug>`, the `page` of every observation: the latest price, or that there is none. */
export function renderPricePage(asset: Asset, observation: PriceObservation | undefined): string {
  const price = observation ? priceOf(observation) : html`<p>No current price is published.</p>`
  return layout(
    asset.code,
    html`<p>${asset.name}</p>
${price}
<p>As data: <a href="/v1/${asset.slug}/today">/v1/${asset.slug}/today</a>,
<a href="/v1/prices/${asset.slug}/series">the daily series</a></p>`,
  )
}

function priceOf(observation: PriceObservation): Html {
  const native = observation.value_native === undefined ? '' : `${observation.value_native} ${observation.unit_native}`
  return html`<p class="price">${observation.value} ${observation.unit}</p>
<p>${native}</p>
<p>Market day <time datetime="${observation.date}">${observation.date}</time>, published
<time datetime="${observation.observed_at}">${observation.observed_at}</time></p>
<p class="soft">Source: <a href="${observation.source_url}">${observation.source}</a></p>`
}
