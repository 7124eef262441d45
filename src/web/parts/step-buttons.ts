/** Buttons to the previous and next period, which keep the other fields. Forms, so that crawlers do not follow them through all years. */
import { type Html, html } from '../html.ts'

export function stepButtons(
  action: string,
  name: string,
  steps: readonly { value: string; label: string }[],
  kept: Record<string, string | number>,
): Html {
  return html`<form class="row steps" method="get" action="${action}">
${Object.entries(kept).map(([field, value]) => html`<input type="hidden" name="${field}" value="${value}">`)}
${steps.map(({ value, label }) => html`<button class="button" name="${name}" value="${value}">${label}</button>\n`)}</form>`
}
