/** Today's and tomorrow's PUN by the hour or the quarter-hour. */
import type { HourlyDay } from '../../api/contract/hourly.ts'
import { getPunHourly } from '../../api/endpoints/pun/get-pun-hourly.ts'
import type { MarketDay } from '../../market/market-day.ts'
import { defaultSourceFor } from '../../publishers/sources.ts'
import { DAYS_PATH } from '../days/routes.ts'
import { type Html, html } from '../html.ts'
import { hourTexts } from '../i18n/hours.ts'
import type { AskEndpoint } from '../page.ts'
import type { View } from '../view.ts'
import { hoursChart } from './hours-chart.ts'
import { undefinedIfNotFound } from './undefined-if-not-found.ts'

export const DETAILS = ['hour', 'quarter'] as const
export type Detail = (typeof DETAILS)[number]

export interface DayOfHours {
  day: MarketDay
  /** Undefined where nothing is published. */
  prices: HourlyDay | undefined
  /** Quarter-hours were requested, but the day has hours only. */
  hoursOnly: boolean
}

export async function askHours(ask: AskEndpoint, day: MarketDay, detail: Detail): Promise<DayOfHours> {
  const find = (granularity: Detail) =>
    undefinedIfNotFound(ask<HourlyDay>(getPunHourly, { query: { date: day.toString(), granularity } }))
  const asked = await find(detail)
  if (asked !== undefined || detail === 'hour') return { day, prices: asked, hoursOnly: false }
  const hours = await find('hour')
  return { day, prices: hours, hoursOnly: hours !== undefined }
}

interface HoursShown {
  today: DayOfHours
  tomorrow: DayOfHours
  /** Where neither has prices: the last day that has. */
  last: DayOfHours | undefined
  detail: Detail
  /** Shown under tomorrow, which has space until it is published. */
  beside: Html
}

export function hoursSection({ today, tomorrow, last, detail, beside }: HoursShown, view: View): Html {
  const texts = hourTexts[view.language]
  const choice = (value: Detail, text: string, address: string) =>
    html`<li><a class="button" href="${view.href(address)}"${value === detail && html` aria-current="true"`}>${text}</a></li>`
  return html`<div class="choice heading"><h2 id="hours">${detail === 'hour' ? texts.hourly : texts.quarters}</h2>
<ul class="buttons" aria-label="${texts.detail}">${choice('hour', texts.showHours, '/#hours')}${choice('quarter', texts.showQuarters, '/?detail=quarter#hours')}</ul></div>
<div${!last && html` class="split"`}>${last ? dayCard(texts.lastDay, last, '', view) : dayCard(texts.today, today, texts.late, view)}
<div class="stack"${tomorrow.prices === undefined && html` data-awaits="${tomorrow.day.toString()}"`} data-events="${DAYS_PATH}" data-today="${today.day.toString()}">${!last && dayCard(texts.tomorrow, tomorrow, texts.notYet(defaultSourceFor('PUN').publishes.time), view)}
${beside}</div></div>`
}

function dayCard(name: string, { day, prices, hoursOnly }: DayOfHours, whyMissing: string, view: View): Html {
  return html`<section class="card"><h3>${name}, ${view.formats.weekday(day.toString())}</h3>
${hoursOnly && html`<p class="soft small">${hourTexts[view.language].hoursOnly}</p>`}
${prices ? hoursChart(prices, view) : html`<p class="soft">${whyMissing}</p>`}</section>`
}
