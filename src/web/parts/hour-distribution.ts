/** What each clock hour costs: median, the middle 80 % of days, lowest and highest. */
import { quantile } from '../../market/quantile.ts'
import { type Html, html } from '../html.ts'
import { heatTexts } from '../i18n/heat-map.ts'
import { hourTexts } from '../i18n/hours.ts'
import type { View } from '../view.ts'
import { axisOf, HEIGHT, heightOn, hundredths } from './axis.ts'
import { clockHours, type PeriodShown } from './hourly-period.ts'
import { figure } from './value.ts'

const SHARES = { lowest: 0, p10: 0.1, median: 0.5, p90: 0.9, highest: 1 } as const
type Share = keyof typeof SHARES

export function hourDistribution({ days }: PeriodShown, view: View): Html {
  const texts = heatTexts[view.language]
  const byClock = Map.groupBy(days.flatMap(clockHours), ({ clock }) => clock)
  const hours = [...byClock]
    .sort(([a], [b]) => a - b)
    .map(([clock, found]) => {
      const sorted = found.map(({ price }) => price).sort((a, b) => a - b)
      const at = Object.fromEntries(Object.entries(SHARES).map(([name, share]) => [name, quantile(sorted, share)]))
      return { clock, at: at as Record<Share, number> }
    })
  const axis = axisOf(hours.flatMap(({ at }) => Object.values(at)))
  const y = heightOn(axis)
  const bar = ({ clock, at }: (typeof hours)[number]) =>
    html`<line class="reach" x1="${clock + 0.5}" x2="${clock + 0.5}" y1="${y(at.highest)}" y2="${y(at.lowest)}"/><rect class="band" x="${clock + 0.15}" width="0.7" y="${y(at.p90)}" height="${hundredths(y(at.p10) - y(at.p90))}"/><line class="median" x1="${clock + 0.1}" x2="${clock + 0.9}" y1="${y(at.median)}" y2="${y(at.median)}"/>\n`
  const names = Object.keys(SHARES) as Share[]
  return html`<h2>${texts.distribution}</h2>
<p>${texts.distributionLead}</p>
<figure class="bars fan card"><ol class="y" aria-hidden="true">${axis.ticks.toReversed().map((tick) => html`<li>${view.formats.number(tick, 0)}</li>`)}</ol>
<svg viewBox="0 0 24 ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${texts.distribution}">
${axis.ticks.map((tick) => html`<line x1="0" x2="24" y1="${y(tick)}" y2="${y(tick)}"/>`)}
${hours.map(bar)}</svg>
<ol class="x" aria-hidden="true">${Array.from({ length: 24 }, (_, i) => html`<li>${i % 3 === 0 && String(i).padStart(2, '0')}</li>`)}</ol>
<details class="below"><summary>${hourTexts[view.language].table}</summary><div class="scroll tall" tabindex="0" role="region" aria-label="${texts.distribution}"><table>
<thead><tr><th scope="col">${hourTexts[view.language].hour}</th>${names.map((name) => html`<th scope="col" class="number">${texts.shares[name]}</th>`)}</tr></thead>
<tbody>
${hours.map(({ clock, at }) => html`<tr><th scope="row">${String(clock).padStart(2, '0')}</th>${names.map((name) => html`<td class="number">${figure(at[name], view)}</td>`)}</tr>\n`)}</tbody></table></div></details>
</figure>`
}
