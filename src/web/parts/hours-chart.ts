/**
 * Consecutive market days as steps, coloured by price level over a strip of tariff bands. Drawn on the server, so it needs no JavaScript;
 * `client/hours.js` moves the current time and shows the price under the pointer or the keys. Intervals are placed by the time elapsed since
 * the first day began: change days have 23 or 25 hours, 92 or 100 quarters, and missing intervals leave gaps.
 */
import type { HourlyDay } from '../../api/contract/hourly.ts'
import type { HourlyForecast } from '../../api/contract/hourly-forecasts.ts'
import { msToRomeIso, startOfMarketDay } from '../../market/market-day.ts'
import { PRICE_LEVELS, priceLevel } from '../../market/price-level.ts'
import type { ChartData } from '../chart-data.ts'
import { type Html, html } from '../html.ts'
import { hourlyForecastTexts } from '../i18n/hourly-forecasts.ts'
import { hourTexts } from '../i18n/hours.ts'
import type { View } from '../view.ts'
import { chartLinks, registerChartData } from './chart-links.ts'
import { bestWindows } from './day-answer.ts'
import { clock, type Interval, intervalsOf } from './day-intervals.ts'
import { gridLines, HEIGHT, hundredths, tightAxisOf, valueLabels, yScale } from './plot.ts'

const HOUR_MS = 3_600_000
const HOURS_PER_LABEL = 3
/** A label this near to a side, as a share of the width, is written inwards. */
const NEAR_SIDE = 0.05
/** A label of the lowest price this near to the axis, as a share of the height, is written above its line. */
const NEAR_BOTTOM = 0.1

export interface HoursShown {
  /** The day before the first, drawn faintly behind it. */
  before: HourlyDay | undefined
  /** One day, or two in a row. */
  days: readonly HourlyDay[]
  /** Forecast of the next day, until its prices are published. */
  forecast: HourlyForecast['points']
}

