/** Corrections: values that were published and later replaced, before and after. */
import type { Asset } from '../../market/assets.ts'
import { toUtcIso } from '../../market/market-day.ts'
import { toNative } from '../../market/price-units.ts'
import type { Correction } from '../../store/prices.ts'
import { type Html, html } from '../html.ts'
import { pricePageTexts } from '../i18n/price-page.ts'
import type { View } from '../view.ts'
import { dayElement, figure } from './value.ts'

export function correctionsSection({ nativeUnit }: Asset, corrections: readonly Correction[], view: View): Html {
  const texts = pricePageTexts[view.language]
  return html`<section><h2 id="corrections">${texts.corrections}</h2>
<p>${texts.correctionsLead}</p>
${corrections.length === 0 ? html`<p class="soft">${texts.noCorrections}</p>` : table(nativeUnit, corrections, view)}
</section>`
}

function table(unit: string, corrections: readonly Correction[], view: View): Html {
  const texts = pricePageTexts[view.language]
  const { formats } = view
  const price = (value: number | undefined) =>
    value === undefined ? html`<span class="soft">${texts.notWhole}</span>` : figure(toNative(value), view)
  const row = ({ day, correctedAt, replaced, before, after }: Correction) => {
    const at = toUtcIso(correctedAt)
    return html`<tr><td>${dayElement(day, formats.day(day))}</td><td>${dayElement(at, formats.instant(at))}</td><td class="number">${replaced}</td><td class="number">${price(before)}</td><td class="number">${price(after)}</td></tr>\n`
  }
  return html`<div class="scroll card" tabindex="0" role="region" aria-label="${texts.corrections}"><table>
<thead><tr><th scope="col">${texts.day}</th><th scope="col">${texts.corrected}</th><th scope="col" class="number">${texts.values}</th><th scope="col" class="number">${texts.before}, ${unit}</th><th scope="col" class="number">${texts.after}, ${unit}</th></tr></thead>
<tbody>
${corrections.map(row)}</tbody></table></div>`
}
