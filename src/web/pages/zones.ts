import * as z from 'zod'
import type { HourlyDay } from '../../api/contract/hourly.ts'
import { marketDay } from '../../api/contract/parameters.ts'
import { getPunHourly } from '../../api/endpoints/pun/get-pun-hourly.ts'
import { ALL_MARKET_ZONES, NATIONAL_ZONE } from '../../market/zones.ts'
import { undefinedIfNotFound } from '../ask-endpoints.ts'
import { type Html, html } from '../html.ts'
import { hourTexts } from '../i18n/hours.ts'
import { sourceNameIn } from '../i18n/sources.ts'
import { zoneMapTexts } from '../i18n/zone-map.ts'
import { type AskEndpoint, page } from '../page.ts'
import { option } from '../parts/choices.ts'
import { clockSpan, intervalsOf } from '../parts/day-intervals.ts'
import { ageMark, endNotice, priceEnds } from '../parts/price-end.ts'
import { isSynthetic } from '../parts/provenance.ts'
import { stepButtons } from '../parts/step-buttons.ts'
import { type MapShown, WHOLE_DAY, zoneHours, zoneMap } from '../parts/zone-map.ts'
import type { View } from '../view.ts'

const PATH = '/zones'
const MEASURES = ['difference', 'price'] as const

/** `/zones`: the market zones of a day on a map, hour by hour, and their table. */
export const zonesPage = page({
  path: PATH,
  query: z.object({
    date: marketDay.optional(),
    hour: z.union([z.literal('day'), z.coerce.number().int().min(1).max(25)]).default(WHOLE_DAY),
    show: z.enum(MEASURES).default('difference'),
  }),
  async render({ query, ask, service, view, today }) {
    const texts = zoneMapTexts[view.language]
    const latest = await undefinedIfNotFound(ask<HourlyDay>(getPunHourly))
    const ends = await priceEnds(['PUN'], service, today)
    const date = query.date?.toString() ?? latest?.date ?? today.toString()
    const days = await zonesOf(date, ask)
    const [national] = days
    const hour = query.hour === WHOLE_DAY ? WHOLE_DAY : Math.min(query.hour, national?.expected ?? 24)
    const age = query.date === undefined && national ? ageMark('PUN', national.date, today, view) : html``
    const shown: MapShown = { days, hour, measure: query.show, age }
    return {
      title: texts.title,
      description: texts.lead,
      section: 'pun',
      synthetic: isSynthetic(national?.source),
      scripts: ['zones.js'],
      main: html`<p class="lead">${texts.lead}</p>
${endNotice(ends, view)}
${
  national === undefined
    ? html`${choice(date, latest?.date, undefined, shown, view)}<p class="soft">${texts.none}</p>`
    : html`${choice(date, latest?.date, national, shown, view)}
<div class="split zones"><section>${zoneMap(shown, view)}</section>
<section>${zoneHours(shown, view)}</section></div>
<p class="soft small">${texts.source}: ${sourceNameIn(view.language, national.source)}. ${texts.map}</p>`
}`,
    }
  },
})

/** Returns the PUN first; empty if no PUN is published. */
async function zonesOf(date: string, ask: AskEndpoint): Promise<HourlyDay[]> {
  const days = await Promise.all(
    [NATIONAL_ZONE, ...ALL_MARKET_ZONES].map((zone) =>
      undefinedIfNotFound(ask<HourlyDay>(getPunHourly, { query: { zone, date } })),
    ),
  )
  return days[0] === undefined ? [] : days.filter((day) => day !== undefined)
}

function choice(
  date: string,
  latest: string | undefined,
  national: HourlyDay | undefined,
  { hour, measure }: MapShown,
  view: View,
): Html {
  const texts = zoneMapTexts[view.language]
  const intervals = national ? intervalsOf(national) : []
  const day = Temporal.PlainDate.from(date)
  const [dayBefore, after] = [day.subtract({ days: 1 }).toString(), day.add({ days: 1 }).toString()]
  const before = latest !== undefined && latest < dayBefore ? latest : dayBefore
  const steps = [
    { value: before, label: `← ${view.formats.shortDay(before)}` },
    ...(latest !== undefined && after <= latest ? [{ value: after, label: `${view.formats.shortDay(after)} →` }] : []),
  ]
  return html`<form class="row" id="map-settings" method="get" action="${view.href(PATH)}">
<div class="field"><label for="date">${texts.day}</label><input id="date" name="date" type="date" required value="${date}"></div>
<div class="field"><label for="hour">${hourTexts[view.language].hour}</label><select id="hour" name="hour">${option(WHOLE_DAY, texts.wholeDay, hour === WHOLE_DAY)}${intervals.map((interval) => option(interval.ordinal, clockSpan(interval, intervals, view), hour === interval.ordinal))}</select></div>
<div class="field"><label for="show">${texts.measure}</label><select id="show" name="show">${MEASURES.map((one) => option(one, texts.measures[one], one === measure))}</select></div>
<button class="primary">${texts.show}</button>
</form>
${stepButtons(view.href(PATH), 'date', steps, { hour, show: measure })}`
}
