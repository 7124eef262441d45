/** Buttons that change one part of the address of the trading page. */
import { type Html, html } from '../html.ts'
import type { View } from '../view.ts'
import { type TradingQuery, tradingAddress } from './query.ts'

export function choice<Name extends keyof TradingQuery>(
  {
    label,
    name,
    options,
    anchor,
  }: { label: string; name: Name; options: [TradingQuery[Name], string][]; anchor: string },
  query: TradingQuery,
  view: View,
): Html {
  return html`<div class="choice"><span>${label}</span><ul class="buttons">${options.map(
    ([value, text]) =>
      html`<li><a class="button" href="${tradingAddress(query, { [name]: value } as Partial<TradingQuery>, anchor, view)}"${query[name] === value && html` aria-current="true"`}>${text}</a></li>`,
  )}</ul></div>`
}
