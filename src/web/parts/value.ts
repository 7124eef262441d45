/** A formatted figure, with the value of the API for programs. */
import { type Html, html } from '../html.ts'
import type { View } from '../view.ts'

/** `<data value="0.8154">81.5%</data>` */
export function dataElement(value: number, text: string): Html {
  return html`<data value="${value}">${text}</data>`
}

/** `<data value="118.4321">118.43</data>` */
export function figure(value: number, view: View, decimals = 2): Html {
  return dataElement(value, view.formats.number(value, decimals))
}

/** `<data value="-7.6121">−7.61</data>` */
export function signedFigure(value: number, view: View): Html {
  return dataElement(value, view.formats.signed(value))
}

/** `<data value="118.4321">118.43</data> <span class="unit">€/MWh</span>` */
export function figureInUnit(value: number, unit: string, view: View, decimals = 2): Html {
  return html`${figure(value, view, decimals)} <span class="unit">${unit}</span>`
}

/** A difference: `+1.20`, in the colour of its direction. */
export function change(value: number, text: string): Html {
  const direction = value > 0 ? 'up' : value < 0 ? 'down' : 'soft'
  const arrow = value > 0 ? '▲' : value < 0 ? '▼' : '■'
  return html`<span class="${direction}"><span aria-hidden="true">${arrow}</span> ${text}</span>`
}

/** Entry of a list of figures. */
export function figureEntry(label: string, value: Html): Html {
  return html`<div><dt>${label}</dt><dd>${value}</dd></div>\n`
}

/** A day, a month or an instant. */
export function timeElement(date: string, text: string): Html {
  return html`<time datetime="${date}">${text}</time>`
}
