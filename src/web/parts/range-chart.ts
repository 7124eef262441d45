/**
 * Box plots on a common scale: a line from the lowest to the highest figure, the middle half thicker, the median marked.
 * `label` describes the chart in words; the figures are in a separate table. `decimals` are those of the scale.
 */
import { type Html, html } from '../html.ts'
import type { View } from '../view.ts'
import { axisOf } from './plot.ts'

const HEIGHT = 20
const MIDDLE = HEIGHT / 2

interface Range {
  label: string
  low: number
  high: number
  /** Quartiles. */
  box?: { low: number; high: number }
  median: number
}

export function rangeChart(
  ranges: readonly Range[],
  { label, unit, decimals }: { label: string; unit: string; decimals: number },
  view: View,
): Html {
  const axis = axisOf(ranges.flatMap(({ low, high }) => [low, high]))
  const x = (value: number) => Math.round(((value - axis.low) / (axis.high - axis.low)) * 100_000) / 1_000
  return html`<figure class="ranges">
${ranges.map(
  (range) => html`<div aria-hidden="true"><span>${range.label}</span>
<svg viewBox="0 0 100 ${HEIGHT}" preserveAspectRatio="none">${axis.ticks.map((tick) => html`<line class="grid" x1="${x(tick)}" x2="${x(tick)}" y1="0" y2="${HEIGHT}"/>`)}
<line class="span" x1="${x(range.low)}" x2="${x(range.high)}" y1="${MIDDLE}" y2="${MIDDLE}"/>
${range.box && html`<line class="box" x1="${x(range.box.low)}" x2="${x(range.box.high)}" y1="${MIDDLE}" y2="${MIDDLE}"/>`}
<line class="median" x1="${x(range.median)}" x2="${x(range.median)}" y1="1" y2="${HEIGHT - 1}"/></svg></div>
`,
)}
<ol aria-hidden="true">${axis.ticks.map((tick) => html`<li>${view.formats.number(tick, decimals)}</li>`)}</ol>
<figcaption>${label}, ${unit}</figcaption>
</figure>`
}
