/**
 * A table that becomes a chart where scripts run (`client/charts.js`): the chart reads the table, which stays there to be opened.
 * Without scripts the table is open and there is no chart. The space of the chart is reserved from the first paint, so the layout does not shift.
 */
import type { AssetName } from '../assets.ts'
import { type Html, html } from '../html.ts'
import { hourTexts } from '../i18n/hours.ts'
import type { View } from '../view.ts'
import { figure, signedFigure } from './value.ts'

/** What a page with charts loads. */
export const CHART_FILES = {
  scripts: ['uplot.js', 'charts.js'],
  styles: ['uplot.css'],
} as const satisfies Record<string, readonly AssetName[]>

/** How a column is drawn; `none`: in the table only. */
type Line = 'price' | 'median' | 'actual' | 'low' | 'high' | 'none'

export interface Column {
  label: string
  line: Line
  /** Default 2. */
  decimals?: number
  /** A difference, which has a sign. */
  signed?: true
  /** In place of the number: a word. */
  show?: (value: number) => string
}

export interface ChartTable {
  /** What the table is, for those who do not see the chart. */
  caption: string
  dayLabel: string
  unit: string
  columns: Column[]
  /** In the order in which one reads them; values by column, undefined where there is none. */
  rows: { date: string; values: (number | undefined)[] }[]
  /** Lines and bands named under the chart. */
  key: { line: Line; label: string }[]
}

export function chart({ caption, dayLabel, unit, columns, rows, key }: ChartTable, view: View): Html {
  const heading = ({ label, line }: Column) =>
    html`<th scope="col" class="number"${line !== 'none' && html` data-line="${line}"`} data-label="${label}">${label}</th>`
  const shown = (value: number, { decimals, signed, show }: Column) => {
    if (show) return show(value)
    return signed ? signedFigure(value, view) : figure(value, view, decimals)
  }
  const cell = (value: number | undefined, column: Column) =>
    html`<td class="number">${value !== undefined && shown(value, column)}</td>`
  const row = ({ date, values }: ChartTable['rows'][number]) =>
    html`<tr><td><time datetime="${date}">${view.formats.day(date)}</time></td>${columns.map((column, i) => cell(values[i], column))}</tr>\n`
  return html`<figure class="chart card" data-unit="${unit}">
<figcaption class="key">${key.map(({ line, label }) => html`<span class="swatch line-${line}">${label}</span>`)}</figcaption>
<p class="readout small" aria-hidden="true"></p>
<div class="plot" aria-hidden="true"></div>
<details class="behind" open><summary>${hourTexts[view.language].table}</summary>
<div class="scroll tall" tabindex="0" role="region" aria-label="${caption}"><table>
<caption>${caption}, ${unit}</caption>
<thead><tr><th scope="col">${dayLabel}</th>${columns.map(heading)}</tr></thead>
<tbody>
${rows.map(row)}</tbody></table></div></details>
</figure>`
}
