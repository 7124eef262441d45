/** The plans and their limits as a table, from the limits that are enforced. */
import type { PlanList } from '../../api/contract/plan-list.ts'
import type { PlanName, SeriesFormat } from '../../api/contract/plans.ts'
import { endpoints } from '../../api/endpoints/index.ts'
import { type Endpoint, endpointStatus } from '../../api/http/endpoint.ts'
import { type Html, html } from '../html.ts'
import { limitTexts } from '../i18n/limits.ts'
import { planTexts } from '../i18n/plans.ts'
import type { View } from '../view.ts'

const FORMAT_NAMES: Record<SeriesFormat, string> = { json: 'JSON', csv: 'CSV', arrow: 'Arrow' }

export function planTable({ plans, pages }: PlanList, coming: ReadonlySet<string>, view: View): Html {
  const texts = limitTexts[view.language]
  const heads = [
    ...[texts.plan, texts.price, texts.perMinute, texts.perMonth, texts.history, texts.formats, texts.scenarios],
    ...[texts.streams, texts.webhooks, texts.bulk, planTexts[view.language].endpoints],
  ]
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${texts.title}"><table>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>
${pagesRow(pages, view)}${plans.map((plan) => planRow(plan, coming, view))}</tbody></table></div>`
}

/** Row with the limits of the pages. */
function pagesRow(pages: PlanList['pages'], { language, formats }: View): Html {
  const texts = limitTexts[language]
  const days = texts.pagesDays(formats.number(pages.history_days, 0))
  return html`<tr><th scope="row">${texts.pages}</th><td>${texts.free}</td><td>${formats.number(pages.requests_per_minute, 0)} ${texts.perAddress}</td><td>${texts.noQuota}</td><td>${days}</td>${['–', '–', pages.streams_max, '–', '–', '–'].map((none) => html`<td>${none}</td>`)}</tr>\n`
}

function planRow(plan: PlanList['plans'][number], coming: ReadonlySet<string>, view: View): Html {
  const texts = limitTexts[view.language]
  const count = (value: number | undefined, otherwise: string) =>
    value === undefined ? otherwise : view.formats.number(value, 0)
  const price = plan.price_eur_month === 0 ? texts.free : count(plan.price_eur_month, texts.onRequest)
  const isByKey = plan.name === 'Enterprise'
  return html`<tr><th scope="row">${plan.name}</th><td>${price}</td><td>${count(plan.requests_per_minute, '')}${plan.name === 'Open' && ` ${texts.perAddress}`}${isByKey && ` ${texts.byKey}`}</td><td>${count(plan.requests_per_month, isByKey ? texts.byAgreement : texts.noQuota)}</td><td>${plan.history_days === undefined ? texts.complete : texts.days(count(plan.history_days, ''))}</td><td>${plan.series_formats.map((format) => FORMAT_NAMES[format]).join(', ')}</td><td>${plan.scenario_months_max === undefined ? '–' : texts.months(plan.scenario_months_max)}</td><td>${plan.streams_max ?? '–'}</td><td>${plan.webhooks_max ?? '–'}</td><td>${plan.bulk ? texts.yes : '–'}</td><td><a href="${view.href(`/plans#${planAnchor(plan.name)}`)}">${planTexts[view.language].unlocks(unlockedBy(plan.name, coming).length, plan.name === 'Open')}</a></td></tr>\n`
}

/** Live endpoints that a plan adds to the plan below it, in documentation order. `coming`: paths that the operator has switched off. */
export function unlockedBy(plan: PlanName, coming: ReadonlySet<string>): Endpoint[] {
  return endpoints.filter((one) => one.plan === plan && endpointStatus(one, coming) === 'live')
}

/** Anchor of the plan's section at `/plans`. */
export function planAnchor(plan: PlanName): string {
  return plan.toLowerCase()
}
