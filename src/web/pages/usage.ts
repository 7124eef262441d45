import type { Alert } from '../../api/contract/alerts.ts'
import { BASE_PATH } from '../../api/contract/identity.ts'
import { planIncludes } from '../../api/contract/plans.ts'
import type { Usage } from '../../api/contract/usage.ts'
import type { WebhookBody, WebhookDelivery } from '../../api/contract/webhooks.ts'
import { listAlerts } from '../../api/endpoints/alerts/list-alerts.ts'
import { rotateKey } from '../../api/endpoints/keys/rotate-key.ts'
import { getUsage } from '../../api/endpoints/usage/get-usage.ts'
import { listAlertDeliveries, listWebhookDeliveries } from '../../api/endpoints/webhooks/list-deliveries.ts'
import { listWebhooks } from '../../api/endpoints/webhooks/list-webhooks.ts'
import type { Caller } from '../../api/http/caller.ts'
import type { Endpoint } from '../../api/http/endpoint.ts'
import type { UsageMonth } from '../../store/usage.ts'
import { type Html, html } from '../html.ts'
import { usageTexts } from '../i18n/usage.ts'
import { type AskEndpoint, page } from '../page.ts'
import { barTable } from '../parts/bar-table.ts'
import { keyForm } from '../parts/key-form.ts'
import { alertText, sampleAlerts } from '../parts/sample-alerts.ts'
import { undefinedIfNotFound } from '../parts/undefined-if-not-found.ts'
import { dayElement, figure } from '../parts/value.ts'
import type { View } from '../view.ts'

const DELIVERIES_SHOWN = 5

/** `/usage`: for the owner of a key, which is sent by a script, in the header alone. */
export const usagePage = page({
  path: '/usage',
  forKeys: true,
  async render({ ask, service, holder, view, today }) {
    const texts = usageTexts[view.language]
    const content = async ({ key }: Caller) =>
      key === undefined ? html`` : await owned(ask, key.hint, await service.usageMonths(key.id), view)
    const examples = holder === undefined ? await sampleAlerts(service, today, view) : undefined
    return {
      title: texts.title,
      synthetic: examples !== undefined,
      description: texts.lead,
      section: 'docs',
      scripts: ['key.js'],
      main: html`<p class="lead">${texts.lead}</p>
<div id="for-holder">${
        holder === undefined
          ? html`<p>${texts.enter}</p>
${examples}`
          : await content(holder)
      }</div>
${keyForm(view)}`,
    }
  },
})

async function owned(ask: AskEndpoint, hint: string, months: UsageMonth[], view: View): Promise<Html> {
  const texts = usageTexts[view.language]
  const usage = await ask<Usage>(getUsage)
  const mayHave = planIncludes(usage.plan, listAlerts.plan)
  return html`<h2 id="used">${texts.key(hint, usage.plan)}</h2>
${tiles(usage, view)}
${monthsTable(usage, months, view)}
<h2 id="alerts">${texts.alerts}</h2>
${mayHave ? await alertsTable(ask, view) : html`<p>${texts.fromPlan(listAlerts.plan)}</p>`}
<h2 id="webhooks">${texts.webhooks}</h2>
${mayHave ? await webhooksTable(ask, view) : html`<p>${texts.fromPlan(listWebhooks.plan)}</p>`}
<p><a href="${view.href('/docs/webhooks')}">${texts.create}</a></p>
<h2 id="rotate">${texts.rotate}</h2>
<p>${texts.rotateLead}</p>
<p><button type="button" class="button" data-rotate="${BASE_PATH}${rotateKey.path}">${texts.rotateNow}</button></p>
<div role="status" class="issued-key"><p data-rotated hidden>${texts.rotated}</p><pre data-new-key hidden></pre><p class="problem" data-not-rotated hidden>${texts.notRotated}</p></div>`
}

function tiles({ used, left, limits, period }: Usage, view: View): Html {
  const texts = usageTexts[view.language]
  const { formats } = view
  const { requests_per_minute: minute, requests_per_month: quota } = limits
  const count = (value: number) => html`<data value="${value}">${formats.number(value, 0)}</data>`
  const tile = (label: string, value: Html, note = '') =>
    html`<div><dt>${label}</dt><dd>${value}<small>${note}</small></dd></div>\n`
  return html`<dl class="tiles">
${tile(texts.used, count(used), texts.until(formats.day(period.to)))}${left === undefined ? tile(texts.left, html`–`, texts.noQuota) : tile(texts.left, count(left), texts.ofQuota(formats.number(quota ?? 0, 0)))}${tile(texts.perMinute, count(minute))}</dl>`
}

