/**
 * Frame for drawings without JavaScript: the unit, grid lines at round values, labels below, a key, and the underlying table.
 * Charts drawn by a script are in `chart.ts`.
 */

import type { ChartData } from '../chart-data.ts'
import { type Html, html } from '../html.ts'
import { hourTexts } from '../i18n/hours.ts'
import type { View } from '../view.ts'
import { chartLinks, registerChartData } from './chart-links.ts'

const STEPS = [1, 2, 2.5, 5, 10]
const STEPS_WANTED = 4

interface Axis {
  low: number
  high: number
  /** Evenly spaced, from low to high. */
  ticks: number[]
}

/** Returns an axis that includes zero and all values in about four steps: for 12 to 131, from 0 to 150 by 50. */
export function axisOf(values: readonly number[]): Axis {
  return axisFrom(Math.min(0, ...values), Math.max(0, ...values))
}

/** Returns an axis for lines: for 90 to 131, from 80 to 140 by 20. Includes zero only if that takes less than a third of its height. */
export function tightAxisOf(values: readonly number[]): Axis {
  const [least, most] = [Math.min(...values), Math.max(...values)]
  return least < most / 3 ? axisOf(values) : axisFrom(least, most)
}

function axisFrom(least: number, most: number): Axis {
  const step = roundStep((most - least || 1) / STEPS_WANTED)
  const first = Math.floor(least / step)
  const last = Math.max(first + 1, Math.ceil(most / step))
  const ticks = Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step)
  return { low: first * step, high: last * step, ticks }
}

/** Height of a drawing with an axis at its side, in its own units. */
export const HEIGHT = 100

/** Returns the position of a value in the drawing, from the top. */
export function yScale({ low, high }: Axis): (value: number) => number {
  return (value) => hundredths(((high - value) / (high - low)) * HEIGHT)
}

interface Plot {
  unit: string
  /** Text alternative of the drawing. */
  label: string
  axis: Axis
  /** Width in the drawing's own units; its height is `HEIGHT`. */
  width: number
  drawn: Html
  /** Below it, from left to right. */
  labels: (string | false)[]
  /** Whether labels are at their grid lines from edge to edge; otherwise each has an equal part of the width. */
  areLabelsAtLines?: true
  key?: { tone: string; label: string }[]
  table: Html
  data: Omit<ChartData, 'title'>
}

export function plot(shown: Plot, view: View): Html {
  const { unit, label, axis, width, drawn, labels, areLabelsAtLines, key = [], table, data } = shown
  return html`<figure class="bars card"><p class="soft small">${unit}</p>
${valueLabels(axis, view)}
<svg viewBox="0 0 ${width} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${label}">
${gridLines(axis, width)}${drawn}</svg>
<ol class="x${areLabelsAtLines && ' shares'}" aria-hidden="true">${labels.map((one) => html`<li>${one}</li>`)}</ol>
${key.length > 0 && html`<figcaption class="key">${key.map((one) => html`<span class="swatch ${one.tone}">${one.label}</span>`)}</figcaption>`}
<details class="below"><summary>${hourTexts[view.language].table}</summary>${table}${chartLinks(registerChartData({ title: label, ...data }, view), view)}</details>
</figure>`
}

export function valueLabels({ ticks }: Axis, { formats }: View): Html {
  return html`<ol class="y" aria-hidden="true">${ticks.toReversed().map((tick) => html`<li>${formats.number(tick, 0)}</li>`)}</ol>`
}

export function gridLines(axis: Axis, width: number): Html {
  const y = yScale(axis)
  return html`${axis.ticks.map((tick) => html`<line x1="0" x2="${width}" y1="${y(tick)}" y2="${y(tick)}"/>`)}\n`
}

/** Finer than any screen shows. */
export function hundredths(length: number): number {
  return Math.round(length * 100) / 100
}

function roundStep(atLeast: number): number {
  const power = 10 ** Math.floor(Math.log10(atLeast))
  const factor = STEPS.find((one) => one * power >= atLeast) ?? 10
  return factor * power
}
