import * as z from 'zod'
import { hourlyZone } from '../../api/contract/hourly.ts'
import type { HourlyForecast, HourlyTrackRecord } from '../../api/contract/hourly-forecasts.ts'
import { BASE_PATH } from '../../api/contract/identity.ts'
import { lastDayOfPrices } from '../../api/endpoints/current-price.ts'
import { onBestBasis } from '../../api/endpoints/forecast/best-basis.ts'
import { getHourlyForecast } from '../../api/endpoints/forecast/get-hourly-forecast.ts'
import { getTrackRecord } from '../../api/endpoints/forecast/get-track-record.ts'
import { METHODOLOGY_PATH } from '../../api/endpoints/forecast/present.ts'
import { DAYS_AHEAD_MAX } from '../../market/forecast-scope.ts'
import { NATIONAL_ZONE, STORED_ZONES, type ZoneCode } from '../../market/zones.ts'
import { undefinedIfNotFound } from '../ask-endpoints.ts'
import { type Html, html } from '../html.ts'
import { hourlyForecastTexts } from '../i18n/hourly-forecasts.ts'
import { zoneNames } from '../i18n/hours.ts'
import { page } from '../page.ts'
import { hourAccuracy } from '../parts/accuracy-sections.ts'
import { choice } from '../parts/choices.ts'
import { clock } from '../parts/day-intervals.ts'
import { axisOf, HEIGHT, plot, yScale } from '../parts/plot.ts'
import { endNotice, forecastStart, priceEnds } from '../parts/price-end.ts'
import { isSynthetic } from '../parts/provenance.ts'
import { figure, timeElement } from '../parts/value.ts'
import type { View } from '../view.ts'

const DAYS = ['1', '3', '7'] as const
const RECORD_DAYS = 30
/** Days from which the errors by hour are computed. */
const ACCURACY_DAYS = 90
const query = z.object({ zone: hourlyZone.default(NATIONAL_ZONE), days: z.enum(DAYS).default('7') })
type Query = z.output<typeof query>

/** `/forecasts/hours`: published and forecast hours of a zone, and the accuracy of such forecasts. */
export const hourlyForecastsPage = page({
  path: '/forecasts/hours',
  query,
  async render({ query, ask, service, today, view }) {
    const texts = hourlyForecastTexts[view.language]
    const { zone, days } = query
    const end = await lastDayOfPrices(service.prices, 'PUN', today)
    const span = { from: end.subtract({ days: RECORD_DAYS - 1 }).toString(), to: end.toString() }
    const [ends, forecast, record] = await Promise.all([
      priceEnds(['PUN'], service, today),
      undefinedIfNotFound(ask<HourlyForecast>(getHourlyForecast, { path: { asset: 'pun' }, query: { zone, days } })),
      ask<HourlyTrackRecord>(getTrackRecord, { query: { granularity: 'hour', zone, ...span } }),
    ])
    const { chain } = record.ledger
    const shortest = { horizonDays: undefined, issue: undefined }
    const quarter = { from: end.subtract({ days: ACCURACY_DAYS }), to: end.add({ days: DAYS_AHEAD_MAX }), ...shortest }
    const scored = await onBestBasis(
      (basis) => service.hourlyForecasts.scored(chain, zone, quarter, basis),
      (rows) => rows.length,
    )
    return {
      title: texts.title,
      description: texts.description,
      section: 'forecasts',
      synthetic: isSynthetic(forecast?.source) || chain === 'sample',
      main: html`<p class="lead">${texts.lead}</p>
${endNotice(ends, view)}
<p><a href="${view.href(METHODOLOGY_PATH)}">${texts.methodology}</a></p>
${choices(query, view)}
${forecast === undefined ? html`<p class="${ends.length === 0 ? 'notice' : 'soft'}">${texts.none}</p>` : forecastSection(forecast, view)}
<h2>${texts.record}</h2>
${recordSummary(record, view)}
${hourAccuracy(scored.found, scored.basis, view)}
<p>${texts.links} <a href="${recordAddress(zone, span, 'json')}">JSON</a> · <a href="${recordAddress(zone, span, 'csv')}">CSV</a></p>`,
    }
  },
})

function recordAddress(zone: ZoneCode, span: Record<string, string>, format: string): string {
  return `${BASE_PATH}/forecast/track-record?${new URLSearchParams({ granularity: 'hour', zone, ...span, format })}`
}

