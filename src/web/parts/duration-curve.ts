/** For how much of the time the price was at least so high. */
import { quantile } from '../../market/quantile.ts'
import { type Html, html } from '../html.ts'
import { heatTexts } from '../i18n/heat-map.ts'
import { hourTexts } from '../i18n/hours.ts'
import type { View } from '../view.ts'
import { axisOf, HEIGHT, heightOn } from './axis.ts'
import type { PeriodShown } from './hourly-period.ts'
import { figure } from './value.ts'

const POINTS = 200
const SHARES = [0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99]

export function durationCurve({ days }: PeriodShown, view: View): Html {
  const texts = heatTexts[view.language]
  const sorted = days.flatMap(({ intervals }) => intervals.map(({ price }) => price)).sort((a, b) => a - b)
  const axis = axisOf(sorted)
  const y = heightOn(axis)
  const exceededFor = (share: number) => quantile(sorted, 1 - share)
  const points = Array.from({ length: POINTS + 1 }, (_, i) => `${(100 * i) / POINTS},${y(exceededFor(i / POINTS))}`)
  return html`<h2>${texts.duration}</h2>
<p>${texts.durationLead}</p>
<figure class="bars fan card"><ol class="y" aria-hidden="true">${axis.ticks.toReversed().map((tick) => html`<li>${view.formats.number(tick, 0)}</li>`)}</ol>
<svg viewBox="0 0 100 ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${texts.duration}">
${axis.ticks.map((tick) => html`<line x1="0" x2="100" y1="${y(tick)}" y2="${y(tick)}"/>`)}
<polyline points="${points.join(' ')}"/></svg>
<ol class="x shares" aria-hidden="true">${[0, 0.25, 0.5, 0.75, 1].map((share) => html`<li>${view.formats.percent(share, 0)}</li>`)}</ol>
<details class="below"><summary>${hourTexts[view.language].table}</summary><table>
<thead><tr><th scope="col">${texts.share}</th><th scope="col" class="number">${texts.atLeast}, €/MWh</th></tr></thead>
<tbody>
${SHARES.map((share) => html`<tr><th scope="row">${view.formats.percent(share, 0)}</th><td class="number">${figure(exceededFor(share), view)}</td></tr>\n`)}</tbody></table></details>
</figure>`
}
