import { ALERT_ASSETS, ALERT_UNIT, type Alert } from '../../api/contract/alerts.ts'
import { BASE_PATH } from '../../api/contract/identity.ts'
import { planIncludes } from '../../api/contract/plans.ts'
import type { Usage } from '../../api/contract/usage.ts'
import { WEBHOOK_URL_LENGTH_MAX, type WebhookBody, type WebhookDelivery } from '../../api/contract/webhooks.ts'
import { rotateKey } from '../../api/endpoints/keys/rotate-key.ts'
import { getUsage } from '../../api/endpoints/usage/get-usage.ts'
import { createAlert, listAlertDeliveries, listAlerts } from '../../api/endpoints/webhooks/alerts.ts'
import { listWebhookDeliveries, listWebhooks } from '../../api/endpoints/webhooks/webhooks.ts'
import type { Caller } from '../../api/http/caller.ts'
import type { Endpoint } from '../../api/http/endpoint.ts'
import type { Service } from '../../api/http/service.ts'
import type { MarketDay } from '../../market/market-day.ts'
import { ALL_MARKET_ZONES } from '../../market/zones.ts'
import type { AlertRule } from '../../store/alerts.ts'
import type { UsageMonth } from '../../store/usage.ts'
import { undefinedIfNotFound } from '../ask-endpoints.ts'
import { type Html, html } from '../html.ts'
import { bandsTexts } from '../i18n/bands.ts'
import { zoneNames } from '../i18n/hours.ts'
import { marketTexts } from '../i18n/markets.ts'
import { usageTexts } from '../i18n/usage.ts'
import { type AskEndpoint, page } from '../page.ts'
import { barTable } from '../parts/bar-table.ts'
import { keyForm } from '../parts/key-form.ts'
import { figure, figureEntry, timeElement } from '../parts/value.ts'
import type { View } from '../view.ts'

const DELIVERIES_SHOWN = 5

/** Whether alerts can be sent by e-mail, as the name of the text that says so. */
type Mail = 'mailGoes' | 'noMail' | 'noAddress'

