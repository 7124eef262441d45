/** The form of the bill estimate, and its result with its assumptions, all from the endpoint's response. */
import type { BillEstimate } from '../../api/contract/bill-estimate.ts'
import { BASE_PATH } from '../../api/contract/identity.ts'
import { COMMODITIES, PRICE_TYPES } from '../../market/offers.ts'
import { type Html, html } from '../html.ts'
import { billTexts } from '../i18n/bill-estimate.ts'
import { sourceNameIn } from '../i18n/sources.ts'
import type { PageContent } from '../page.ts'
import { isSynthetic } from '../parts/provenance.ts'
import { figure, figureEntry, figureInUnit, timeElement } from '../parts/value.ts'
import type { View } from '../view.ts'
import { type FieldName, type Fields, toQuery } from './fields.ts'

export const TOOLS_PATH = '/tools'

/** `estimate` is undefined on a field error, or if there are no data; `howToGet` then says how to get them. */
export function billContent(
  fields: Fields,
  { estimate, howToGet }: { estimate: BillEstimate | undefined; howToGet: Html },
  view: View,
): PageContent {
  const texts = billTexts[view.language]
  const hasProblems = Object.keys(fields.problems).length > 0
  return {
    title: texts.title,
    description: texts.lead,
    section: 'tools',
    synthetic: isSynthetic(estimate?.source),
    main: html`<p class="lead">${texts.lead}</p>
${!hasProblems && estimate === undefined && html`<p class="notice"${fields.isSent && html` role="status"`}>${texts.noData}${howToGet}</p>`}
${form(fields, view)}
${fields.isSent && estimate && result(estimate, fields, view)}
<p><a href="${view.href('/bands')}">${texts.bands}</a></p>
<h2>${texts.more}</h2>
<p>${texts.moreText} <a href="${view.href('/docs/reference/tools#simulateMargin')}"><code>POST /v1/tools/margin-simulator</code></a>, <a href="${view.href('/docs/reference/trading#postTradingBacktest')}"><code>POST /v1/trading/backtest</code></a>.</p>`,
  }
}

function form({ values, problems }: Fields, view: View): Html {
  const texts = billTexts[view.language]
  const problem = (name: FieldName) => {
    const kind = problems[name]
    return kind && html`<p class="problem" id="${name}-problem">${texts.problems[kind]}</p>`
  }
  const choices = (name: 'commodity' | 'price_type', options: [value: string, label: string][]) =>
    options.map(
      ([value, label]) =>
        html`<label><input type="radio" name="${name}" value="${value}"${values[name] === value && html` checked`} required${problems[name] && html` aria-describedby="${name}-problem"`}> ${label}</label>\n`,
    )
  return html`<form class="form" method="get" action="${view.href(TOOLS_PATH)}" novalidate>
<fieldset class="field"><legend>${texts.commodity}</legend>
<div class="choices">${choices(
    'commodity',
    COMMODITIES.map((one) => [one, texts.commodities[one]]),
  )}</div>
${problem('commodity')}</fieldset>
<div class="field"><label for="consumption">${texts.consumption}</label>
<input id="consumption" name="consumption" inputmode="decimal" autocomplete="off" maxlength="24" required value="${values.consumption}" aria-describedby="${problems.consumption && 'consumption-problem '}consumption-hint"${problems.consumption && html` aria-invalid="true" autofocus`}>
${problem('consumption')}
<p class="hint" id="consumption-hint">${texts.consumptionHint}</p></div>
<fieldset class="field"><legend>${texts.priceType}</legend>
<div class="choices">${choices(
    'price_type',
    PRICE_TYPES.toReversed().map((one) => [one, texts.priceTypes[one]]),
  )}</div>
${problem('price_type')}</fieldset>
<button class="primary">${texts.submit}</button>
</form>`
}

function result(estimate: BillEstimate, { values }: Fields, view: View): Html {
  const texts = billTexts[view.language]
  const { energy_price_eur_kwh: price, energy_cost_year_eur: year, energy_cost_month_eur: month } = estimate
  const query = new URLSearchParams(toQuery(values))
  const day = view.formats.day(estimate.updated_at)
  return html`<section class="card" aria-labelledby="result" tabindex="-1" autofocus>
<h2 id="result">${texts.result}</h2>
<dl class="figures large">
${figureEntry(texts.year, html`${figure(year, view)} €`)}${figureEntry(texts.month, html`${figure(month, view)} €`)}${figureEntry(texts.price, figureInUnit(price, '€/kWh', view, 5))}</dl>
<h3>${texts.assumptions}</h3>
${assumptions(estimate, view)}
<h3>${texts.notIncluded}</h3>
<p>${texts.items} ${texts.share(estimate.not_included.share_of_bill_pct.from, estimate.not_included.share_of_bill_pct.to)}</p>
<p><a href="${estimate.compare_offers}">${texts.compare}</a> · <a href="${BASE_PATH}/tools/bill-estimate?${query.toString()}">${texts.asData}</a></p>
<p class="soft small">${texts.updated(day)}${timeElement(estimate.updated_at, day)} · ${sourceNameIn(view.language, estimate.source)}</p>
</section>`
}

function assumptions(estimate: BillEstimate, view: View): Html {
  const texts = billTexts[view.language]
  const { formats, language } = view
  const { assumptions: a, consumption, consumption_unit: unit, energy_price_eur_kwh: price } = estimate
  const row = (label: string, value: Html) =>
    html`<tr><th scope="row">${label}</th><td class="number">${value}</td></tr>\n`
  const perKwh = (value: number) => html`${figure(value, view, 5)} €/kWh`
  const offers = formats.number(a.offers, 0)
  return html`<table class="assumptions"><tbody>
${row(texts.yourConsumption, html`<data value="${consumption}">${consumption.toLocaleString(language, { useGrouping: 'min2', maximumFractionDigits: 9 })}</data> ${texts.units[unit]}`)}
${a.reference && row(texts.reference(a.reference.asset, formats.day(a.reference.from), formats.day(a.reference.to)), perKwh(a.reference.value))}
${a.median_spread_eur_kwh === undefined ? row(texts.fixedOffers(offers), perKwh(price)) : row(texts.spread(offers), perKwh(a.median_spread_eur_kwh))}
${a.kwh_per_smc !== undefined && row(texts.kwhPerSmc, html`${figure(a.kwh_per_smc, view, 1)} kWh/Smc`)}</tbody></table>`
}