export function hoursChart({ before, days, forecast }: HoursShown, now: Temporal.Instant, view: View): Html {
  const texts = hourTexts[view.language]
  const [first] = days
  if (first === undefined) return html``
  const from = startOfMarketDay(Temporal.PlainDate.from(first.date)).epochMilliseconds
  const place = (instant: string) => hundredths((Date.parse(instant) - from) / HOUR_MS)
  const end = Temporal.PlainDate.from(forecast[0]?.date ?? days.at(-1)?.date ?? first.date).add({ days: 1 })
  const width = place(startOfMarketDay(end).toString())
  const drawn = days.map((day) => ({ day, intervals: intervalsOf(day) }))
  const intervals = drawn.flatMap((day) => day.intervals)
  const ghost = before ? ghostOf(intervalsOf(before), drawn[0]?.intervals ?? []) : []
  const axis = tightAxisOf([
    ...[...intervals, ...ghost].map(({ value }) => value),
    ...forecast.flatMap(({ value, p10 = value, p90 = value }) => [value, p10, p90]),
  ])
  const y = yScale(axis)
  const passed = Math.max(0, Math.min(width, place(now.toString())))
  const currentInterval = intervals.find(({ startsAt, endsAt }) => place(startsAt) <= passed && passed < place(endsAt))
  const steps = (of: readonly Pick<Interval, 'startsAt' | 'endsAt' | 'value'>[], name: string) =>
    runsOf(of).map((run) => {
      const points = run.map(
        ({ startsAt, endsAt, value }) => `${place(startsAt)},${y(value)} ${place(endsAt)},${y(value)}`,
      )
      return html`<polyline class="${name}" points="${points.join(' ')}"/>\n`
    })
  const level = (value: number, { stats }: HourlyDay) =>
    stats.avg === undefined ? 'normal' : priceLevel(value, stats.avg)
  const show = (value: number) => `${view.formats.number(value)} ${first.unit}`
  const span = ({ startsAt, endsAt }: Pick<Interval, 'startsAt' | 'endsAt'>, title: string) =>
    html`x="${place(startsAt)}" width="${hundredths(place(endsAt) - place(startsAt))}"><title>${title}</title></rect>\n`
  const label = ({ startsAt, endsAt, value }: Interval, isLowest: boolean) => {
    const x = (place(startsAt) + place(endsAt)) / 2 / width
    const anchor = x < NEAR_SIDE ? 'start' : x > 1 - NEAR_SIDE ? 'end' : 'middle'
    return html`<text x="${percent(x)}" y="${y(value)}%" dy="${isLowest && y(value) < HEIGHT * (1 - NEAR_BOTTOM) ? '1.1em' : '-0.4em'}" text-anchor="${anchor}">${view.formats.number(value, 0)}</text>`
  }
  const cheapest = drawn.flatMap((one) => bestWindows(one.intervals).cheapest ?? [])
  const hourlyTexts = hourlyForecastTexts[view.language]
  return html`<figure class="bars hours" data-from="${from}" data-hours="${width}">
<p class="soft small">${first.unit}${axis.low > 0 && html`, ${texts.scaleStarts(view.formats.number(axis.low, 0))}`}</p>
${valueLabels(axis, view)}
<svg viewBox="0 0 ${width} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${drawn.map(({ day: { date, stats } }) => texts.chart(view.formats.weekday(date), show(stats.min), show(stats.max))).join(' ')}">
${gridLines(axis, width)}${[
  ...drawn.slice(1).map(({ day }) => day.date),
  ...forecast.slice(0, 1).map(({ date }) => date),
].map((date) => {
  const start = place(startOfMarketDay(Temporal.PlainDate.from(date)).toString())
  return html`<line x1="${start}" x2="${start}" y1="0" y2="${HEIGHT}"/>`
})}
${forecast.map((point) => html`<rect class="band" y="${y(point.p90 ?? point.value)}" height="${hundredths(y(point.p10 ?? point.value) - y(point.p90 ?? point.value))}" ${span(hourOf(point), `${clock(point.starts_at, [], view)}: ${show(point.value)}, ${hourlyTexts.kinds.forecast}`)}`)}${steps(ghost, 'ghost')}${steps(forecast.map(hourOf), 'median')}${steps(intervals, 'run')}${drawn.flatMap(
  ({ day, intervals: ofDay }) =>
    ofDay.map(
      (one) =>
        html`<line class="${level(one.value, day)}" x1="${place(one.startsAt)}" x2="${place(one.endsAt)}" y1="${y(one.value)}" y2="${y(one.value)}"/><rect class="slot" y="0" height="${HEIGHT}" ${span(one, `${drawn.length > 1 ? `${view.formats.shortDay(day.date)} ` : ''}${clock(one.startsAt, ofDay, view)}: ${show(one.value)}, ${texts.levels[level(one.value, day)]}, ${one.band}`)}`,
    ),
)}<rect class="past" x="0" y="0" width="${passed}" height="${HEIGHT}"/>
</svg>
<svg class="marks" aria-hidden="true">${drawn.map(({ intervals: ofDay }) => {
    const sorted = ofDay.toSorted((a, b) => a.value - b.value)
    const [least, most] = [sorted[0], sorted.at(-1)]
    return html`${least && label(least, true)}${most && most !== least && label(most, false)}`
  })}<circle class="now" r="5" cx="${percent(passed / width)}" cy="${currentInterval ? y(currentInterval.value) : 0}%"${!currentInterval && html` display="none"`}/></svg>
<svg class="strip" shape-rendering="crispEdges" viewBox="0 0 ${width} 1" preserveAspectRatio="none" aria-hidden="true">${intervals.map((one) => html`<rect class="${one.band.toLowerCase()}" y="0" height="1" x="${place(one.startsAt)}" width="${hundredths(place(one.endsAt) - place(one.startsAt))}"/>`)}</svg>
<svg class="brackets" viewBox="0 0 ${width} 1" preserveAspectRatio="none" aria-hidden="true">${cheapest.map(({ startsAt, endsAt }) => html`<polyline class="bracket" points="${place(startsAt)},0 ${place(startsAt)},1 ${place(endsAt)},1 ${place(endsAt)},0"/>`)}</svg>
<svg class="x" aria-hidden="true">${clockLabels(from, width, view)}</svg>
<figcaption class="key">${PRICE_LEVELS.map((one) => html`<span class="swatch ${one}">${texts.levels[one]}</span>`)}${ghost.length > 0 && html`<span class="swatch ghost">${texts.dayBefore}</span>`}${forecast.length > 0 && html`<span class="swatch median">${hourlyTexts.median}</span><span class="swatch band">${hourlyTexts.band}</span>`}${(['F1', 'F2', 'F3'] as const).map((band) => html`<span class="swatch ${band.toLowerCase()}">${band}</span>`)}${cheapest.length > 0 && html`<span class="swatch bracket">${texts.cheapestWindow}</span>`}</figcaption>
${chartLinks(registerChartData(dataOf(days, intervals, forecast, view), view), view)}
</figure>`
}

