/**
 * A table that becomes a chart if JavaScript runs (`client/charts.js`). The chart reads the table, which can still be opened, or the underlying
 * CSV if the table has only means. `client/chart-tools.js` adds zoom, and saves the visible range as CSV and PNG.
 * Without JavaScript the table is open and there is no chart. Space for the chart is reserved from the first paint to avoid a layout shift.
 */
import type { AssetName, InlineName } from '../assets.ts'
import { type Html, html } from '../html.ts'
import { chartTexts } from '../i18n/charts.ts'
import { forecastTexts } from '../i18n/forecasts.ts'
import { hourTexts } from '../i18n/hours.ts'
import type { ShownMarket } from '../i18n/markets.ts'
import type { View } from '../view.ts'
import { metadataAddress, registerChartData } from './chart-links.ts'
import { figure, signedFigure, timeElement } from './value.ts'

/** Scripts of a page with charts. */
export const CHART_FILES = {
  scripts: ['uplot.js', 'chart-tools.js', 'chart-lines.js', 'charts.js'],
  styles: ['uplot.css'],
} as const satisfies { scripts: readonly AssetName[]; styles: readonly InlineName[] }

/** The PUN has been calculated from the zonal prices since this day. */
export const PUN_INDEX_SINCE = '2025-01-01'

/** How a column is drawn; `none`: in the table only. */
type Line =
  | 'first'
  | 'median'
  | 'actual'
  | 'low'
  | 'high'
  | 'previous'
  | 'second'
  | 'third'
  | 'f0'
  | 'f1'
  | 'f2'
  | 'f3'
  | ShownMarket
  | 'none'

export interface Column {
  label: string
  line: Line
  /** Default 2. */
  decimals?: number
  /** A difference, which has a sign. */
  signed?: true
  /** Set if it differs from the chart's: the column then has its own axis. */
  unit?: string
  /** Returns a text shown instead of the number. */
  show?: (value: number) => string
}

export interface ChartTable {
  /** Name of the chart on its page, in the URL of its files. */
  name: string
  /** Caption of the table, the chart's text alternative. */
  caption: string
  dayLabel: string
  /** Empty for series rebased to 100. */
  unit: string
  columns: Column[]
  /** Rows in display order; values by column, undefined if missing. `date`: a day, a month, or the start of an hour. */
  rows: {
    date: string /** Shown next to the date, such as the last complete day. */
    note?: string
    values: (number | undefined)[]
  }[]
  /** Lines and bands named under the chart; default: the columns that are drawn. */
  key?: { line: Line | 'band'; label: string }[]
  /** Set if the chart has its own CSV, with the table's columns; the query of the page then contains the days. */
  csv?: {
    address: string /** Whether the table has only means of its rows. */
    isFiner: boolean
    detail: 'day' | 'hour'
  }
  /** Days that are marked in the chart and named below it. */
  marks?: { date: string; label: string }[]
  /** Draws the mean of the visible part of the first column. */
  hasMean?: true
  /** Whether the PUN is drawn: the day on which its definition changed is then marked. */
  hasPun?: boolean
  /** Keeps the table open, for tables that are read as much as the chart. */
  isTableOpen?: true
  /** Name of saved files, without the extension; default: `name`. */
  file?: string
  /** The `source` of the responses; default: the page's. */
  source?: string | undefined
}

