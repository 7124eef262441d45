import { RATE_HEADERS, RETRY_AFTER } from '../../api/contract/headers.ts'
import { DEVELOPER_KEY_PATH } from '../../api/contract/identity.ts'
import type { PlanList } from '../../api/contract/plan-list.ts'
import { getPlans } from '../../api/endpoints/plans/get-plans.ts'
import { html } from '../html.ts'
import { limitTexts } from '../i18n/limits.ts'
import { page } from '../page.ts'
import { planTable } from '../parts/plan-table.ts'

/** `/docs/limits`: plans and limits, from the table that is enforced. */
export const limitsPage = page({
  path: '/docs/limits',
  async render({ ask, service, view }) {
    const texts = limitTexts[view.language]
    const list = await ask<PlanList>(getPlans)
    const [limit, remaining, reset, quota] = RATE_HEADERS
    return {
      title: texts.title,
      description: texts.lead,
      section: 'docs',
      main: html`<p class="lead">${texts.lead}</p>
${planTable(list, service.config.comingEndpoints, view)}
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
