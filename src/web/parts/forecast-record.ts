/** The record day by day: forecast, band, and actual price. */
import type { TrackRecord } from '../../api/contract/forecasts.ts'
import { type Html, html } from '../html.ts'
import { forecastTexts } from '../i18n/forecasts.ts'
import type { View } from '../view.ts'
import { bandColumns } from './band-columns.ts'
import { chart } from './chart.ts'
import { dayElement, figure, signedFigure } from './value.ts'

const WORST_SHOWN = 5

export function recordChart({ asset, unit, records }: TrackRecord, view: View): Html {
  const texts = forecastTexts[view.language]
  const { columns, key } = bandColumns(texts)
  return chart(
    {
      caption: texts.caption(asset),
      dayLabel: texts.day,
      unit,
      columns: [
        ...columns,
        { label: texts.error, line: 'none', signed: true },
        { label: texts.inBand, line: 'none', show: (value) => (value === 1 ? texts.yes : texts.no) },
      ],
      rows: records.toReversed().map(({ target_date: date, actual, p10, p50, p90, error, in_band: inBand }) => ({
        date,
        values: [actual, p10, p50, p90, error, inBand === undefined ? undefined : Number(inBand)],
      })),
      key,
      file: `${asset.toLowerCase()}_track_record`,
    },
    view,
  )
}

/** The scored days with the largest errors. */
export function worstDays({ records, unit }: TrackRecord, view: View): Html {
  const texts = forecastTexts[view.language]
  const { formats } = view
  const isIssued = records.some(({ issued_at: at }) => at !== undefined)
  const worst = records
    .flatMap((record) => {
      const { actual, error } = record
      return actual === undefined || error === undefined ? [] : [{ ...record, actual, error }]
    })
    .sort((a, b) => Math.abs(b.error) - Math.abs(a.error))
    .slice(0, WORST_SHOWN)
  const row = ({ target_date: day, issued_at: issuedAt, model, p50, actual, error }: (typeof worst)[number]) =>
    html`<tr><td>${dayElement(day, formats.day(day))}</td><td class="number">${figure(p50, view)}</td><td class="number">${figure(actual, view)}</td><td class="number">${signedFigure(error, view)}</td>${isIssued && html`<td>${issuedAt !== undefined && dayElement(issuedAt, formats.instant(issuedAt))}</td><td><code>${model}</code></td>`}</tr>\n`
  return html`<h2>${texts.worst}</h2>
<p>${texts.worstLead}</p>
<div class="scroll card" tabindex="0" role="region" aria-label="${texts.worst}"><table>
<thead><tr><th scope="col">${texts.day}</th><th scope="col" class="number">${texts.median}, ${unit}</th><th scope="col" class="number">${texts.actual}</th><th scope="col" class="number">${texts.error}</th>${isIssued && html`<th scope="col">${texts.issued}</th><th scope="col">${texts.model}</th>`}</tr></thead>
<tbody>
${worst.map(row)}</tbody></table></div>`
}
