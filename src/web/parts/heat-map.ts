/**
 * Hours by day as coloured cells: a column per market day, a row per clock hour. Cells of one colour are one path, in runs along the days, so that a
 * year takes some 60 kB and not half a megabyte. `client/heat-map.js` adds the price under the pointer and the arrow keys.
 */
import { quantile } from '../../market/quantile.ts'
import { type Html, html } from '../html.ts'
import { heatTexts } from '../i18n/heat-map.ts'
import { hourTexts } from '../i18n/hours.ts'
import type { View } from '../view.ts'
import { type ClockHour, clockHours, type PeriodShown } from './hourly-period.ts'
import { figure } from './value.ts'

const HOURS = 24
const NEAR_ZERO = 5
/** Widths of a step in €/MWh; the narrowest that reaches most prices is used. */
const STEP_WIDTHS = [10, 15, 20, 25, 30, 40, 50, 75, 100, 150, 200, 300, 500]
const STEPS = 7

interface Scale {
  /** Upper ends of all steps but the last. */
  ends: number[]
  /** Its class: `negative`, `near-zero`, `heat-1` to `heat-7`. */
  classOf(price: number): string
}

export function heatMap(shown: PeriodShown, view: View): Html {
  const { period, zone, days } = shown
  const texts = heatTexts[view.language]
  const columns = period.from.until(period.to).days + 1
  const scale = scaleOf(days.flatMap(({ intervals }) => intervals.map(({ price }) => price)))
  const csv = `/prices/pun.csv?from=${period.from}&to=${period.to}&detail=hour&zone=${zone}`
  return html`<figure class="bars heat card" data-from="${period.from.toString()}" data-columns="${columns}" data-csv="${csv}">
<ol class="y" aria-hidden="true">${[0, 6, 12, 18, 24].map((hour) => html`<li>${String(hour).padStart(2, '0')}</li>`)}</ol>
<svg viewBox="0 0 ${columns} ${HOURS}" preserveAspectRatio="none" role="img" aria-label="${texts.chart}">
${[...paths(shown, scale)].map(([name, path]) => html`<path class="${name}" d="${path}"/>\n`)}</svg>
<ol class="x" aria-hidden="true">${columnLabels(shown, columns, view)}</ol>
<figcaption class="key">${key(scale, view)}</figcaption>
<div class="tools"><a class="button" href="${csv}" download>${texts.csv}</a></div>
</figure>`
}

/** Every hour of a month; of a year the mean of each clock hour by month. */
export function heatTable({ period, days }: PeriodShown, view: View): Html {
  const texts = heatTexts[view.language]
  const isYear = period.kind === 'year'
  const groups = Map.groupBy(days, ({ date }) => date.slice(0, isYear ? 7 : 10))
  const rows = [...groups].map(([date, group]) => {
    const hours = Map.groupBy(group.flatMap(clockHours), ({ clock }) => clock)
    const cells = Array.from({ length: HOURS }, (_, clock) => cell(hours.get(clock) ?? [], isYear, view))
    const name = isYear ? view.formats.month(date) : view.formats.weekday(date)
    return html`<tr><th scope="row"><time datetime="${date}">${name}</time></th>${cells}</tr>\n`
  })
  const heads = Array.from(
    { length: HOURS },
    (_, hour) => html`<th scope="col" class="number">${String(hour).padStart(2, '0')}</th>`,
  )
  const caption = isYear ? texts.monthTable : texts.dayTable
  return html`<details><summary>${hourTexts[view.language].table}</summary><div class="scroll tall" tabindex="0" role="region" aria-label="${caption}"><table class="matrix">
<caption>${caption}, €/MWh</caption>
<thead><tr><td></td>${heads}</tr></thead>
<tbody>
${rows}</tbody></table></div></details>`
}

/** Of a day one price, or in October two; of a month the mean. */
function cell(hours: readonly ClockHour[], isMean: boolean, view: View): Html {
  const prices = hours.map(({ price }) => price)
  const values = isMean && prices.length > 0 ? [prices.reduce((sum, price) => sum + price, 0) / prices.length] : prices
  return html`<td class="number">${values.map((value, i) => html`${i > 0 && ' / '}${figure(value, view, isMean ? 1 : 2)}`)}</td>`
}

function scaleOf(prices: number[]): Scale {
  const sorted = prices.toSorted((a, b) => a - b)
  const most = quantile(sorted, 0.97)
  const width = STEP_WIDTHS.find((one) => one * (STEPS - 1) >= most) ?? 500
  const ends = Array.from({ length: STEPS - 1 }, (_, i) => (i + 1) * width)
  return {
    ends,
    classOf(price) {
      if (price < 0) return 'negative'
      if (price < NEAR_ZERO) return 'near-zero'
      return `heat-${ends.filter((end) => price >= end).length + 1}`
    },
  }
}

/** By class: runs of equal cells along the days, `M3 12h4v1h-4z`. */
function paths({ period, days }: PeriodShown, scale: Scale): Map<string, string> {
  const found = new Map<string, string>()
  const draw = (name: string, x: number, length: number, clock: number, half?: 0 | 1) => {
    const y = half === 1 ? clock + 0.5 : clock
    found.set(name, `${found.get(name) ?? ''}M${x} ${y}h${length}v${half === undefined ? 1 : 0.5}h-${length}z`)
  }
  const runs = new Map<number, { name: string; x: number; length: number }>()
  const end = (clock: number) => {
    const run = runs.get(clock)
    if (run) draw(run.name, run.x, run.length, clock)
    runs.delete(clock)
  }
  for (const day of days) {
    const x = period.from.until(Temporal.PlainDate.from(day.date)).days
    for (const { clock, price, half } of clockHours(day)) {
      const name = scale.classOf(price)
      if (half !== undefined) {
        draw(name, x, 1, clock, half)
        continue
      }
      const run = runs.get(clock)
      if (run && run.name === name && run.x + run.length === x) run.length += 1
      else {
        end(clock)
        runs.set(clock, { name, x, length: 1 })
      }
    }
  }
  for (const clock of [...runs.keys()]) end(clock)
  return found
}

/** Days of a month, months of a year. */
function columnLabels({ period }: PeriodShown, columns: number, { formats }: View): Html[] {
  if (period.kind === 'year')
    return Array.from({ length: 12 }, (_, i) => {
      return html`<li>${formats.shortMonth(`${period.name}-${String(i + 1).padStart(2, '0')}`)}</li>`
    })
  return Array.from({ length: columns }, (_, i) => html`<li>${i % 5 === 0 && i + 1}</li>`)
}

function key({ ends }: Scale, view: View): Html {
  const texts = heatTexts[view.language]
  const from = [NEAR_ZERO, ...ends]
  const label = (i: number) => {
    const [low, high] = [from[i], ends[i]]
    return high === undefined ? texts.from(String(low)) : `${low}–${high}`
  }
  return html`<span class="swatch negative">${texts.belowZero}</span><span class="swatch near-zero">0–${NEAR_ZERO}</span>${from.map((_, i) => html`<span class="swatch heat-${i + 1}">${label(i)}</span>`)}<span>€/MWh</span>`
}