/** `/usage`: for the owner of a key. A script sends the key, in a header only. */
export const usagePage = page({
  path: '/usage',
  forKeys: true,
  async render({ ask, service, holder, view, today }) {
    const texts = usageTexts[view.language]
    const content = async ({ key }: Caller) =>
      key === undefined
        ? html``
        : await ownerSection(ask, key.hint, await service.usageMonths(key.root), {
            view,
            mail: service.alertLinks === undefined ? 'noMail' : key.email === null ? 'noAddress' : 'mailGoes',
          })
    const examples = holder === undefined ? await sampleAlerts(service, today, view) : undefined
    return {
      title: texts.title,
      synthetic: examples !== undefined,
      description: texts.lead,
      section: 'docs',
      scripts: ['key.js', 'alerts.js'],
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

async function ownerSection(
  ask: AskEndpoint,
  hint: string,
  months: UsageMonth[],
  { view, mail }: { view: View; mail: Mail },
): Promise<Html> {
  const texts = usageTexts[view.language]
  const usage = await ask<Usage>(getUsage)
  const includesAlerts = planIncludes(usage.plan, listAlerts.plan)
  return html`<h2 id="used">${texts.key(hint, usage.plan)}</h2>
${tiles(usage, view)}
${monthsTable(usage, months, view)}
<h2 id="alerts">${texts.alerts}</h2>
${includesAlerts ? await alertsSection(ask, view, mail) : html`<p>${texts.fromPlan(listAlerts.plan)}</p>`}
<h2 id="webhooks">${texts.webhooks}</h2>
${includesAlerts ? await webhooksTable(ask, view) : html`<p>${texts.fromPlan(listWebhooks.plan)}</p>`}
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
  const count = (value: number) => figure(value, view, 0)
  const tile = (label: string, value: Html, note = '') => figureEntry(label, html`${value}<small>${note}</small>`)
  return html`<dl class="tiles">
${tile(texts.used, count(used), texts.until(formats.day(period.to)))}${left === undefined ? tile(texts.left, html`–`, texts.noQuota) : tile(texts.left, count(left), texts.ofQuota(formats.number(quota ?? 0, 0)))}${tile(texts.perMinute, count(minute))}</dl>`
}

/** The current month is that of `/v1/usage`; its stored count may be some seconds ahead. */
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
      ...(quota === undefined ? [] : [{ kind: 'limit' as const, label: texts.quota }]),
    ],
  })
}

async function alertsSection(ask: AskEndpoint, view: View, mail: Mail): Promise<Html> {
  const texts = usageTexts[view.language]
  const found = await undefinedIfNotFound(ask<{ alerts: Alert[] }>(listAlerts))
  if (found === undefined) return html`<p>${texts.notHere}</p>`
  const rows = await Promise.all(
    found.alerts.map(async (alert) => {
      const { id, status, webhook_url: url } = alert
      const receiver = url === undefined ? texts.email : host(url)
      const deliveries = await deliveriesOf(ask, listAlertDeliveries, id)
      return row(alertText(alert, view), status, receiver, deliveries, view, alertButtons(alert, view))
    }),
  )
  return html`${rows.length === 0 ? html`<p>${texts.noAlerts}</p>` : table(texts.alerts, rows, view, texts.actions)}
<p class="problem" role="alert" data-alert-problem hidden>${texts.notDone} <span data-text></span></p>
<p role="status" data-alert-unsent hidden>${texts.toConfirm}</p>
<p role="status" data-alert-secret hidden>${texts.secret} <code data-text></code></p>
${newAlertForm(view, mail)}`
}

function alertButtons({ id, status, verification }: Alert, view: View): Html {
  const texts = usageTexts[view.language]
  const path = `${BASE_PATH}${createAlert.path}/${id}`
  const button = (action: string, label: string) =>
    html`<button type="button" class="button" data-call="${path}/${action}">${label}</button> `
  const sending = verification === 'pending' ? button('verify', texts.verify) : button('test', texts.test)
  return html`${sending}${status === 'suspended' && button('resume', texts.resume)}<button type="button" class="button" data-call="${path}" data-method="DELETE" data-question="${texts.sure}">${texts.remove}</button>`
}

function newAlertForm(view: View, mail: Mail): Html {
  const texts = usageTexts[view.language]
  const hasMail = mail === 'mailGoes'
  const select = (name: string, label: string, options: readonly (readonly [string, string])[]) =>
    html`<div class="field"><label for="alert-${name}">${label}</label><select id="alert-${name}" name="${name}">${options.map(([value, text]) => html`<option value="${value}">${text}</option>`)}</select></div>\n`
  const assets = ALERT_ASSETS.map((asset) => [asset, alertAssetName(asset, view)] as const)
  const receivers = Object.entries(texts.receivers).filter(([name]) => name !== 'email' || hasMail)
  return html`<h3 id="new-alert">${texts.newAlert}</h3>
<form class="form" data-new-alert="${BASE_PATH}${createAlert.path}">
${select('asset', texts.index, assets)}${select('condition', texts.condition, Object.entries(texts.conditions))}<div class="field"><label for="alert-threshold">${texts.threshold}</label><input id="alert-threshold" name="threshold" inputmode="decimal" required pattern="-?[0-9]+([.,][0-9]+)?" title="${bandsTexts[view.language].number}" autocomplete="off"></div>
${select('receiver', texts.receiver, receivers)}<div class="field"${hasMail && html` hidden`}><label for="alert-webhook_url">${texts.address}</label><input id="alert-webhook_url" name="webhook_url" type="url" placeholder="https://" required maxlength="${WEBHOOK_URL_LENGTH_MAX}"${hasMail && html` disabled`}></div>
<button class="primary">${texts.createAlert}</button>
</form>
<p class="small">${texts[mail]} ${texts.reachable}</p>`
}

async function webhooksTable(ask: AskEndpoint, view: View): Promise<Html> {
  const texts = usageTexts[view.language]
  const found = await undefinedIfNotFound(ask<{ webhooks: WebhookBody[] }>(listWebhooks))
  if (found === undefined) return html`<p>${texts.notHere}</p>`
  if (found.webhooks.length === 0) return html`<p>${texts.noWebhooks}</p>`
  const rows = await Promise.all(
    found.webhooks.map(async ({ id, events, status, url }) =>
      row(events.join(', '), status, host(url), await deliveriesOf(ask, listWebhookDeliveries, id), view),
    ),
  )
  return table(texts.webhooks, rows, view)
}

async function deliveriesOf(ask: AskEndpoint, endpoint: Endpoint, id: string): Promise<WebhookDelivery[]> {
  const { deliveries } = await ask<{ deliveries: WebhookDelivery[] }>(endpoint, { path: { id } })
  return deliveries.slice(0, DELIVERIES_SHOWN)
}

function host(url: string): Html {
  return html`<code>${new URL(url).host}</code>`
}

function row(
  what: string,
  status: Alert['status'],
  receiver: Html | string,
  deliveries: WebhookDelivery[],
  view: View,
  actions?: Html,
): Html {
  const texts = usageTexts[view.language]
  const { formats } = view
  const delivery = ({ type, status: outcome, created_at: at, attempts }: WebhookDelivery) =>
    html`<li>${timeElement(at, formats.instant(at))} <code>${type}</code> ${texts.outcomes[outcome]}, ${texts.attempts(attempts.length)}</li>`
  return html`<tr><th scope="row">${what}</th><td>${texts.states[status]}</td><td>${receiver}</td><td>${deliveries.length === 0 ? texts.noDeliveries : html`<ul>${deliveries.map(delivery)}</ul>`}</td>${actions && html`<td>${actions}</td>`}</tr>\n`
}

function table(caption: string, rows: Html[], view: View, actions?: string): Html {
  const texts = usageTexts[view.language]
  const heads = [texts.what, texts.state, texts.receiver, texts.deliveries, ...(actions ? [actions] : [])]
  return html`<div class="scroll card" tabindex="0" role="region" aria-label="${caption}"><table>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>
${rows}</tbody></table></div>`
}

const SAMPLE_ALERTS: readonly AlertRule[] = [
  { asset: 'pun', condition: 'above', threshold: 130, granularity: 'day' },
  { asset: 'pun-zona-sud', condition: 'below', threshold: 5, granularity: 'hour' },
]
const SHOWN = 5

/** Example alerts of the last year, up to tomorrow; undefined without sample data. */
async function sampleAlerts(service: Service, today: MarketDay, view: View): Promise<Html | undefined> {
  if ((await service.sampleData.end()) !== undefined) return undefined
  const texts = usageTexts[view.language]
  const span = { from: today.subtract({ years: 1 }).toString(), to: today.add({ days: 1 }).toString(), most: SHOWN }
  const calls = await Promise.all(SAMPLE_ALERTS.map((alert) => service.alertDays(alert, span)))
  if (calls.every((days) => days.length === 0)) return undefined
  const rows = SAMPLE_ALERTS.map((alert, i) => {
    const days = (calls[i] ?? []).map(
      ({ day, value }) =>
        html`<li>${timeElement(day, view.formats.day(day))}: ${figure(value, view)} ${ALERT_UNIT}</li>`,
    )
    return html`<tr><th scope="row">${alertText(alert, view)}</th><td>${days.length === 0 ? texts.none : html`<ul>${days}</ul>`}</td></tr>\n`
  })
  return html`<h2 id="sample-alerts">${texts.samples}</h2>
<p>${texts.samplesLead} <a href="${view.href('/docs/webhooks')}">${texts.create}</a></p>
<div class="scroll card" tabindex="0" role="region" aria-labelledby="sample-alerts"><table>
<thead><tr><th scope="col">${texts.what}</th><th scope="col">${texts.called}</th></tr></thead>
<tbody>
${rows}</tbody></table></div>`
}

/** `PUN above 130.00`, `South below 5.00, by hour`, in the reader's language. */
function alertText(
  {
    asset,
    condition,
    threshold,
    granularity,
  }: Pick<Alert, 'asset' | 'condition' | 'threshold'> & { granularity?: string | undefined },
  view: View,
): string {
  const texts = usageTexts[view.language]
  const percent = condition === 'change_pct' ? '%' : ''
  const byHour = granularity === 'hour' ? `, ${texts.hours}` : ''
  return `${alertAssetName(asset, view)} ${texts.conditions[condition]} ${view.formats.number(threshold)}${percent}${byHour}`
}

function alertAssetName(asset: Alert['asset'], view: View): string {
  const [, market = '', code] = /^(pun-zona|mi-a\d|imbalance-macro)-(.+)$/.exec(asset) ?? []
  const zone = ALL_MARKET_ZONES.find((one) => one === code)
  if (zone === undefined) return asset.toUpperCase()
  const name = zoneNames[view.language][zone]
  if (market === 'imbalance-macro') return marketTexts[view.language].imbalanceOf(name)
  return market === 'pun-zona' ? name : `${market.toUpperCase()}, ${name}`
}
