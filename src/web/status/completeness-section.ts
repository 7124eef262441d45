/** The last 30 market days of each series: a strip to look at, a table to read. */
import type { DayCompleteness } from '../../store/completeness.ts'
import { type Html, html } from '../html.ts'
import { statusTexts } from '../i18n/status.ts'
import { timeElement } from '../parts/value.ts'
import type { View } from '../view.ts'
import { type Assessment, type DayState, dayState, SERIES, type Series } from './day-states.ts'

/** Only missing data of these days affect the first line of the page. */
const RECENT_DAYS = 7
const MINUTES_PER_HOUR = 60
const STATES: readonly DayState[] = ['whole', 'partial', 'missing', 'due', 'closed']

/** `days`: newest first. */
export function completenessSection(days: readonly DayCompleteness[], assessment: Assessment, view: View): Html {
  const texts = statusTexts[view.language]
  return html`<h2 id="days">${texts.days}</h2>
<ul class="strips">
${SERIES.map((series) => strip(series, days, assessment, view))}</ul>
<ul class="legend">${STATES.map((state) => html`<li><span class="cell ${state}"></span> ${texts.states[state]}</li>`)}</ul>
<details><summary>${texts.table}</summary>
<div class="scroll tall" tabindex="0" role="region" aria-labelledby="days"><table>
<thead><tr><th scope="col">${texts.day}</th><th scope="col" class="number">${texts.hours}</th>${SERIES.map((series) => html`<th scope="col">${texts.series[series]}</th>`)}</tr></thead>
<tbody>
${days.map((day) => row(day, assessment, view))}</tbody></table></div></details>`
}

/** Returns the series with a missing or partial day among the recent ones. */
export function incompleteSeries(days: readonly DayCompleteness[], assessment: Assessment): Series[] {
  return SERIES.filter((series) =>
    days.slice(0, RECENT_DAYS).some((day) => ['missing', 'partial'].includes(dayState(series, day, assessment))),
  )
}

function strip(series: Series, days: readonly DayCompleteness[], assessment: Assessment, view: View): Html {
  const texts = statusTexts[view.language]
  const states = days.map((day) => ({ day: day.day, state: dayState(series, day, assessment) })).reverse()
  const expectedDays = states.filter(({ state }) => state !== 'due' && state !== 'closed')
  const completeDays = expectedDays.filter(({ state }) => state === 'whole')
  const cells = states.map(
    ({ day, state }) =>
      html`<span class="cell ${state}" title="${view.formats.shortDay(day)}: ${texts.states[state]}"></span>`,
  )
  return html`<li><span class="series">${texts.series[series]}</span>
<span class="strip" role="img" aria-label="${texts.summary(texts.series[series], completeDays.length, expectedDays.length)}">${cells}</span>
<span class="soft small" aria-hidden="true">${texts.ofDays(completeDays.length, expectedDays.length)}</span></li>
`
}

function row(day: DayCompleteness, assessment: Assessment, view: View): Html {
  const texts = statusTexts[view.language]
  const hours = day.expectedMinutes / MINUTES_PER_HOUR
  const cells = SERIES.map((series) => {
    const state = dayState(series, day, assessment)
    const detail = state === 'partial' ? partOf(series, day, hours, view) : texts.states[state]
    return html`<td class="state ${state}">${detail}</td>`
  })
  return html`<tr><th scope="row">${timeElement(day.day, view.formats.day(day.day))}</th><td class="number">${hours}</td>${cells}</tr>\n`
}

/** The available part of an incomplete day. */
function partOf(series: Series, day: DayCompleteness, hours: number, view: View): string {
  const texts = statusTexts[view.language]
  if (series === 'zones') return texts.zonesWhole(day.zonesWhole, day.zones)
  const storedHours = day.punMinutes / MINUTES_PER_HOUR
  return texts.hoursThere(view.formats.number(storedHours, Number.isInteger(storedHours) ? 0 : 2), hours)
}