function dataOf(
  days: readonly HourlyDay[],
  intervals: readonly Interval[],
  forecast: HoursShown['forecast'],
  view: View,
): ChartData {
  const unit = days[0]?.unit ?? ''
  return {
    ...{ name: 'hours', title: hourTexts[view.language].hourly, at: 'starts_at' },
    columns: [{ label: 'band' }, ...['price', 'p10', 'median', 'p90'].map((label) => ({ label, unit }))],
    rows: [
      ...intervals.map(({ startsAt, band, value }) => ({ at: startsAt, values: [band, value] })),
      ...forecast.map(({ starts_at: at, p10, value, p90 }) => ({
        at,
        values: [undefined, undefined, p10, value, p90],
      })),
    ],
    source: [...new Set(days.map(({ source }) => source))].join('; '),
  }
}

function hourOf({ starts_at: startsAt, ends_at: endsAt, value }: HourlyForecast['points'][number]) {
  return { startsAt, endsAt, value }
}

/** Moves the values of the previous day to the intervals of the day with the same clock time. */
function ghostOf(before: readonly Interval[], day: readonly Interval[]): Interval[] {
  const clockOf = ({ startsAt }: Interval) => startsAt.slice(11, 16)
  const values = new Map(before.map((interval) => [clockOf(interval), interval.value]))
  return day.flatMap((interval) => {
    const value = values.get(clockOf(interval))
    return value === undefined ? [] : [{ ...interval, value }]
  })
}

/** Groups intervals into runs without a gap. */
function runsOf<T extends Pick<Interval, 'startsAt' | 'endsAt'>>(intervals: readonly T[]): T[][] {
  const runs: T[][] = []
  for (const interval of intervals) {
    const run = runs.at(-1)
    if (run?.at(-1)?.endsAt === interval.startsAt) run.push(interval)
    else runs.push([interval])
  }
  return runs
}

/** Labels every third clock hour, or every sixth on a phone. */
function clockLabels(from: number, width: number, view: View): Html[] {
  return Array.from({ length: Math.floor(width) + 1 }, (_, hour) => {
    const text = view.formats.clock(msToRomeIso(from + hour * HOUR_MS)).slice(0, 2)
    if (Number(text) % HOURS_PER_LABEL !== 0) return html``
    const anchor = hour === 0 ? 'start' : hour === width ? 'end' : 'middle'
    return html`<text${Number(text) % (2 * HOURS_PER_LABEL) !== 0 && html` class="minor"`} x="${percent(hour / width)}" y="1em" text-anchor="${anchor}">${text}</text>`
  })
}

function percent(share: number): string {
  return `${hundredths(share * 100)}%`
}