/** This month as `/v1/usage` counts it; what was stored of it may be some seconds ahead. */
function monthsTable({ limits, used, period }: Usage, months: UsageMonth[], view: View): Html {
  const texts = usageTexts[view.language]
  const current = period.from.slice(0, 'YYYY-MM'.length)
  const shown = [{ month: current, requests: used }, ...months.filter(({ month }) => month < current)]
  const { requests_per_month: quota } = limits
  return barTable({
    caption: texts.months,
    heads: [texts.month, texts.requests],
    rows: shown.map(({ month, requests }) => ({
      label: view.formats.month(month),
      cells: [figure(requests, view, 0)],
      value: requests,
    })),
    ...(quota !== undefined && { full: Math.max(quota, ...shown.map(({ requests }) => requests)), mark: quota }),
    key: [
      { kind: 'value', label: texts.requests },
      ...(quota === undefined ? [] : [{ kind: 'mark' as const, label: texts.quota }]),
    ],
  })
}

async function alertsTable(ask: AskEndpoint, view: View): Promise<Html> {
  const texts = usageTexts[view.language]
  const found = await undefinedIfNotFound(ask<{ alerts: Alert[] }>(listAlerts))
  if (found === undefined) return html`<p>${texts.notHere}</p>`
  if (found.alerts.length === 0) return html`<p>${texts.noAlerts}</p>`
  const rows = await Promise.all(
    found.alerts.map(async (alert) => {
      const { id, status, webhook_url: url } = alert
      const receiver = url === undefined ? texts.email : html`<code>${new URL(url).host}</code>`
      return row(alertText(alert, view), status, receiver, await deliveriesOf(ask, listAlertDeliveries, id), view)
    }),
  )
  return table(texts.alerts, rows, view)
}

async function webhooksTable(ask: AskEndpoint, view: View): Promise<Html> {
  const texts = usageTexts[view.language]
  const found = await undefinedIfNotFound(ask<{ webhooks: WebhookBody[] }>(listWebhooks))
  if (found === undefined) return html`<p>${texts.notHere}</p>`
  if (found.webhooks.length === 0) return html`<p>${texts.noWebhooks}</p>`
  const rows = await Promise.all(
    found.webhooks.map(async ({ id, events, status, url }) =>
      row(
        events.join(', '),
        status,
        html`<code>${new URL(url).host}</code>`,
        await deliveriesOf(ask, listWebhookDeliveries, id),
        view,
      ),
    ),
  )
  return table(texts.webhooks, rows, view)
}

async function deliveriesOf(ask: AskEndpoint, endpoint: Endpoint, id: string): Promise<WebhookDelivery[]> {
  const { deliveries } = await ask<{ deliveries: WebhookDelivery[] }>(endpoint, { path: { id } })
  return deliveries.slice(0, DELIVERIES_SHOWN)
}

function row(
  what: string,
  status: Alert['status'],
  receiver: Html | string,
  deliveries: WebhookDelivery[],
  view: View,
): Html {
  const texts = usageTexts[view.language]
  const { formats } = view
  const delivery = ({ type, status: outcome, created_at: at, attempts }: WebhookDelivery) =>
    html`<li>${dayElement(at, formats.instant(at))} <code>${type}</code> ${texts.outcomes[outcome]}, ${texts.attempts(attempts.length)}</li>`
  return html`<tr><th scope="row">${what}</th><td>${texts.states[status]}</td><td>${receiver}</td><td>${deliveries.length === 0 ? texts.noDeliveries : html`<ul>${deliveries.map(delivery)}</ul>`}</td></tr>\n`
}

function table(caption: string, rows: Html[], view: View): Html {
  const texts = usageTexts[view.language]
  const heads = [texts.what, texts.state, texts.receiver, texts.deliveries]
  return html`<div class="scroll card" tabindex="0" role="region" aria-label="${caption}"><table>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>
${rows}</tbody></table></div>`
}
