/** A table with a bar after the figures of each row, for comparison at a glance. Drawn on the server, so it needs no JavaScript. */
import { type Html, html } from '../html.ts'

const HEIGHT = 20
const WIDTH = 100

export interface BarRow {
  label: string
  /** Cells of figures, as they are shown. */
  cells: Html[]
  /** Length of the bar, and of a second one below it. */
  value: number
  other?: number | undefined
}

interface BarTable {
  caption: string
  /** Headings of the labels, then of the figures. */
  heads: string[]
  rows: BarRow[]
  /** Value of a full-width bar. Default: the largest. */
  full?: number
  /** Value marked by a line. */
  mark?: number
  key: { kind: 'value' | 'other' | 'limit'; label: string }[]
}

export function barTable({ caption, heads, rows, full, mark, key }: BarTable): Html {
  const most = full ?? Math.max(...rows.flatMap(({ value, other = 0 }) => [value, other]), Number.MIN_VALUE)
  const x = (value: number) => Math.round((value / most) * WIDTH * 100) / 100
  const bars = ({ value, other }: BarRow) => {
    const height = other === undefined ? HEIGHT : HEIGHT / 2
    return html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true"><rect class="value" x="0" y="0" width="${x(value)}" height="${height}"/>${other !== undefined && html`<rect class="other" x="0" y="${height}" width="${x(other)}" height="${height}"/>`}${mark !== undefined && html`<line class="limit" x1="${x(mark)}" x2="${x(mark)}" y1="0" y2="${HEIGHT}"/>`}</svg>`
  }
  const [first = '', ...figures] = heads
  return html`<figure class="bar-table card"><div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table>
<caption>${caption}</caption>
<thead><tr><th scope="col">${first}</th>${figures.map((head) => html`<th scope="col" class="number">${head}</th>`)}<td class="drawn"></td></tr></thead>
<tbody>
${rows.map((row) => html`<tr><th scope="row">${row.label}</th>${row.cells.map((cell) => html`<td class="number">${cell}</td>`)}<td class="drawn">${bars(row)}</td></tr>\n`)}</tbody></table></div>
<figcaption class="key">${key.map(({ kind, label }) => html`<span class="swatch ${kind}">${label}</span>`)}</figcaption></figure>`
}
