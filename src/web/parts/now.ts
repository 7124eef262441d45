/** The first section of the home page: the price of the current quarter-hour, and the cheapest window of a given number of hours. */
import type { CheapestWindowReply } from '../../api/contract/cheapest-window.ts'
import { ApiError } from '../../api/contract/errors.ts'
import type { HourlyDay } from '../../api/contract/hourly.ts'
import { getCheapestWindow } from '../../api/endpoints/tools/get-cheapest-window.ts'
import type { MarketDay } from '../../market/market-day.ts'
import { priceLevel } from '../../market/price-level.ts'
import { STORED_ZONES, type ZoneCode } from '../../market/zones.ts'
import { type Html, html } from '../html.ts'
import { hourTexts, zoneName } from '../i18n/hours.ts'
import type { AskEndpoint } from '../page.ts'
import type { View } from '../view.ts'
import { option, zoneOptions } from './choices.ts'
import { CLOCK_HOURS, clock, clockSpan, type Interval, intervalsOf } from './day-intervals.ts'
import { figureInUnit } from './value.ts'

export const WINDOW_HOURS = ['1', '2', '3', '4', '5', '6', '8'] as const
export const DEADLINES = ['any', ...CLOCK_HOURS.map((hour) => `${hour}:00`)]

/** Empty if the interval has no price. `client/tomorrow.js` reloads the section when the interval is over. */
export function currentPrice(day: HourlyDay | undefined, now: Temporal.Instant, view: View): Html {
  const intervals = day ? intervalsOf(day) : []
  const at = intervals.findIndex(
    ({ startsAt, endsAt }) =>
      Date.parse(startsAt) <= now.epochMilliseconds && now.epochMilliseconds < Date.parse(endsAt),
  )
  const current = intervals[at]
  if (day === undefined || current === undefined) return html`<section id="now" hidden></section>`
  const texts = hourTexts[view.language]
  const { avg } = day.stats
  const levelOf = (value: number) => (avg === undefined ? undefined : priceLevel(value, avg))
  const level = levelOf(current.value)
  const end = intervals.slice(at).findIndex(({ value }) => levelOf(value) !== level)
  const last = intervals[end === -1 ? intervals.length - 1 : at + end - 1] ?? current
  return html`<section class="card answer present" id="now" data-until="${current.endsAt}"><h2>${texts.now}, ${clockSpan(current, intervals, view)}, ${zoneName(day.zone, view.language)}</h2>
<button class="button" id="unit" type="button">${texts.showIn} ${eitherUnit(html`€/MWh`, html`c€/kWh`)}</button>
<p class="price">${inBothUnits(current.value, view)}</p>
<p>${level && html`<strong class="level ${level}">${texts.levels[level]}</strong> ${texts.until(clock(last.endsAt, intervals, view))}`}</p>
<p class="soft small">${texts.wholesale}. <a href="${view.href('/bands')}">${texts.onBill}</a></p></section>`
}

/** Renders a price in €/MWh in both units: €/MWh and c€/kWh. */
function inBothUnits(price: number, view: View): Html {
  const shown = (value: number, unit: string) => figureInUnit(value, unit, view)
  return eitherUnit(shown(Number((price / 10).toFixed(6)), 'c€/kWh'), shown(price, '€/MWh'))
}

/** CSS shows one of the two; `client/theme.js` stores the choice. */
function eitherUnit(kwh: Html, mwh: Html): Html {
  return html`<span class="kwh">${kwh}</span><span class="mwh">${mwh}</span>`
}

export interface WindowRequest {
  hours: (typeof WINDOW_HOURS)[number]
  /** One of `DEADLINES`, in Rome time. */
  before: string
  zone: ZoneCode
}

/** Undefined if the published prices contain no such window. */
export async function fetchCheapestWindow(
  ask: AskEndpoint,
  request: WindowRequest,
): Promise<CheapestWindowReply | undefined> {
  const { hours, before, zone } = request
  try {
    return await ask<CheapestWindowReply>(getCheapestWindow, {
      query: { hours, zone, ...(before !== 'any' && { deadline: before }) },
    })
  } catch (err) {
    if (err instanceof ApiError && ['no_data', 'not_found', 'invalid_parameter'].includes(err.code)) return undefined
    throw err
  }
}

/** A form that updates its result on input (`client/live.js`), and works without JavaScript. */
export function windowForm(
  chosenWindow: WindowRequest,
  { found, today, intervals }: { found: CheapestWindowReply | undefined; today: MarketDay; intervals: Interval[] },
  view: View,
): Html {
  const texts = hourTexts[view.language]
  const field = (id: string, label: string, input: Html) =>
    html`<span><label for="${id}">${label}</label> ${input}</span>`
  return html`<section class="card answer present"><h2>${texts.cheapestNext}</h2>
<form class="fields" id="fields" method="get" action="${view.href('/')}" data-live="window now">
${field('lasting', texts.lasting, html`<select id="lasting" name="hours">${WINDOW_HOURS.map((hours) => option(hours, texts.countHours(Number(hours)), hours === chosenWindow.hours))}</select>`)}
${field('before', texts.before, html`<select id="before" name="before">${DEADLINES.map((time) => option(time, time === 'any' ? texts.anyTime : time, time === chosenWindow.before))}</select>`)}
${field('zone', texts.zone, html`<select id="zone" name="zone">${zoneOptions(STORED_ZONES, chosenWindow.zone, view)}</select>`)}
<button>${texts.find}</button></form>
<div id="window" role="status">${found ? windowResult(found, { today, intervals }, view) : html`<p class="soft">${texts.noWindow}</p>`}</div></section>`
}

function windowResult(
  { starts_at: startsAt, ends_at: endsAt, mean, now }: CheapestWindowReply,
  { today, intervals }: { today: MarketDay; intervals: Interval[] },
  view: View,
): Html {
  const texts = hourTexts[view.language]
  const day = startsAt.slice(0, 10) === today.toString() ? texts.today : texts.tomorrow
  const saving = now?.saves_pct ?? 0
  // The other cards of the page choose among whole hours.
  const isFiner = !startsAt.startsWith(':00', 13)
  return html`<p class="price">${day}, ${clockSpan({ startsAt, endsAt }, intervals, view)}</p>
<p>${inBothUnits(mean, view)}${isFiner && ` (${texts.toQuarter})`}${saving >= 1 && html`, ${texts.lessThanNow(view.formats.percent(saving / 100, 0))}`}</p>`
}
