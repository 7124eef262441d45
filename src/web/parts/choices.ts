/** Choosing what a page shows: buttons that are links with another value of a query parameter, and the options of a select. */
import type { ZoneCode } from '../../market/zones.ts'
import { type Html, html } from '../html.ts'
import { zoneName } from '../i18n/hours.ts'
import type { View } from '../view.ts'

export interface Choice<Value> {
  label: string
  values: readonly Value[]
  /** Returns the text of a button. */
  show: (value: Value) => string
}

/** A labelled list with a button for each value of a parameter. `addressOf` returns the URL of a query. */
export function choice<Query, Name extends keyof Query>(
  name: Name,
  { label, values, show }: Choice<Query[Name]>,
  query: Query,
  addressOf: (query: Query) => string,
): Html {
  const buttons = values.map((value) =>
    buttonLink(addressOf({ ...query, [name]: value }), show(value), value === query[name]),
  )
  return html`<div class="choice"><span>${label}</span><ul class="buttons">${buttons}</ul></div>`
}

/** Entry of a list of buttons. */
export function buttonLink(href: string, text: string, isCurrent: boolean): Html {
  return html`<li><a class="button" href="${href}"${isCurrent && html` aria-current="true"`}>${text}</a></li>`
}

export function option(value: string | number, label: string, isChosen: boolean): Html {
  return html`<option value="${value}"${isChosen && html` selected`}>${label}</option>`
}

export function zoneOptions(zones: readonly ZoneCode[], chosen: ZoneCode, { language }: View): Html[] {
  return zones.map((zone) => option(zone, zoneName(zone, language), zone === chosen))
}
