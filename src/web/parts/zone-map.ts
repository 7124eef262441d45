/**
 * The zones of a day on a map of Italy and as a table of zones by hour. Both work without JavaScript; `client/zones.js` steps the map
 * through the hours, using the figures of the table.
 */

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { HourlyDay } from '../../api/contract/hourly.ts'
import type { MarketZone, ZoneCode } from '../../market/zones.ts'
import { type Html, html } from '../html.ts'
import { zoneName, zoneNames } from '../i18n/hours.ts'
import { zoneMapTexts } from '../i18n/zone-map.ts'
import type { View } from '../view.ts'
import { chartLinks, registerChartData } from './chart-links.ts'
import { clock, clockSpan, intervalsOf } from './day-intervals.ts'
import { figure, signedFigure } from './value.ts'

export const WHOLE_DAY = 'day'

export interface MapShown {
  /** The PUN first. */
  days: readonly HourlyDay[]
  /** The market hour, or the mean of the day. */
  hour: number | typeof WHOLE_DAY
  measure: 'difference' | 'price'
  /** States how old the day is, if its prices should be newer. */
  age: Html
}

export function zoneMap({ days, hour, measure, age }: MapShown, view: View): Html {
  const texts = zoneMapTexts[view.language]
  const national = priceOf(days[0], hour)
  const day = view.formats.weekday(days[0]?.date ?? '')
  const shapes = ZONE_SHAPES.map(({ code, path, label }) => {
    const price = priceOf(find(days, code), hour)
    const difference = price === undefined || national === undefined ? undefined : price - national
    const value = measure === 'price' ? price : difference
    const text =
      value === undefined ? '–' : measure === 'price' ? view.formats.number(value) : view.formats.signed(value)
    return {
      shape: html`<path data-zone="${code}" class="${difference === undefined ? 'unknown' : shadeOf(difference)}" d="${path}"/>\n`,
      label: html`<text data-zone="${code}" x="${label.x}" y="${label.y}"><tspan class="name" x="${label.x}">${zoneNames[view.language][code]}</tspan><tspan class="value" x="${label.x}" dy="26">${text}</tspan></text>\n`,
    }
  })
  return html`<figure class="card italy-map">
<p class="map-title"><strong>${day}</strong>, <span data-part="hour">${hourName({ days, hour }, view)}</span>: PUN <span data-part="national">${national === undefined ? '–' : view.formats.number(national)}</span> €/MWh${age}</p>
<div class="player"></div>
<svg viewBox="${MAP_VIEW_BOX}" role="img" aria-label="${texts.chart}">
<g class="shapes">${shapes.map(({ shape }) => shape)}</g>
<g class="labels">${shapes.map(({ label }) => label)}</g></svg>
<figcaption class="key">${legend(view)}</figcaption>
</figure>`
}

function legend(view: View): Html[] {
  const texts = zoneMapTexts[view.language]
  const name = (sign: -1 | 1, i: number) => {
    const [low, high] = [SHADES[i], SHADES[i + 1]]
    const amount = (size = 0) => `${sign < 0 ? '−' : '+'}${view.formats.number(size, Number.isInteger(size) ? 0 : 2)}`
    return high === undefined ? texts.more(amount(low)) : `${amount(low)}…${amount(high)}`
  }
  const steps = SHADES.map((_, i) => i)
  return [
    ...steps.toReversed().map((i) => html`<span class="swatch below-${i + 1}">${name(-1, i)}</span>`),
    html`<span class="swatch even">${texts.even}</span>`,
    ...steps.map((i) => html`<span class="swatch above-${i + 1}">${name(1, i)}</span>`),
  ]
}

function hourName({ days: [national], hour }: Pick<MapShown, 'days' | 'hour'>, view: View): string {
  const intervals = national ? intervalsOf(national) : []
  const interval = intervals.find(({ ordinal }) => ordinal === hour)
  return interval ? clockSpan(interval, intervals, view) : zoneMapTexts[view.language].wholeDay
}

