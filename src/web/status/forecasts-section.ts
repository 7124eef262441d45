/** Whether the forecasts are up to date with the prices: the forecasts of `GET /v1/status` as a table. */
import type { ServiceStatus } from '../../api/contract/status.ts'
import { hoursOf } from '../../market/forecast-scope.ts'
import { NATIONAL_ZONE, STORED_ZONES } from '../../market/zones.ts'
import { type Html, html } from '../html.ts'
import { zoneNames } from '../i18n/hours.ts'
import { statusTexts } from '../i18n/status.ts'
import { timeElement } from '../parts/value.ts'
import type { View } from '../view.ts'

type Forecast = ServiceStatus['forecasts'][number]

/** CSS classes of the states, shared with the days of prices. */
const STATE_CLASSES: Record<Forecast['state'], string> = { current: 'whole', stale: 'missing', none: 'due' }

export function forecastsSection({ forecasts, training }: ServiceStatus, view: View): Html {
  const texts = statusTexts[view.language]
  const heads = [texts.forecastOf, texts.forecastState, texts.issued, texts.startsFrom, texts.training]
  return html`<h2 id="forecasts">${texts.forecasts}</h2>
<p>${texts.forecastsLead}</p>
${training && progress(training, view)}
<div class="scroll" tabindex="0" role="region" aria-labelledby="forecasts"><table>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>
${forecasts.map((one) => row(one, view))}</tbody></table></div>`
}

function progress({ subjects, since, done, of }: NonNullable<ServiceStatus['training']>, view: View): Html {
  const texts = statusTexts[view.language]
  const names = subjects.map((subject) => subjectName(subject, view)).join('; ')
  return html`<p class="notice">${texts.trainingNow(names)} ${timeElement(since, view.formats.instant(since))}. ${texts.trained(done, of)}</p>`
}

function row({ subject, state, issued_at: issued, info_date: from, training }: Forecast, view: View): Html {
  const texts = statusTexts[view.language]
  const { formats } = view
  return html`<tr><th scope="row">${subjectName(subject, view)}</th><td class="state ${STATE_CLASSES[state]}">${texts.forecastStates[state]}</td><td>${issued === undefined ? '–' : timeElement(issued, formats.instant(issued))}</td><td>${from === undefined ? '–' : timeElement(from, formats.day(from))}</td><td>${training === undefined ? '–' : html`${texts.trainingStates[training.state]} <time datetime="${training.since}">${formats.instant(training.since)}</time>`}</td></tr>\n`
}

/** Display name of a forecast's subject: `PUN`, `Hours, Sicily`. */
export function subjectName(subject: string, { language }: View): string {
  const zone = STORED_ZONES.find((one) => hoursOf(one) === subject)
  if (zone === undefined) return subject
  return statusTexts[language].hoursOf(zone === NATIONAL_ZONE ? 'PUN' : zoneNames[language][zone])
}
