/** Alerts that the sample data come with, in place of an owner's: what they would have called about. Nothing is stored and nothing called. */
import { ALERT_UNIT, type Alert } from '../../api/contract/alerts.ts'
import type { Service } from '../../api/http/service.ts'
import type { MarketDay } from '../../market/market-day.ts'
import { ALL_MARKET_ZONES } from '../../market/zones.ts'
import type { AlertRule } from '../../store/alerts.ts'
import { type Html, html } from '../html.ts'
import { zoneNames } from '../i18n/hours.ts'
import { usageTexts } from '../i18n/usage.ts'
import type { View } from '../view.ts'
import { dayElement, figure } from './value.ts'

const ALERTS: readonly AlertRule[] = [
  { asset: 'pun', condition: 'above', threshold: 130, granularity: 'day' },
  { asset: 'pun-zona-sud', condition: 'below', threshold: 5, granularity: 'hour' },
]
const SHOWN = 5

/** Of the last year, up to tomorrow; undefined where there are no sample data. */
export async function sampleAlerts(service: Service, today: MarketDay, view: View): Promise<Html | undefined> {
  if ((await service.sampleData.end()) !== undefined) return undefined
  const texts = usageTexts[view.language]
  const span = { from: today.subtract({ years: 1 }).toString(), to: today.add({ days: 1 }).toString(), most: SHOWN }
  const calls = await Promise.all(ALERTS.map((alert) => service.alertDays(alert, span)))
  if (calls.every((days) => days.length === 0)) return undefined
  const rows = ALERTS.map((alert, i) => {
    const days = (calls[i] ?? []).map(
      ({ day, value }) =>
        html`<li>${dayElement(day, view.formats.day(day))}: ${figure(value, view)} ${ALERT_UNIT}</li>`,
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
export function alertText(
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

export function alertAssetName(asset: Alert['asset'], view: View): string {
  const zone = ALL_MARKET_ZONES.find((code) => asset === `pun-zona-${code}`)
  return zone === undefined ? asset.toUpperCase() : zoneNames[view.language][zone]
}
