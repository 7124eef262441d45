import { DEVELOPER_KEY_PATH } from '../../api/contract/developer-key.ts'
import { RATE_HEADERS, RETRY_AFTER } from '../../api/contract/headers.ts'
import type { PlanList } from '../../api/contract/plan-list.ts'
import type { SeriesFormat } from '../../api/contract/plans.ts'
import { getPlans } from '../../api/endpoints/plans/get-plans.ts'
import { type Html, html } from '../html.ts'
import { limitTexts } from '../i18n/limits.ts'
import { page } from '../page.ts'
import type { View } from '../view.ts'

const FORMAT_NAMES: Record<SeriesFormat, string> = { json: 'JSON', csv: 'CSV', arrow: 'Arrow' }

/** `/docs/limits`: plans and limits, from the table that is enforced. */
export const limitsPage = page({
  path: '/docs/limits',
  async render({ ask, view }) {
    const texts = limitTexts[view.language]
    const { plans, pages } = await ask<PlanList>(getPlans)
    const [limit, remaining, reset, quota] = RATE_HEADERS
    return {
      title: texts.title,
      description: texts.lead,
      section: 'docs',
      main: html`<p class="lead">${texts.lead}</p>
<div class="scroll" tabindex="0" role="region" aria-label="${texts.title}"><table>
<thead><tr>${[texts.plan, texts.price, texts.perMinute, texts.perMonth, texts.history, texts.formats, texts.scenarios, texts.streams, texts.webhooks, texts.bulk].map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>
${pagesRow(pages, view)}${plans.map((plan) => planRow(plan, view))}</tbody></table></div>
<p>${texts.vat} <a href="${view.href(DEVELOPER_KEY_PATH)}">${texts.getKey}</a>. ${texts.more}</p>
<h2>${texts.headers}</h2>
<dl>
${[
  [limit, texts.limit],
  [remaining, texts.remaining],
  [reset, texts.reset],
  [quota, texts.quota],
  [RETRY_AFTER, texts.retryAfter],
].map(([name = '', meaning = '']) => html`<dt><code>${name}</code></dt><dd>${meaning}</dd>\n`)}</dl>
<h2>${texts.rules}</h2>
<ul>${texts.ruleList.map((rule) => html`<li>${rule}</li>\n`)}</ul>
<p>${texts.errors} <a href="${view.href('/docs/errors')}"><code>rate_limited</code>, <code>quota_exceeded</code>, <code>tier_required</code></a>.
${texts.asData} <a href="/v1/plans"><code>/v1/plans</code></a></p>`,
    }
  },
})

/** What the pages show, beside what programs get. */
function pagesRow(pages: PlanList['pages'], { language, formats }: View): Html {
  const texts = limitTexts[language]
  const days = texts.days(formats.number(pages.history_days, 0))
  return html`<tr><th scope="row">${texts.pages}</th><td>${texts.free}</td><td>${formats.number(pages.requests_per_minute, 0)} ${texts.perAddress}</td><td>${texts.noQuota}</td><td>${days}</td>${['–', '–', pages.streams_max, '–', '–'].map((none) => html`<td>${none}</td>`)}</tr>\n`
}

function planRow(plan: PlanList['plans'][number], view: View): Html {
  const texts = limitTexts[view.language]
  const count = (value: number | undefined, otherwise: string) =>
    value === undefined ? otherwise : view.formats.number(value, 0)
  const price = plan.price_eur_month === 0 ? texts.free : count(plan.price_eur_month, texts.onRequest)
  const isByKey = plan.name === 'Enterprise'
  return html`<tr><th scope="row">${plan.name}</th><td>${price}</td><td>${count(plan.requests_per_minute, '')}${plan.name === 'Open' && ` ${texts.perAddress}`}${isByKey && ` ${texts.byKey}`}</td><td>${count(plan.requests_per_month, isByKey ? texts.byAgreement : texts.noQuota)}</td><td>${plan.history_days === undefined ? texts.complete : texts.days(count(plan.history_days, ''))}</td><td>${plan.series_formats.map((format) => FORMAT_NAMES[format]).join(', ')}</td><td>${plan.scenario_months_max === undefined ? '–' : texts.months(plan.scenario_months_max)}</td><td>${plan.streams_max ?? '–'}</td><td>${plan.webhooks_max ?? '–'}</td><td>${plan.bulk ? texts.yes : '–'}</td></tr>\n`
}
