/** The accuracy of the forecasts as tiles. */
import type { TrackRecord } from '../../api/contract/forecasts.ts'
import { type Html, html } from '../html.ts'
import { forecastTexts } from '../i18n/forecasts.ts'
import type { View } from '../view.ts'

type Summary = NonNullable<TrackRecord['summary']>

export function accuracyTiles({ summary, unit }: Pick<TrackRecord, 'summary' | 'unit'>, view: View): Html {
  if (summary) return tiles(summary, unit, view)
  return html`<p class="notice">${forecastTexts[view.language].notYet}</p>`
}

function tiles(summary: Summary, unit: string, view: View): Html {
  const texts = forecastTexts[view.language]
  const { formats } = view
  const { n, mae, mape, rmae, bias, coverage_80: coverage, pinball, benchmark } = summary
  const inUnit = (value: number) => `${formats.number(value)} ${unit}`
  const tile = (label: string, value: number, text: string, note: string) =>
    html`<div><dt>${label}</dt><dd><data value="${value}">${text}</data><small>${note}</small></dd></div>\n`
  const naive = (value: number | undefined) => (value === undefined ? '' : texts.naive(inUnit(value)))
  return html`<dl class="tiles">
${tile(texts.mae, mae, inUnit(mae), naive(benchmark?.mae))}${rmae !== undefined && tile(texts.rmae, rmae, formats.percent(rmae, 0), texts.rmaeWhy)}${tile(texts.coverage, coverage, formats.percent(coverage), texts.coverageWhy)}${tile(texts.pinball, pinball, inUnit(pinball), naive(benchmark?.pinball))}${tile(texts.bias, bias, `${formats.signed(bias)} ${unit}`, texts.biasWhy)}${tile(texts.scored, n, String(n), mape === undefined ? '' : texts.mape(formats.percent(mape)))}</dl>`
}
