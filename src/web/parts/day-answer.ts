/** States in a sentence when power is cheapest and dearest: for tomorrow once it is completely published, for today until then. */
import type { HourlyDay } from '../../api/contract/hourly.ts'
import { cheapestWindow, SLOT_SECONDS } from '../../market/cheapest-window.ts'
import { type Html, html } from '../html.ts'
import { hourTexts } from '../i18n/hours.ts'
import type { View } from '../view.ts'
import { clockSpan, type Interval, intervalsOf } from './day-intervals.ts'
import { figureInUnit } from './value.ts'

const CHEAPEST_HOURS = 3
const DEAREST_HOURS = 2
const SLOTS_PER_HOUR = 3_600 / SLOT_SECONDS
/** A mean that differs by a smaller share is shown as the same. */
const SAME_WITHIN = 0.0005

interface RecentDays {
  /** The last day with prices, if neither today nor tomorrow has any. */
  last?: HourlyDay | undefined

  /** The mean of the day before today, or of the day before `last`, if known. */
  yesterdayMean: number | undefined
  today: HourlyDay | undefined
  tomorrow: HourlyDay | undefined
}

export interface CompleteDay {
  day: HourlyDay & { stats: { avg: number } }
  isTomorrow: boolean
}

export function daySummary({ yesterdayMean, last, ...days }: RecentDays, view: View): Html {
  const texts = hourTexts[view.language]
  const found = latestCompleteDay(days)
  if (found === undefined) {
    const day = latestCompleteDay({ today: last, tomorrow: undefined })?.day
    return day ? summaryCard(day, texts.lastDay, { mean: yesterdayMean, day: texts.thanDayBefore }, view) : html``
  }
  return found.isTomorrow
    ? summaryCard(found.day, texts.tomorrow, { mean: days.today?.stats.avg, day: texts.thanToday }, view)
    : summaryCard(found.day, texts.today, { mean: yesterdayMean, day: texts.thanYesterday }, view)
}

/** Returns tomorrow if it is completely published, else today if that is. */
export function latestCompleteDay({
  today,
  tomorrow,
}: Pick<RecentDays, 'today' | 'tomorrow'>): CompleteDay | undefined {
  const isComplete = (day: HourlyDay | undefined): day is CompleteDay['day'] => day?.stats.avg !== undefined
  if (isComplete(tomorrow)) return { day: tomorrow, isTomorrow: true }
  return isComplete(today) ? { day: today, isTomorrow: false } : undefined
}

function summaryCard(
  day: CompleteDay['day'],
  name: string,
  before: { mean: number | undefined; day: string },
  view: View,
): Html {
  const texts = hourTexts[view.language]
  const intervals = intervalsOf(day)
  const inUnit = (value: number) => figureInUnit(value, day.unit, view)
  const span = (label: string, { mean, ...window }: Window) =>
    html`<div><dt>${label}</dt><dd>${clockSpan(window, intervals, view)} <span class="soft">${inUnit(mean)}</span></dd></div>`
  const { cheapest, dearest } = bestWindows(intervals)
  const mean = day.stats.avg
  return html`<section class="card answer"><h2>${name}, ${view.formats.weekday(day.date)}</h2>
<dl class="figures">${cheapest && span(texts.cheapestWindow, cheapest)}
${dearest && span(texts.dearestWindow, dearest)}
<div><dt>${texts.average}</dt><dd>${inUnit(mean)} <span class="soft">${before.mean !== undefined && comparison(mean, before.mean, before.day, day.unit, view)}</span></dd></div></dl></section>`
}

/** Returns the cheapest and the dearest consecutive hours; undefined if all cost the same. */
export function bestWindows(intervals: readonly Interval[]): Record<'cheapest' | 'dearest', Window | undefined> {
  return { cheapest: windowOf(intervals, CHEAPEST_HOURS, 1), dearest: windowOf(intervals, DEAREST_HOURS, -1) }
}

interface Window {
  startsAt: string
  endsAt: string
  mean: number
}

/** `sign` -1 finds the dearest. Undefined if all hours cost the same. */
function windowOf(intervals: readonly Interval[], hours: number, sign: 1 | -1): Window | undefined {
  const seconds = (instant: string) => Date.parse(instant) / 1_000
  const curve = intervals.map(({ startsAt, endsAt, value }) => {
    return { startsAt: seconds(startsAt), endsAt: seconds(endsAt), price: sign * value }
  })
  const found = cheapestWindow(curve, {
    slots: hours * SLOTS_PER_HOUR,
    isContiguous: true,
    from: Number.NEGATIVE_INFINITY,
    until: Number.POSITIVE_INFINITY,
    isAllowed: () => true,
  })
  const [block] = found?.blocks ?? []
  const isFlat = intervals.every(({ value }) => value === intervals[0]?.value)
  if (block === undefined || isFlat) return undefined
  const [first, last] = [intervals[block.first] as Interval, intervals[block.last] as Interval]
  return { startsAt: first.startsAt, endsAt: last.endsAt, mean: sign * block.mean }
}

/** Change from the day before: in percent, or in the unit if the mean of that day is not positive. */
function comparison(mean: number, before: number, day: string, unit: string, view: View): string {
  const texts = hourTexts[view.language]
  const difference = mean - before
  if (Math.abs(difference) <= SAME_WITHIN * Math.abs(before)) return texts.same(day)
  const size =
    before > 0
      ? view.formats.percent(Math.abs(difference) / before)
      : `${view.formats.number(Math.abs(difference))} ${unit}`
  return difference > 0 ? texts.above(size, day) : texts.below(size, day)
}
