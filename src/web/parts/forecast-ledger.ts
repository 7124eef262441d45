/** The latest hash of the chain, and how to verify it. */
import type { TrackRecord } from '../../api/contract/forecasts.ts'
import { METHODOLOGY_PATH } from '../../api/endpoints/forecast/present.ts'
import { type Html, html } from '../html.ts'
import { forecastTexts } from '../i18n/forecasts.ts'
import type { View } from '../view.ts'
import { dayElement } from './value.ts'

const DAYS_SHOWN = 7

export function ledgerSection({ ledger }: TrackRecord, view: View): Html {
  const texts = forecastTexts[view.language]
  return html`<section><h2 id="ledger">${texts.ledger}</h2>
<p>${texts.ledgerLead}</p>
${ledger.head === undefined ? html`<p class="notice">${texts.empty}</p>` : chain(ledger, ledger.head, view)}
<h3>${texts.verify}</h3>
<p>${texts.verifyHow}</p>
<pre><code>npm run ledger -- verify track-record.csv</code></pre>
<p><a href="${view.href(METHODOLOGY_PATH)}">${texts.methodology}</a></p>
</section>`
}

function chain({ chain, length, days }: TrackRecord['ledger'], head: string, view: View): Html {
  const texts = forecastTexts[view.language]
  const latest = days.slice(-DAYS_SHOWN).toReversed()
  return html`<dl class="particulars">
<dt>${texts.chain}</dt><dd><code>${chain}</code>, ${texts.chains[chain]}</dd>
<dt>${texts.length}</dt><dd><data value="${length}">${view.formats.number(length, 0)}</data></dd>
<dt>${texts.head}</dt><dd><code class="hash">${head}</code></dd>
</dl>
${
  latest.length > 0 &&
  html`<details><summary>${texts.lastDays}</summary><div class="scroll"><table>
<thead><tr><th scope="col">${texts.date}</th><th scope="col" class="number">${texts.length}</th><th scope="col">${texts.hash}</th></tr></thead>
<tbody>
${latest.map(({ date, sequence, hash }) => html`<tr><td>${dayElement(date, view.formats.day(date))}</td><td class="number">${sequence}</td><td><code class="hash">${hash}</code></td></tr>\n`)}</tbody></table></div></details>`
}`
}
