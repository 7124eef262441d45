/**
 * A market day in bars, coloured by price level over a strip of tariff bands, with its figures and its table. Drawn here, so it needs no
 * script; `client/hours.js` adds the time of day and what the pointer or the keys are on. Bars are at their ordinal: change days have 23 or 25 hours, 92 or 100 quarters, and missing intervals leave gaps.
 */
import type { HourlyDay } from '../../api/contract/hourly.ts'
import { PRICE_LEVELS, priceLevel } from '../../market/price-level.ts'
import { type Html, html } from '../html.ts'
import { hourTexts } from '../i18n/hours.ts'
import type { View } from '../view.ts'
import { axisOf, HEIGHT, heightOn, hundredths } from './axis.ts'
import { clock, clockSpan, type Interval, intervalsOf } from './day-intervals.ts'
import { figure, figureEntry } from './value.ts'

const GAP = 0.14
const BANDS = ['F1', 'F2', 'F3'] as const

export function hoursChart(day: HourlyDay, view: View): Html {
  const texts = hourTexts[view.language]
  const intervals = intervalsOf(day)
  const hours = day.quarters ? day.expected / 4 : day.expected
  return html`${hours !== 24 && html`<p class="soft small">${texts.changeDay(hours)}</p>`}
${day.count < day.expected && html`<p class="mark small">${texts.partial(day.count, day.expected)}</p>`}
${bars(day, intervals, view)}
${figures(day, intervals, view)}
<details><summary>${texts.table}</summary>${table(day, intervals, view)}</details>`
}

function figures({ stats, cheapest_hours: cheapest, unit }: HourlyDay, intervals: Interval[], view: View): Html {
  const texts = hourTexts[view.language]
  const inUnit = (value: number) => html`${figure(value, view)} <span class="unit">${unit}</span>`
  return html`<dl class="figures">
${stats.avg !== undefined && figureEntry(texts.average, inUnit(stats.avg))}${figureEntry(texts.lowest, inUnit(stats.min))}${figureEntry(texts.highest, inUnit(stats.max))}${figureEntry(texts.cheapest, html`${mergedHours(cheapest, intervals, view).join(', ')}`)}</dl>`
}

/** Hours that follow each other as one: `12:00–14:00, 16:00–17:00`. */
function mergedHours(hours: readonly number[], intervals: readonly Interval[], view: View): string[] {
  const runs: { first: number; last: number }[] = []
  for (const hour of hours.toSorted((a, b) => a - b)) {
    const run = runs.at(-1)
    if (run?.last === hour - 1) run.last = hour
    else runs.push({ first: hour, last: hour })
  }
  return runs.map(({ first, last }) => {
    const startsAt = intervals.find(({ hour }) => hour === first)?.startsAt
    const endsAt = intervals.findLast(({ hour }) => hour === last)?.endsAt
    return startsAt && endsAt ? clockSpan({ startsAt, endsAt }, intervals, view) : `${first}–${last}`
  })
}

function bars(day: HourlyDay, intervals: Interval[], view: View): Html {
  const texts = hourTexts[view.language]
  const { stats, expected, unit, cheapest_hours: cheapest } = day
  const axis = axisOf(intervals.map(({ value }) => value))
  const y = heightOn(axis)
  const perHour = day.quarters ? 4 : 1
  const bar = (interval: Interval) => {
    const { ordinal, startsAt, value, band } = interval
    const top = y(Math.max(0, value))
    const level = stats.avg === undefined ? 'normal' : priceLevel(value, stats.avg)
    return html`<rect class="${level}" x="${hundredths(ordinal - 1 + GAP / 2)}" y="${top}" width="${1 - GAP}" height="${hundredths(y(Math.min(0, value)) - top)}"><title>${clock(startsAt, intervals, view)}: ${view.formats.number(value)} ${unit}, ${texts.levels[level]}, ${band}</title></rect>`
  }
  const show = (value: number) => `${view.formats.number(value)} ${unit}`
  const label = texts.chart(view.formats.weekday(day.date), show(stats.min), show(stats.max))
  return html`<figure class="bars hours" data-from="${intervals[0]?.startsAt}" data-expected="${expected}" data-ordinal="${intervals[0]?.ordinal}" data-minutes="${day.quarters ? 15 : 60}">
<ol class="y" aria-hidden="true">${axis.ticks.toReversed().map((tick) => html`<li>${view.formats.number(tick, 0)}</li>`)}</ol>
<svg viewBox="0 0 ${expected} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${label}">
${axis.ticks.map((tick) => html`<line x1="0" x2="${expected}" y1="${y(tick)}" y2="${y(tick)}"/>`)}
${cheapest.map((hour) => html`<rect class="cheap" x="${(hour - 1) * perHour}" y="0" width="${perHour}" height="${HEIGHT}"/>`)}
${intervals.map(bar)}
${stats.avg !== undefined && html`<line class="mean" x1="0" x2="${expected}" y1="${y(stats.avg)}" y2="${y(stats.avg)}"/>`}
</svg>
<svg class="strip" viewBox="0 0 ${expected} 1" preserveAspectRatio="none" aria-hidden="true">${intervals.map(({ ordinal, band }) => html`<rect class="${band.toLowerCase()}" x="${ordinal - 1}" y="0" width="1" height="1"/>`)}</svg>
<ol class="x" aria-hidden="true">${clockLabels(day, intervals, view)}</ol>
<figcaption class="key">${PRICE_LEVELS.map((level) => html`<span class="swatch ${level}">${texts.levels[level]}</span>`)}<span class="swatch mean">${texts.average}</span>${BANDS.map((band) => html`<span class="swatch ${band.toLowerCase()}">${texts.bands[band]}</span>`)}<span class="swatch cheap">${texts.cheapest}</span></figcaption>
</figure>`
}

/** A label for every hour; every third is shown. */
function clockLabels({ expected, quarters }: HourlyDay, intervals: Interval[], view: View): Html[] {
  const perHour = quarters ? 4 : 1
  return Array.from({ length: expected / perHour }, (_, i) => {
    const first = intervals.find(({ hour }) => hour === i + 1)
    return html`<li>${first && i % 3 === 0 && view.formats.clock(first.startsAt).slice(0, 2)}</li>`
  })
}

function table({ unit, quarters, date }: HourlyDay, intervals: Interval[], view: View): Html {
  const texts = hourTexts[view.language]
  const row = (interval: Interval) =>
    html`<tr><td>${interval.ordinal}</td><td><time datetime="${interval.startsAt}">${clock(interval.startsAt, intervals, view)}</time></td><td>${interval.band}</td><td class="number">${figure(interval.value, view)}</td></tr>\n`
  return html`<div class="scroll tall" tabindex="0" role="region" aria-label="${view.formats.weekday(date)}"><table>
<thead><tr><th scope="col">${quarters ? texts.quarter : texts.hour}</th><th scope="col">${texts.start}</th><th scope="col">${texts.band}</th><th scope="col" class="number">${texts.price}, ${unit}</th></tr></thead>
<tbody>
${intervals.map(row)}</tbody></table></div>`
}
