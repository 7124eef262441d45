/** Accuracy of the forecasts by month, weekday and hour, and compared with other models. */

import type { TrackRecord } from '../../api/contract/forecasts.ts'
import {
  type Accuracy,
  accuracyByHour,
  accuracyByMonth,
  accuracyByWeekday,
  type DayOutcome,
} from '../../market/forecast-accuracy.ts'
import type { AccuracyBasis, ScoredHours } from '../../store/forecasts.ts'
import { type Html, html } from '../html.ts'
import { accuracyTexts } from '../i18n/forecast-accuracy.ts'
import { forecastTexts } from '../i18n/forecasts.ts'
import type { View } from '../view.ts'
import { type BarRow, barTable } from './bar-table.ts'
import { CLOCK_HOURS } from './day-intervals.ts'
import { dataElement, figure, figureEntry } from './value.ts'

/** Nominal coverage of the band. */
const TARGET = 0.8
/** Mean absolute errors of the next day's PUN on the prices of 2024: `models/lear/card.md`. */
const MEASURED_2024 = { 'pun-ensemble': 5.71, lear: 6.27, 'conformal-walk': 8.49 } as const

/** How often the price fell inside the band, and the error by weekday. */
export function dayAccuracy(outcomes: readonly DayOutcome[], basis: AccuracyBasis, view: View): Html {
  const texts = accuracyTexts[view.language]
  const { formats } = view
  if (outcomes.length === 0) return html`<h2 id="calibration">${texts.calibration}</h2><p>${texts.none}</p>`
  const basisText = basis === 'replay' ? texts.basisReplay(outcomes.length) : texts.basisIssued(outcomes.length)
  const months = [...accuracyByMonth(outcomes)].map(([month, { inside, n }]) => ({
    label: formats.month(month),
    cells: [dataElement(inside, formats.percent(inside, 0)), html`${n}`],
    value: inside,
  }))
  return html`<h2 id="calibration">${texts.calibration}</h2>
<p>${texts.calibrationLead} ${basisText}</p>
${barTable({
  caption: texts.inside,
  heads: [texts.month, texts.insideShort, texts.days],
  rows: months,
  full: 1,
  mark: TARGET,
  key: [
    { kind: 'value', label: texts.inside },
    { kind: 'limit', label: texts.target },
  ],
})}
<h2 id="weekdays">${texts.byWeekday}</h2>
<p>${basisText}</p>
${errorTable(
  [...accuracyByWeekday(comparable(outcomes))].map(([weekday, accuracy]) => [
    texts.weekdays[weekday - 1] ?? '',
    accuracy,
  ]),
  { caption: texts.byWeekday, first: texts.weekday },
  view,
)}`
}

/** Returns only the days with a naive forecast, if they are the majority, so that both are compared on the same days. */
function comparable(outcomes: readonly DayOutcome[]): readonly DayOutcome[] {
  const compared = outcomes.filter(({ benchmark }) => benchmark !== undefined)
  return compared.length > outcomes.length / 2 ? compared : outcomes
}

/** The error by clock hour. */
export function hourAccuracy(days: readonly ScoredHours[], basis: AccuracyBasis, view: View): Html {
  const texts = accuracyTexts[view.language]
  if (days.length === 0) return html``
  const hours = [...accuracyByHour(days)].map(([hour, accuracy]): [string, Accuracy] => [
    `${CLOCK_HOURS[hour]}:00`,
    accuracy,
  ])
  return html`<h2 id="by-hour">${texts.byHour}</h2>
<p>${texts.basisHours(days.length, basis === 'replay')}</p>
${errorTable(hours, { caption: texts.byHour, first: texts.hour }, view)}`
}

/** Accuracy measured on real prices. */
export function modelComparison(view: View): Html {
  const texts = accuracyTexts[view.language]
  return html`<h2 id="models">${texts.models}</h2>
<p>${texts.modelsLead} <a href="${view.href('/docs/models/pun-ensemble')}">${texts.cards}</a></p>
${barTable({
  caption: `${texts.models}, ${texts.unit}`,
  heads: [texts.model, texts.mae],
  rows: Object.entries(MEASURED_2024).map(([id, mae]) => ({
    label: texts.modelNames[id as keyof typeof MEASURED_2024],
    cells: [figure(mae, view)],
    value: mae,
  })),
  key: [{ kind: 'value', label: texts.mae }],
})}`
}

function errorTable(groups: [string, Accuracy][], { caption, first }: { caption: string; first: string }, view: View) {
  const texts = accuracyTexts[view.language]
  // If the naive forecast is the issued one, a comparison adds nothing.
  const isCompared = groups.some(([, { mae, benchmarkMae = mae }]) => benchmarkMae !== mae)
  const rows = groups.map(([label, { mae, benchmarkMae }]): BarRow => {
    const naive = isCompared ? benchmarkMae : undefined
    return {
      label,
      cells: [figure(mae, view), ...(isCompared ? [naive === undefined ? html`–` : figure(naive, view)] : [])],
      value: mae,
      other: naive,
    }
  })
  return barTable({
    caption: `${caption}, ${texts.unit}`,
    heads: [first, texts.ours, ...(isCompared ? [texts.naive] : [])],
    rows,
    key: [
      { kind: 'value', label: texts.ours },
      ...(isCompared ? [{ kind: 'other' as const, label: texts.naive }] : []),
    ],
  })
}

type Summary = NonNullable<TrackRecord['summary']>

/** The accuracy of the forecasts as tiles. */
export function accuracyTiles({ summary, unit }: Pick<TrackRecord, 'summary' | 'unit'>, view: View): Html {
  if (summary) return summaryTiles(summary, unit, view)
  return html`<p class="soft">${forecastTexts[view.language].notYet}</p>`
}

function summaryTiles(summary: Summary, unit: string, view: View): Html {
  const texts = forecastTexts[view.language]
  const { formats } = view
  const { n, mae, mape, rmae, bias, coverage_80: coverage, pinball, benchmark } = summary
  const inUnit = (value: number) => `${formats.number(value)} ${unit}`
  const tile = (label: string, value: number, text: string, note: string) =>
    figureEntry(label, html`${dataElement(value, text)}<small>${note}</small>`)
  const naive = (value: number | undefined) => (value === undefined ? '' : texts.naive(inUnit(value)))
  return html`<dl class="tiles">
${tile(texts.mae, mae, inUnit(mae), naive(benchmark?.mae))}${rmae !== undefined && tile(texts.rmae, rmae, formats.percent(rmae, 0), texts.rmaeWhy)}${tile(texts.coverage, coverage, formats.percent(coverage), texts.coverageWhy)}${tile(texts.pinball, pinball, inUnit(pinball), naive(benchmark?.pinball))}${tile(texts.bias, bias, `${formats.signed(bias)} ${unit}`, texts.biasWhy)}${tile(texts.scored, n, String(n), mape === undefined ? '' : texts.mape(formats.percent(mape)))}</dl>`
}
