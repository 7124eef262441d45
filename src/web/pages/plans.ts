import { DEVELOPER_KEY_PATH } from '../../api/contract/identity.ts'
import type { PlanList } from '../../api/contract/plan-list.ts'
import { getPlans } from '../../api/endpoints/plans/get-plans.ts'
import { type Endpoint, endpointName } from '../../api/http/endpoint.ts'
import { type Html, html } from '../html.ts'
import { endpointTexts } from '../i18n/endpoints.ts'
import { limitTexts } from '../i18n/limits.ts'
import { planTexts } from '../i18n/plans.ts'
import { page } from '../page.ts'
import { planAnchor, planTable, unlockedBy } from '../parts/plan-table.ts'
import type { View } from '../view.ts'

type Plan = PlanList['plans'][number]

/** `/plans`: every plan with the endpoints it adds, from the registry and the table that are enforced. */
export const plansPage = page({
  path: '/plans',
  async render({ ask, service, view }) {
    const texts = planTexts[view.language]
    const list = await ask<PlanList>(getPlans)
    const { comingEndpoints } = service.config
    return {
      title: texts.title,
      description: texts.lead,
      section: 'docs',
      main: html`<p class="lead">${texts.lead}</p>
<ul class="buttons">${list.plans.map(({ name }) => html`<li><a class="button" href="#${planAnchor(name)}">${name}</a></li>`)}</ul>
<h2 id="compare">${texts.compare}</h2>
${planTable(list, comingEndpoints, view)}
${list.plans.map((plan) => section(plan, unlockedBy(plan.name, comingEndpoints), view))}
<p><a href="${view.href('/docs/limits')}">${texts.counted}</a> · <a href="${view.href('/usage')}">${texts.usage}</a></p>`,
    }
  },
})

function section(plan: Plan, unlocked: readonly Endpoint[], view: View): Html {
  const texts = planTexts[view.language]
  const groups = [...Map.groupBy(unlocked, ({ tag }) => tag)]
  const entry = (endpoint: Endpoint) =>
    html`<li>${endpointTexts(endpoint, view.language).summary}<br><code>${endpointName(endpoint)}</code></li>\n`
  return html`<section class="plan"><h2 id="${planAnchor(plan.name)}">${plan.name}</h2>
<p>${howToGet(plan, view)} ${planFacts(plan, view)}</p>
${unlocked.length === 0 && html`<p class="soft">${plan.bulk ? texts.noMoreBulk : texts.noMore}</p>`}
<div class="unlocked">${groups.map(
    ([tag, list]) => html`<div class="card"><h3>${texts.tags[tag]}</h3><ul>
${list.map(entry)}</ul></div>
`,
  )}</div></section>
`
}

function howToGet({ name, price_eur_month: price }: Plan, view: View): Html {
  const texts = planTexts[view.language]
  if (name === 'Open') return html`${texts.open}`
  if (price === 0) return html`${texts.developer} <a href="${view.href(DEVELOPER_KEY_PATH)}">${texts.getKey}</a>.`
  return html`${price === undefined ? texts.onRequest : texts.price(view.formats.number(price, 0))} ${texts.byOperator}`
}

/** `600 requests a minute, 100,000 a month; daily history: complete.` */
export function planFacts(
  { requests_per_minute: minute, requests_per_month: month, history_days: days }: Plan,
  view: View,
): string {
  const texts = planTexts[view.language]
  const { formats } = view
  const { complete, days: daysOf } = limitTexts[view.language]
  return texts.has(
    formats.number(minute ?? 0, 0),
    month === undefined ? texts.noMonth : texts.month(formats.number(month, 0)),
    days === undefined ? complete : daysOf(formats.number(days, 0)),
  )
}
