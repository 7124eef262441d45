/** The market zones as tiles in their geographical order, coloured by their difference from the PUN; with a table as text. */
import type { ZonalPrices } from '../../api/contract/zonal.ts'
import type { MarketDay } from '../../market/market-day.ts'
import { type Html, html } from '../html.ts'
import { hourTexts, zoneNames } from '../i18n/hours.ts'
import type { View } from '../view.ts'
import { ageMark } from './price-end.ts'
import { figure } from './value.ts'
import { shadeOf } from './zone-map.ts'

export function zoneTiles({ date, unit, national, zones }: ZonalPrices, today: MarketDay, view: View): Html {
  const texts = hourTexts[view.language]
  const { formats } = view
  const tiles = zones.map(
    ({
      code,
      value,
      spread_vs_pun: spread,
    }) => html`<li class="zone ${code} ${shadeOf(spread)}"><span>${zoneNames[view.language][code]}</span>
<strong>${figure(value, view)}</strong>
<data value="${spread}">${formats.signed(spread)}</data></li>
`,
  )
  return html`<p class="soft">${texts.zonesOf(formats.weekday(date))}. PUN <data value="${national}">${formats.number(national)}</data> ${unit}.${ageMark('PUN', date, today, view)}</p>
<ul class="italy">
${tiles}</ul>`
}
