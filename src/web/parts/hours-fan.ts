/**
 * Hours to come as a fan: the published prices as a line, then the median in its band. Drawn here, so it needs no script. Points stand at their
 * place in the series, so that days of 23 and 25 hours need nothing.
 */
import type { HourlyForecast } from '../../api/contract/hourly-forecasts.ts'
import { type Html, html } from '../html.ts'
import { hourlyForecastTexts } from '../i18n/hourly-forecasts.ts'
import { hourTexts } from '../i18n/hours.ts'
import type { View } from '../view.ts'
import { axisOf, HEIGHT, heightOn } from './axis.ts'
import { clock } from './day-intervals.ts'
import { figure } from './value.ts'

type Point = HourlyForecast['points'][number]

export function hoursFan({ points, unit }: HourlyForecast, view: View): Html {
  const texts = hourlyForecastTexts[view.language]
  const axis = axisOf(points.flatMap(({ value, p10 = value, p90 = value }) => [value, p10, p90]))
  const y = heightOn(axis)
  const line = (from: number, values: readonly number[]) => values.map((value, i) => `${from + i + 0.5},${y(value)}`)
  const begins = points.findIndex(({ price }) => price === 'forecast')
  const ahead = points.slice(begins)
  const band = [
    ...line(
      begins,
      ahead.map(({ p90, value }) => p90 ?? value),
    ),
    ...line(
      begins,
      ahead.map(({ p10, value }) => p10 ?? value),
    ).toReversed(),
  ]
  const label = texts.chart(
    view.formats.weekday(points[0]?.date ?? ''),
    view.formats.weekday(points.at(-1)?.date ?? ''),
  )
  return html`<figure class="bars fan">
<ol class="y" aria-hidden="true">${axis.ticks.toReversed().map((tick) => html`<li>${view.formats.number(tick, 0)}</li>`)}</ol>
<svg viewBox="0 0 ${points.length} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${label}">
${axis.ticks.map((tick) => html`<line x1="0" x2="${points.length}" y1="${y(tick)}" y2="${y(tick)}"/>`)}
${dayStarts(points).map((start) => html`<line x1="${start}" x2="${start}" y1="0" y2="${HEIGHT}"/>`)}
<polygon class="band" points="${band.join(' ')}"/>
<polyline class="published" points="${line(
    0,
    points.slice(0, begins).map(({ value }) => value),
  ).join(' ')}"/>
<polyline class="median" points="${line(
    begins,
    ahead.map(({ value }) => value),
  ).join(' ')}"/>
</svg>
<ol class="x" aria-hidden="true">${dayLabels(points, view)}</ol>
<figcaption class="key"><span class="swatch published">${texts.published}</span><span class="swatch median">${texts.median}</span><span class="swatch band">${texts.band}</span></figcaption>
</figure>
<details><summary>${hourTexts[view.language].table}</summary>${table(points, unit, view)}</details>`
}

/** Where each day but the first begins. */
function dayStarts(points: readonly Point[]): number[] {
  return points.flatMap(({ date }, i) => (i > 0 && date !== points[i - 1]?.date ? [i] : []))
}

function dayLabels(points: readonly Point[], view: View): Html[] {
  return [...new Set(points.map(({ date }) => date))].map((date) => html`<li>${view.formats.shortDay(date)}</li>`)
}

function table(points: readonly Point[], unit: string, view: View): Html {
  const texts = hourlyForecastTexts[view.language]
  const number = (value: number | undefined) =>
    html`<td class="number">${value !== undefined && figure(value, view)}</td>`
  const instants = points.map(({ starts_at: startsAt }) => ({ startsAt }))
  const row = ({ date, starts_at: startsAt, price, value, p10, p90 }: Point) =>
    html`<tr><td><time datetime="${startsAt}">${view.formats.shortDay(date)} ${clock(startsAt, instants, view)}</time></td><td>${texts.kinds[price]}</td>${number(p10)}${number(value)}${number(p90)}</tr>\n`
  return html`<div class="scroll tall" tabindex="0" role="region" aria-label="${texts.title}"><table>
<thead><tr><th scope="col">${texts.start}</th><th scope="col">${texts.kind}</th><th scope="col" class="number">p10</th><th scope="col" class="number">${texts.value}, ${unit}</th><th scope="col" class="number">p90</th></tr></thead>
<tbody>
${points.map(row)}</tbody></table></div>`
}