export function chart(table: ChartTable, view: View): Html {
  const {
    name,
    caption,
    dayLabel,
    unit,
    columns,
    rows,
    key = columns.filter(({ line }) => line !== 'none'),
    csv,
    marks = [],
    hasMean,
    hasPun,
    isTableOpen,
    file = name,
    source,
  } = table
  const texts = chartTexts[view.language]
  const axis = unit || texts.index
  const isCrossed =
    hasPun && [true, false].every((isBefore) => rows.some(({ date }) => date < PUN_INDEX_SINCE === isBefore))
  const marked = [...marks, ...(isCrossed ? [{ date: PUN_INDEX_SINCE, label: texts.punIndex }] : [])]
  const address =
    csv?.address ??
    registerChartData(
      {
        ...{ name, title: caption, file, source },
        at: { month: 'month', day: 'date', hour: 'starts_at' }[detailOf(rows[0]?.date)],
        columns: columns.map(({ label, unit: own = unit }) => ({ label, unit: own })),
        rows: rows.map(({ date, values }) => ({ at: date, values })),
        notes: marked.map(({ date, label }) => `${date}: ${label}`),
      },
      view,
    )
  const heading = ({ label, line, unit: own }: Column) =>
    html`<th scope="col" class="number"${line !== 'none' && html` data-line="${line}"`} data-label="${label}"${own && html` data-unit="${own}"`}>${label}${own && `, ${own}`}</th>`
  const shown = (value: number, { decimals, signed, show }: Column) => {
    if (show) return show(value)
    return signed ? signedFigure(value, view) : figure(value, view, decimals)
  }
  const cell = (value: number | undefined, column: Column) =>
    html`<td class="number">${value !== undefined && shown(value, column)}</td>`
  const row = ({ date, note, values }: ChartTable['rows'][number]) =>
    html`<tr><td><time datetime="${date}">${timeText(date, view)}</time>${note && html` <span class="soft small">${note}</span>`}</td>${columns.map((column, i) => cell(values[i], column))}</tr>\n`
  return html`<figure class="chart card" data-unit="${unit}" data-axis="${axis}"${hasMean && html` data-mean="${texts.mean}"`} data-detail="${csv?.isFiner ? csv.detail : detailOf(rows[0]?.date)}" data-file="${file}"${csv?.isFiner && html` data-csv="${csv.address}"`}${csv && html` data-dates`}>
<figcaption class="key">${key.map(({ line, label }) => html`<span class="swatch ${line}">${label}</span>`)}</figcaption>
<p class="readout small" aria-hidden="true"></p>
<div class="plot" aria-hidden="true"></div>
${marked.length > 0 && html`<ul class="marks soft small">${[...Map.groupBy(marked, ({ label }) => label)].map(([label, alike]) => html`<li>${alike.map(({ date }, i) => html`${i > 0 && ', '}${timeElement(date, view.formats.day(date))}`)}: ${label}</li>`)}</ul>`}
<div class="tools"><a class="button" data-tool="csv" href="${address}" download="${file}.csv">${texts.csv}</a>
<a class="button" href="${metadataAddress(address)}">${texts.about}</a>
<button type="button" class="button" data-tool="png">${texts.png}</button>
<button type="button" class="button" data-tool="whole" hidden>${texts.whole}</button>
<span class="soft small">${texts.zoom}</span></div>
<details${!isTableOpen && html` class="behind"`} open><summary>${hourTexts[view.language].table}</summary>
<div class="scroll${!isTableOpen && ' tall'}" tabindex="0" role="region" aria-label="${caption}"><table>
<caption>${caption}, ${axis}</caption>
<thead><tr><th scope="col">${dayLabel}</th>${columns.map(heading)}</tr></thead>
<tbody>
${rows.map(row)}</tbody></table></div></details>
</figure>`
}

function detailOf(date = ''): 'month' | 'day' | 'hour' {
  if (date.length > 10) return 'hour'
  return date.length === 7 ? 'month' : 'day'
}

function timeText(date: string, { formats }: View): string {
  return { month: formats.month, day: formats.day, hour: formats.instant }[detailOf(date)].call(formats, date)
}

/** Columns and key of an actual price and its forecast with the band: price, p10, median and p90, in this order. */
export function bandColumns({ language }: View): Required<Pick<ChartTable, 'columns' | 'key'>> {
  const texts = forecastTexts[language]
  return {
    columns: [
      { label: texts.actual, line: 'actual' },
      { label: texts.low, line: 'low' },
      { label: texts.median, line: 'median' },
      { label: texts.high, line: 'high' },
    ],
    key: [
      { line: 'actual', label: texts.actual },
      { line: 'median', label: texts.median },
      { line: 'band', label: texts.bandKey },
    ],
  }
}
