/** Today's and tomorrow's PUN by the hour or the quarter-hour: both days in one chart, then the figures and the table of each. */
import type { HourlyDay } from '../../api/contract/hourly.ts'
import type { HourlyForecast } from '../../api/contract/hourly-forecasts.ts'
import { getPunHourly } from '../../api/endpoints/pun/get-pun-hourly.ts'
import type { MarketDay } from '../../market/market-day.ts'
import { NATIONAL_ZONE, type ZoneCode } from '../../market/zones.ts'
import { momentToInstant } from '../../publishers/schedule.ts'
import { defaultSourceFor } from '../../publishers/sources.ts'
import { undefinedIfNotFound } from '../ask-endpoints.ts'
import { DAYS_PATH } from '../days/routes.ts'
import { type Html, html } from '../html.ts'
import { hourTexts } from '../i18n/hours.ts'
import { priceTexts } from '../i18n/indices.ts'
import type { AskEndpoint } from '../page.ts'
import type { View } from '../view.ts'
import { buttonLink } from './choices.ts'
import { clock, clockSpan, type Interval, intervalsOf } from './day-intervals.ts'
import { hoursChart } from './hours-chart.ts'
import { figure, figureEntry, figureInUnit } from './value.ts'

export const DETAILS = ['hour', 'quarter'] as const
export type Detail = (typeof DETAILS)[number]

export interface DayOfHours {
  day: MarketDay
  /** Undefined if nothing is published. */
  prices: HourlyDay | undefined
  /** Quarter-hours were requested, but the day has hours only. */
  hoursOnly: boolean
}

export async function fetchHours(
  ask: AskEndpoint,
  day: MarketDay,
  detail: Detail,
  zone: ZoneCode = NATIONAL_ZONE,
): Promise<DayOfHours> {
  const find = (granularity: Detail) =>
    undefinedIfNotFound(ask<HourlyDay>(getPunHourly, { query: { date: day.toString(), granularity, zone } }))
  const found = await find(detail)
  if (found !== undefined || detail === 'hour') return { day, prices: found, hoursOnly: false }
  const hours = await find('hour')
  return { day, prices: hours, hoursOnly: hours !== undefined }
}

export interface HomeHours {
  /** The day before the first that is shown. */
  before: DayOfHours
  today: DayOfHours
  tomorrow: DayOfHours
  /** The last day with prices, if neither today nor tomorrow has any. */
  last: DayOfHours | undefined
  /** Forecast of tomorrow, until it has prices. */
  forecast: HourlyForecast['points']
  detail: Detail
  /** Shown below tomorrow, where there is space until tomorrow is published. */
  belowTomorrow: Html
}

export function hoursSection(shown: HomeHours, now: Temporal.Instant, view: View): Html {
  const { before, today, tomorrow, last, forecast, detail, belowTomorrow } = shown
  const texts = hourTexts[view.language]
  const days = (last ? [last] : [today, tomorrow]).flatMap(({ prices }) => prices ?? [])
  return html`<div class="choice heading"><h2 id="hours">${detail === 'hour' ? texts.hourly : texts.quarters}</h2>
<ul class="buttons" aria-label="${texts.detail}">${buttonLink(view.href('/#hours'), texts.showHours, detail === 'hour')}${buttonLink(view.href('/?detail=quarter#hours'), texts.showQuarters, detail === 'quarter')}</ul></div>
${days.length > 0 && html`<div class="card">${hoursChart({ before: before.prices, days, forecast }, now, view)}</div>`}
<div class="${last ? 'stack' : 'split'} days">${last ? dayCard(texts.lastDay, last, '', view) : dayCard(texts.today, today, texts.late, view)}
<div class="stack"${tomorrow.prices === undefined && html` data-awaits="${tomorrow.day.toString()}"`} data-events="${DAYS_PATH}" data-today="${today.day.toString()}">${!last && dayCard(texts.tomorrow, tomorrow, whyNotYet(tomorrow.day, now, view), view)}
${belowTomorrow}</div></div>`
}

/** Says when prices are published, or that they are late. */
function whyNotYet(day: MarketDay, now: Temporal.Instant, view: View): Html {
  const texts = hourTexts[view.language]
  const { publishes, lateAt } = defaultSourceFor('PUN')
  return Temporal.Instant.compare(now, momentToInstant(day, lateAt)) < 0
    ? html`${texts.notYet(publishes.time)}`
    : html`${texts.overdue(publishes.time)} <a href="${view.href('/status')}">${priceTexts[view.language].whenNext}</a>`
}

function dayCard(name: string, { day, prices, hoursOnly }: DayOfHours, whyMissing: string | Html, view: View): Html {
  return html`<section class="card"><h3>${name}, ${view.formats.weekday(day.toString())}</h3>
${hoursOnly && html`<p class="soft small">${hourTexts[view.language].hoursOnly}</p>`}
${prices ? dayFacts(prices, view) : html`<p class="soft">${whyMissing}</p>`}</section>`
}

function dayFacts(day: HourlyDay, view: View): Html {
  const texts = hourTexts[view.language]
  const intervals = intervalsOf(day)
  const hours = day.quarters ? day.expected / 4 : day.expected
  const { stats, cheapest_hours: cheapest, unit } = day
  const inUnit = (value: number) => figureInUnit(value, unit, view)
  return html`${hours !== 24 && html`<p class="soft small">${texts.changeDay(hours)}</p>`}
${day.count < day.expected && html`<p class="mark small">${texts.partial(day.count, day.expected)}</p>`}
<dl class="figures">
${stats.avg !== undefined && figureEntry(texts.average, inUnit(stats.avg))}${figureEntry(texts.lowest, inUnit(stats.min))}${figureEntry(texts.highest, inUnit(stats.max))}${figureEntry(texts.cheapest, html`${mergedHours(cheapest, intervals, view).join(', ')}`)}</dl>
<details><summary>${texts.table}</summary>${table(day, intervals, view)}</details>`
}

/** Merges consecutive hours: `12:00–14:00, 16:00–17:00`. */
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

function table({ unit, quarters, date }: HourlyDay, intervals: readonly Interval[], view: View): Html {
  const texts = hourTexts[view.language]
  const row = (interval: Interval) =>
    html`<tr><td>${interval.ordinal}</td><td><time datetime="${interval.startsAt}">${clock(interval.startsAt, intervals, view)}</time></td><td>${interval.band}</td><td class="number">${figure(interval.value, view)}</td></tr>\n`
  return html`<div class="scroll tall" tabindex="0" role="region" aria-label="${view.formats.weekday(date)}"><table>
<thead><tr><th scope="col">${quarters ? texts.quarter : texts.hour}</th><th scope="col">${texts.start}</th><th scope="col">${texts.band}</th><th scope="col" class="number">${texts.price}, ${unit}</th></tr></thead>
<tbody>
${intervals.map(row)}</tbody></table></div>
<p class="soft small">${Object.values(texts.bands).join('; ')}.</p>`
}