/** A row per hour, a column per zone, shaded by the difference from the PUN. */
export function zoneHours({ days }: MapShown, view: View): Html {
  const texts = zoneMapTexts[view.language]
  const [national] = days
  if (national === undefined) return html``
  const intervals = intervalsOf(national)
  const differenceOf = (day: HourlyDay, hour: MapShown['hour']) => {
    const [price, reference] = [priceOf(day, hour), priceOf(national, hour)]
    return day === national || price === undefined || reference === undefined ? undefined : price - reference
  }
  const cell = (day: HourlyDay, hour: MapShown['hour']) => {
    const price = priceOf(day, hour)
    const difference = differenceOf(day, hour)
    return html`<td class="number${difference !== undefined && ` ${shadeOf(difference)}`}">${price !== undefined && figure(price, view)}</td>`
  }
  const row = (name: string, hour: MapShown['hour']) =>
    html`<tr data-hour="${hour}"><th scope="row">${name}</th>${days.map((day) => cell(day, hour))}</tr>\n`
  const difference = (day: HourlyDay) => {
    const value = differenceOf(day, WHOLE_DAY)
    return html`<td class="number">${value !== undefined && signedFigure(value, view)}</td>`
  }
  const csv = registerChartData(
    {
      ...{ name: 'hours', title: texts.table, at: 'starts_at', file: `zones_${national.date}` },
      columns: days.map(({ zone }) => ({ name: zone, label: zoneName(zone, view.language), unit: national.unit })),
      rows: intervals.map(({ ordinal, startsAt: at }) => ({ at, values: days.map((day) => priceOf(day, ordinal)) })),
    },
    view,
  )
  return html`<h2 id="table">${texts.table}</h2>
<p>${texts.tableLead}</p>
<div class="scroll" tabindex="0" role="region" aria-labelledby="table"><table class="matrix zone-hours">
<caption>${view.formats.weekday(national.date)}, €/MWh</caption>
<thead><tr><th scope="col">${texts.hour}</th>${days.map(({ zone }) => html`<th scope="col" class="number" data-zone="${zone}">${zoneName(zone, view.language)}</th>`)}</tr></thead>
<tbody>
${row(texts.wholeDay, WHOLE_DAY)}<tr><th scope="row">${texts.against}</th>${days.map(difference)}</tr>
${intervals.map(({ ordinal, startsAt }) => row(clock(startsAt, intervals, view), ordinal))}</tbody></table></div>
${chartLinks(csv, view)}`
}

function find(days: readonly HourlyDay[], zone: ZoneCode): HourlyDay | undefined {
  return days.find((day) => day.zone === zone)
}

function priceOf(day: HourlyDay | undefined, hour: MapShown['hour']): number | undefined {
  return hour === WHOLE_DAY ? day?.stats.avg : day?.hours?.find((one) => one.hour === hour)?.value
}

/** Thresholds in €/MWh of the first, second and third shade of a difference from the PUN. */
export const SHADES = [0.25, 2, 8] as const

/** Returns the CSS class of a difference: `even`, `above-1` to `above-3`, `below-1` to `below-3`. */
export function shadeOf(difference: number, shades: readonly number[] = SHADES): string {
  const depth = shades.filter((least) => Math.abs(difference) >= least).length
  return depth === 0 ? 'even' : `${difference > 0 ? 'above' : 'below'}-${depth}`
}

/** Terna's zones since 2021: Umbria is in the Centre-South, Calabria a zone of its own. */
const REGIONS: Record<MarketZone, readonly string[]> = {
  nord: [
    'aosta-valley',
    'piedmont',
    'liguria',
    'lombardy',
    'trentino-south-tyrol',
    'veneto',
    'friuli-venezia-giulia',
    'emilia-romagna',
  ],
  cnor: ['tuscany', 'marche'],
  csud: ['lazio', 'umbria', 'abruzzo', 'campania'],
  sud: ['molise', 'apulia', 'basilicata'],
  cala: ['calabria'],
  sici: ['sicily'],
  sard: ['sardinia'],
}

interface ZoneShape {
  code: MarketZone
  path: string
  /** Position of its figure. */
  label: { x: number; y: number }
}

const LABELS: Record<MarketZone, ZoneShape['label']> = {
  nord: { x: 190, y: 118 },
  cnor: { x: 250, y: 245 },
  csud: { x: 330, y: 352 },
  sud: { x: 487, y: 415 },
  cala: { x: 487, y: 565 },
  sici: { x: 372, y: 690 },
  sard: { x: 98, y: 480 },
}

const STEP = /(-?[\d.]+(?:e-?\d+)?)[ ,]+(-?[\d.]+(?:e-?\d+)?)/g
const MAP = readFileSync(createRequire(import.meta.url).resolve('@svg-maps/italy/italy.svg'), 'utf8')
const PATHS = new Map(
  [...MAP.matchAll(/<path([^>]*)>/g)].map(([, attributes = '']) => [
    attribute('id', attributes),
    attribute('d', attributes),
  ]),
)

const MAP_VIEW_BOX = attribute('viewBox', MAP)
const ZONE_SHAPES: readonly ZoneShape[] = (Object.keys(REGIONS) as MarketZone[]).map((code) => {
  return { code, path: REGIONS[code].map((region) => rounded(PATHS.get(region) ?? '')).join(''), label: LABELS[code] }
})

function attribute(name: string, markup: string): string {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(markup)?.[1]
  if (value === undefined) throw new Error(`the map has no ${name}`)
  return value
}

/** Rounds closed shapes of relative steps, `m 374.27,304.03 1.36,6.34 … z`, to lines between integer points; drops steps too short to see. */
function rounded(path: string): string {
  let start = { x: 0, y: 0 } // to which `z` returns
  return path
    .split('z')
    .filter((shape) => shape.trim() !== '')
    .map((shape) => {
      let { x, y } = start
      const places = [...shape.matchAll(STEP)].map(([, dx, dy]) => {
        x += Number(dx)
        y += Number(dy)
        return { x, y }
      })
      start = places[0] ?? start
      const whole = places.map((place) => `${Math.round(place.x)} ${Math.round(place.y)}`)
      return `M${whole.filter((place, i) => place !== whole[i - 1]).join('L')}z`
    })
    .join('')
}