function choices(query: Query, view: View): Html {
  const texts = hourlyForecastTexts[view.language]
  const addressOf = (changed: Query) => view.href(`/forecasts/hours?${new URLSearchParams(changed)}`)
  const nameOf = (zone: ZoneCode) => (zone === NATIONAL_ZONE ? texts.national : zoneNames[view.language][zone])
  const days = { label: texts.days, values: DAYS, show: (count: string) => texts.dayCount(Number(count)) }
  return html`${choice('zone', { label: texts.zone, values: STORED_ZONES, show: nameOf }, query, addressOf)}
${choice('days', days, query, addressOf)}`
}

function forecastSection(forecast: HourlyForecast, view: View): Html {
  const texts = hourlyForecastTexts[view.language]
  const { formats } = view
  const row = ({ date, mean, model, inputs }: HourlyForecast['days'][number]) =>
    html`<tr><td>${timeElement(date, formats.dayOfWeek(date))}</td><td class="number">${figure(mean, view)}</td><td><code>${model}</code></td><td>${texts.steps[inputs]}</td></tr>\n`
  const { basis, info_date: infoDate, days } = forecast
  return html`<p>${texts[basis === 'live' ? 'issued' : 'computed'](formats.instant(forecast.generated_at), texts.issues[forecast.issue], formats.day(infoDate))}</p>
${days[0] && forecastStart({ basis, first: days[0].date, infoDate }, view)}
${hoursFan(forecast, view)}
<h2>${texts.basis}</h2>
<div class="scroll card" tabindex="0" role="region" aria-label="${texts.basis}"><table>
<thead><tr><th scope="col">${texts.day}</th><th scope="col" class="number">${texts.mean}, ${forecast.unit}</th><th scope="col">${texts.model}</th><th scope="col">${texts.inputs}</th></tr></thead>
<tbody>
${days.map(row)}</tbody></table></div>`
}

function recordSummary({ summary }: HourlyTrackRecord, view: View): Html {
  const texts = hourlyForecastTexts[view.language]
  if (summary === undefined) return html`<p class="soft">${texts.noRecord}</p>`
  const { mae, coverage_80: coverage, n } = summary
  return html`<p>${texts.recordOf(view.formats.number(mae), view.formats.percent(coverage, 0), n)}</p>`
}

type Point = HourlyForecast['points'][number]

/**
 * Fan chart of future hours: published prices as a line, then the median in its band. Drawn on the server, so it needs no JavaScript.
 * Points are placed by their index in the series, so that days of 23 and 25 hours need no special case.
 */
function hoursFan({ points, unit, source }: HourlyForecast, view: View): Html {
  const texts = hourlyForecastTexts[view.language]
  const axis = axisOf(points.flatMap(({ value, p10 = value, p90 = value }) => [value, p10, p90]))
  const y = yScale(axis)
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
  const drawn = html`${dayStarts(points).map((start) => html`<line x1="${start}" x2="${start}" y1="0" y2="${HEIGHT}"/>`)}
<polygon class="band" points="${band.join(' ')}"/>
<polyline class="published" points="${line(
    0,
    points.slice(0, begins).map(({ value }) => value),
  ).join(' ')}"/>
<polyline class="median" points="${line(
    begins,
    ahead.map(({ value }) => value),
  ).join(' ')}"/>`
  const labels = [...new Set(points.map(({ date }) => date))].map((date) => view.formats.shortDay(date))
  const key = (['published', 'median', 'band'] as const).map((tone) => ({ tone, label: texts[tone] }))
  return plot(
    {
      ...{ unit, label, axis, width: points.length, drawn, labels, key, table: pointsTable(points, unit, view) },
      data: {
        ...{ name: 'hours', at: 'starts_at', source },
        columns: [{ label: 'price' }, ...['p10', 'value', 'p90'].map((name) => ({ label: name, unit }))],
        rows: points.map(({ starts_at: at, price, p10, value, p90 }) => ({ at, values: [price, p10, value, p90] })),
      },
    },
    view,
  )
}

/** Returns the index of the first point of each day except the first. */
function dayStarts(points: readonly Point[]): number[] {
  return points.flatMap(({ date }, i) => (i > 0 && date !== points[i - 1]?.date ? [i] : []))
}

function pointsTable(points: readonly Point[], unit: string, view: View): Html {
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
