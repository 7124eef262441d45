import * as z from 'zod'
import type { OfferIndices } from '../../api/contract/offer-indices.ts'
import type { OfferStatistics } from '../../api/contract/offer-statistics.ts'
import { getOfferStatistics } from '../../api/endpoints/mercato-libero/get-offer-statistics.ts'
import { getSvcIndex } from '../../api/endpoints/svc-index/get-svc-index.ts'
import { CUSTOMERS, type Customer, customer, OFFER_INDICES, OFFERS_METHODOLOGY_PATH } from '../../market/offers.ts'
import { undefinedIfNotFound } from '../ask-endpoints.ts'
import { type Html, html } from '../html.ts'
import { offerTexts } from '../i18n/offers.ts'
import { sourceNameIn } from '../i18n/sources.ts'
import { type AskEndpoint, page } from '../page.ts'
import { buttonLink } from '../parts/choices.ts'
import { howToGetOffers } from '../parts/price-end.ts'
import { isSynthetic } from '../parts/provenance.ts'
import { rangeChart } from '../parts/range-chart.ts'
import { figure, timeElement } from '../parts/value.ts'
import type { View } from '../view.ts'

const DECIMALS = 5
const SCALE_DECIMALS = 2
const UNIT = '€/kWh'

/** `/offers`: the four indices of the free market, and the distribution of its offers. */
export const offersPage = page({
  path: '/offers',
  query: z.object({ customer: customer.default('domestico') }),
  async render({ ask, service, view, query }) {
    const texts = offerTexts[view.language]
    const [found, statistics] = await Promise.all([
      undefinedIfNotFound(ask<OfferIndices>(getSvcIndex)),
      statisticsOf(ask, query.customer),
    ])
    return {
      title: texts.title,
      description: texts.lead,
      section: 'offers',
      synthetic: isSynthetic(found?.source),
      main: html`<p class="lead">${texts.lead}</p>
<h2>${texts.indices}</h2>
${found ? indicesSection(found, view) : html`<p class="notice">${texts.none}${await howToGetOffers(service, view)}</p>`}
<p><a href="${view.href(OFFERS_METHODOLOGY_PATH)}">${texts.method}</a> · <a href="${view.href('/tools')}">${texts.estimate}</a></p>
${statisticsSection(statistics, query.customer, view)}`,
    }
  },
})

function indicesSection({ indices, updated_at: day, source }: OfferIndices, view: View): Html {
  const texts = offerTexts[view.language]
  const ranges = indices.map(({ commodity, price_type, min: low, max: high, median }) => {
    return { label: texts.kinds[commodity][price_type], low, high, median }
  })
  const rows = OFFER_INDICES.map(({ slug, commodity, priceType }) => {
    const index = indices.find((one) => one.slug === slug)
    const head = html`<th scope="row">${texts.kinds[commodity][priceType]}</th>`
    if (index === undefined) return html`<tr>${head}<td colspan="7">${texts.tooFew}</td></tr>\n`
    return html`<tr id="${slug}">${head}${[index.median, index.mean, index.min, index.max].map((value) => cell(value, view))}<td class="number">${index.spread_vs_reference === undefined ? '–' : figure(index.spread_vs_reference, view, DECIMALS)}</td><td class="number">${figure(index.offers, view, 0)}</td><td class="number">${figure(index.excluded, view, 0)}</td></tr>\n`
  })
  const heads = [
    texts.median,
    texts.mean,
    texts.lowest,
    texts.highest,
    texts.overReference,
    texts.offers,
    texts.excluded,
  ]
  return html`${rangeChart(ranges, { label: texts.range, unit: UNIT, decimals: SCALE_DECIMALS }, view)}
<div class="scroll" tabindex="0" role="region" aria-label="${texts.indices}"><table>
<caption>${texts.indices}, ${UNIT}</caption>
<thead><tr><th scope="col">${texts.index}</th>${heads.map((head) => html`<th scope="col" class="number">${head}</th>`)}</tr></thead>
<tbody>
${rows}</tbody></table></div>
<p class="soft small">${texts.updated(view.formats.day(day))}${timeElement(day, view.formats.day(day))} · ${sourceNameIn(view.language, source)}</p>`
}

async function statisticsOf(ask: AskEndpoint, customer: Customer): Promise<OfferStatistics[]> {
  const found = await Promise.all(
    OFFER_INDICES.map(({ commodity, priceType }) =>
      undefinedIfNotFound(
        ask<OfferStatistics>(getOfferStatistics, { query: { commodity, price_type: priceType, customer } }),
      ),
    ),
  )
  return found.filter((one) => one !== undefined)
}

function statisticsSection(statistics: OfferStatistics[], customer: Customer, view: View): Html {
  const texts = offerTexts[view.language]
  const choices = CUSTOMERS.map((one) =>
    buttonLink(view.href(`/offers?customer=${one}#spread`), texts.customers[one], one === customer),
  )
  return html`<h2 id="spread">${texts.spread}</h2>
<p>${texts.spreadLead}</p>
<nav aria-label="${texts.customer}"><ul class="buttons">${choices}</ul></nav>
${statistics.length === 0 ? html`<p class="soft">${texts.noStatistics}</p>` : spreads(statistics, view)}`
}

function spreads(statistics: OfferStatistics[], view: View): Html {
  const texts = offerTexts[view.language]
  const ranges = statistics.map(({ commodity, price_type, spread_eur_kwh: { p10, p25, median, p75, p90 } }) => {
    return { label: texts.kinds[commodity][price_type], low: p10, high: p90, box: { low: p25, high: p75 }, median }
  })
  const rows = statistics.map(({ commodity, price_type, spread_eur_kwh: s, fixed_cost_eur_month: fee, offers }) => {
    return html`<tr><th scope="row">${texts.kinds[commodity][price_type]}</th>${[s.p10, s.p25, s.median, s.p75, s.p90].map((value) => cell(value, view))}<td class="number">${fee ? figure(fee.median, view) : '–'}</td><td class="number">${figure(offers, view, 0)}</td></tr>\n`
  })
  const heads = [texts.percentile(10), texts.percentile(25), texts.median, texts.percentile(75), texts.percentile(90)]
  return html`${rangeChart(ranges, { label: texts.spreadRange, unit: UNIT, decimals: SCALE_DECIMALS }, view)}
<div class="scroll" tabindex="0" role="region" aria-label="${texts.spread}"><table>
<caption>${texts.spread}, ${UNIT}</caption>
<thead><tr><th scope="col">${texts.index}</th>${[...heads, texts.fee, texts.offers].map((head) => html`<th scope="col" class="number">${head}</th>`)}</tr></thead>
<tbody>
${rows}</tbody></table></div>`
}

function cell(value: number, view: View): Html {
  return html`<td class="number">${figure(value, view, DECIMALS)}</td>`
}
