import * as z from 'zod'
import { invalidParameter } from '../../api/contract/errors.ts'
import { hourlyZone } from '../../api/contract/hourly.ts'
import { lastDayOfPrices } from '../../api/endpoints/current-price.ts'
import { sourceNames } from '../../api/endpoints/source-credits.ts'
import { clockHoursOf, type MarketDay } from '../../market/market-day.ts'
import { quantile } from '../../market/quantile.ts'
import { mean } from '../../market/scenarios/months.ts'
import { NATIONAL_ZONE, STORED_ZONES, type ZoneCode } from '../../market/zones.ts'
import type { IntervalsOfDay } from '../../store/zone-prices.ts'
import { type Html, html } from '../html.ts'
import { chartTexts } from '../i18n/charts.ts'
import { heatTexts } from '../i18n/heat-map.ts'
import { hourTexts } from '../i18n/hours.ts'
import { sourceNameIn } from '../i18n/sources.ts'
import { page } from '../page.ts'
import { metadataAddress } from '../parts/chart-links.ts'
import { option, zoneOptions } from '../parts/choices.ts'
import { CLOCK_HOURS } from '../parts/day-intervals.ts'
import { axisOf, hundredths, plot, yScale } from '../parts/plot.ts'
import { endNotice, priceEnds } from '../parts/price-end.ts'
import { isSynthetic } from '../parts/provenance.ts'
import { stepButtons } from '../parts/step-buttons.ts'
import { figure, figureEntry, figureInUnit } from '../parts/value.ts'
import type { View } from '../view.ts'

const PATH = '/prices/pun/hours'
const MONTHS_OFFERED = 36
const NEAR_ZERO = 5

/** `/prices/pun/hours`: every hour of a month or a year as a heat map, the price duration curve, and the prices of each clock hour. */
export const hoursPage = page({
  path: PATH,
  query: z.object({
    period: z
      .string()
      .regex(/^\d{4}(-(0[1-9]|1[0-2]))?$/, 'must be a year or a month: 2026, 2026-11')
      .optional(),
    zone: hourlyZone.default(NATIONAL_ZONE),
  }),
  async render({ query, service, today, view }) {
    const texts = heatTexts[view.language]
    const tomorrow = today.add({ days: 1 })
    const [first, ends, end] = await Promise.all([
      service.zones.firstDay(query.zone),
      priceEnds(['PUN'], service, today),
      lastDayOfPrices(service.prices, 'PUN', today),
    ])
    const period = hourlyPeriod(query.period ?? String(end.year))
    if (Temporal.PlainDate.compare(period.from, tomorrow) > 0)
      throw invalidParameter('period', 'must not be after tomorrow')
    const { days, sourceIds } = await service.zones.intervals(query.zone, 'hour', period)
    const source = sourceNames(sourceIds) || undefined
    const shown = { period, zone: query.zone, days, source }
    return {
      title: texts.title,
      description: texts.lead,
      section: 'pun',
      synthetic: isSynthetic(source),
      scripts: ['heat-map.js'],
      main: html`<p class="lead">${texts.lead}</p>
${endNotice(ends, view)}
${choice(period, query.zone, { first: first ?? end, end }, view)}
${
  days.length === 0
    ? html`<p class="soft">${texts.none}</p>`
    : html`${facts(days, view)}
${heatMap(shown, view)}
${heatTable(shown, view)}
<div class="split"><section>${durationCurve(shown, view)}</section>
<section>${hourDistribution(shown, view)}</section></div>
<p class="soft small">${source && html`${texts.source}: ${sourceNameIn(view.language, source)}. `}${texts.halves}</p>`
}`,
    }
  },
})

function choice(
  period: HourlyPeriod,
  zone: ZoneCode,
  { first, end }: { first: MarketDay; end: MarketDay },
  view: View,
): Html {
  const texts = heatTexts[view.language]
  const month = end.toPlainYearMonth()
  const months = Array.from({ length: MONTHS_OFFERED }, (_, i) => month.subtract({ months: i }).toString())
  const years = Array.from({ length: end.year - first.year + 1 }, (_, i) => String(end.year - i))
  const periods = (names: string[]) => names.map((name) => option(name, nameOf(name, view), name === period.name))
  const other = [...years, ...months].includes(period.name) ? [] : [period.name]
  const isLast = Temporal.PlainDate.compare(period.to, end) >= 0
  const steps = [
    { value: period.before, label: `← ${nameOf(period.before, view)}` },
    ...(isLast ? [] : [{ value: period.after, label: `${nameOf(period.after, view)} →` }]),
  ]
  return html`<form class="row" method="get" action="${view.href(PATH)}">
<div class="field"><label for="period">${texts.period}</label><select id="period" name="period">
${periods(other)}<optgroup label="${texts.years}">${periods(years)}</optgroup>
<optgroup label="${texts.months}">${periods(months)}</optgroup></select></div>
<div class="field"><label for="zone">${texts.zone}</label><select id="zone" name="zone">${zoneOptions(STORED_ZONES, zone, view)}</select></div>
<button class="primary">${texts.show}</button>
</form>
${stepButtons(view.href(PATH), 'period', steps, { zone })}`
}

function nameOf(period: string, { formats }: View): string {
  return period.length === 4 ? period : formats.month(period)
}

function facts(days: Parameters<typeof heatMap>[0]['days'], view: View): Html {
  const texts = heatTexts[view.language]
  const prices = days.flatMap(({ intervals }) => intervals.map(({ price }) => price))
  const count = (of: (price: number) => boolean) => prices.filter(of).length
  const inUnit = (value: number) => figureInUnit(value, '€/MWh', view)
  const hours = (value: number) =>
    html`${figure(value, view, 0)} <span class="unit">${texts.ofHours(view.formats.number(prices.length, 0))}</span>`
  return html`<dl class="figures">
${figureEntry(texts.mean, inUnit(mean(prices)))}${figureEntry(texts.lowest, inUnit(Math.min(...prices)))}${figureEntry(texts.highest, inUnit(Math.max(...prices)))}${figureEntry(texts.negative, hours(count((price) => price < 0)))}${figureEntry(texts.nearZero(NEAR_ZERO), hours(count((price) => price < NEAR_ZERO)))}</dl>`
}

interface HourlyPeriod {
  /** `2026` or `2026-11` */
  name: string
  kind: 'year' | 'month'
  from: MarketDay
  to: MarketDay
  /** Names of the adjacent periods. */
  before: string
  after: string
}

interface PeriodShown {
  period: HourlyPeriod
  zone: ZoneCode
  /** Days without stored prices are left out. */
  days: readonly IntervalsOfDay[]
  source: string | undefined
}

/** Parses the name of a period, a month or a year, into its days and its neighbours. */
function hourlyPeriod(name: string): HourlyPeriod {
  if (name.length === 4) {
    const year = Number(name)
    const from = Temporal.PlainDate.from({ year, month: 1, day: 1 })
    const neighbour = (other: number) => String(other).padStart(4, '0')
    const to = from.add({ years: 1 }).subtract({ days: 1 })
    return { name, kind: 'year', from, to, before: neighbour(year - 1), after: neighbour(year + 1) }
  }
  const month = Temporal.PlainYearMonth.from(name)
  return {
    name,
    kind: 'month',
    from: month.toPlainDate({ day: 1 }),
    to: month.toPlainDate({ day: month.daysInMonth }),
    before: month.subtract({ months: 1 }).toString(),
    after: month.add({ months: 1 }).toString(),
  }
}

interface ClockHour {
  /** 0 to 23 */
  clock: number
  price: number
  /** Which of the two, if a clock hour occurs twice in October. */
  half?: 0 | 1
}

/** Maps the hours of a day to clock hours: in March one is skipped. */
function clockHours({ expected, intervals }: IntervalsOfDay): ClockHour[] {
  const clocks = clockHoursOf(expected)
  return intervals.map(({ ordinal, price }) => {
    const clock = clocks[ordinal - 1] as number
    if (clocks.indexOf(clock) === clocks.lastIndexOf(clock)) return { clock, price }
    return { clock, price, half: clocks.indexOf(clock) === ordinal - 1 ? 0 : 1 }
  })
}

const HOURS = 24
/** Widths of a step in €/MWh; the narrowest that covers most prices is used. */
const STEP_WIDTHS = [10, 15, 20, 25, 30, 40, 50, 75, 100, 150, 200, 300, 500]
const STEPS = 7

interface Scale {
  /** Upper bounds of all steps except the last. */
  ends: number[]
  /** Returns the CSS class of a price: `negative`, `near-zero`, `heat-1` to `heat-7`. */
  classOf(price: number): string
}

/**
 * Heat map of hours: a column per market day, a row per clock hour. Cells of one colour form a single path of runs along the days, so that a
 * year takes some 60 kB instead of half a megabyte. `client/heat-map.js` adds the price under the pointer and the arrow keys.
 */
function heatMap(shown: PeriodShown, view: View): Html {
  const { period, zone, days } = shown
  const texts = heatTexts[view.language]
  const columns = period.from.until(period.to).days + 1
  const scale = scaleOf(days.flatMap(({ intervals }) => intervals.map(({ price }) => price)))
  const csv = `/prices/pun.csv?from=${period.from}&to=${period.to}&detail=hour&zone=${zone}`
  return html`<figure class="bars heat card" data-from="${period.from.toString()}" data-columns="${columns}" data-csv="${csv}">
<ol class="y" aria-hidden="true">${['00', '06', '12', '18', '24'].map((hour) => html`<li>${hour}</li>`)}</ol>
<svg viewBox="0 0 ${columns} ${HOURS}" preserveAspectRatio="none" role="img" aria-label="${texts.chart}">
${[...paths(shown, scale)].map(([name, path]) => html`<path class="${name}" d="${path}"/>\n`)}</svg>
<ol class="x" aria-hidden="true">${columnLabels(shown, columns, view)}</ol>
<figcaption class="key">${heatKey(scale, view)}</figcaption>
<div class="tools"><a class="button" href="${csv}" download>${texts.csv}</a>
<a class="button" href="${metadataAddress(csv)}">${chartTexts[view.language].about}</a></div>
</figure>`
}

/** Table of every hour of a month or, for a year, of the mean of each clock hour by month. */
function heatTable({ period, days }: PeriodShown, view: View): Html {
  const texts = heatTexts[view.language]
  const isYear = period.kind === 'year'
  const groups = Map.groupBy(days, ({ date }) => date.slice(0, isYear ? 7 : 10))
  const rows = [...groups].map(([date, group]) => {
    const hours = Map.groupBy(group.flatMap(clockHours), ({ clock }) => clock)
    const cells = CLOCK_HOURS.map((_, clock) => hourCell(hours.get(clock) ?? [], isYear, view))
    const name = isYear ? view.formats.month(date) : view.formats.weekday(date)
    return html`<tr><th scope="row"><time datetime="${date}">${name}</time></th>${cells}</tr>\n`
  })
  const heads = CLOCK_HOURS.map((hour) => html`<th scope="col" class="number">${hour}</th>`)
  const caption = isYear ? texts.monthTable : texts.dayTable
  return html`<details><summary>${hourTexts[view.language].table}</summary><div class="scroll tall" tabindex="0" role="region" aria-label="${caption}"><table class="matrix">
<caption>${caption}, €/MWh</caption>
<thead><tr><td></td>${heads}</tr></thead>
<tbody>
${rows}</tbody></table></div></details>`
}

/** Cell with the price of an hour, two prices if it is repeated in October, or the mean of a month. */
function hourCell(hours: readonly ClockHour[], isMean: boolean, view: View): Html {
  const prices = hours.map(({ price }) => price)
  const values = isMean && prices.length > 0 ? [mean(prices)] : prices
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

/** Returns SVG paths by CSS class: runs of equal cells along the days, `M3 12h4v1h-4z`. */
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

function heatKey({ ends }: Scale, view: View): Html {
  const texts = heatTexts[view.language]
  const from = [NEAR_ZERO, ...ends]
  const label = (i: number) => {
    const [low, high] = [from[i], ends[i]]
    return high === undefined ? texts.from(String(low)) : `${low}–${high}`
  }
  return html`<span class="swatch negative">${texts.belowZero}</span><span class="swatch near-zero">0–${NEAR_ZERO}</span>${from.map((_, i) => html`<span class="swatch heat-${i + 1}">${label(i)}</span>`)}<span>€/MWh</span>`
}

const POINTS = 200
const EXCEEDED_FOR = [0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99]

/** Price duration curve: the share of time in which the price was at least as high. */
function durationCurve({ days, source }: PeriodShown, view: View): Html {
  const texts = heatTexts[view.language]
  const sorted = days.flatMap(({ intervals }) => intervals.map(({ price }) => price)).sort((a, b) => a - b)
  const axis = axisOf(sorted)
  const y = yScale(axis)
  const exceededFor = (share: number) => quantile(sorted, 1 - share)
  const points = Array.from({ length: POINTS + 1 }, (_, i) => `${(100 * i) / POINTS},${y(exceededFor(i / POINTS))}`)
  return html`<h2>${texts.duration}</h2>
<p>${texts.durationLead}</p>
${plot(
  {
    unit: '€/MWh',
    label: texts.duration,
    axis,
    width: 100,
    drawn: html`<polyline points="${points.join(' ')}"/>`,
    labels: [0, 0.25, 0.5, 0.75, 1].map((share) => view.formats.percent(share, 0)),
    areLabelsAtLines: true,
    table: html`<table>
<thead><tr><th scope="col">${texts.share}</th><th scope="col" class="number">${texts.atLeast}, €/MWh</th></tr></thead>
<tbody>
${EXCEEDED_FOR.map((share) => html`<tr><th scope="row">${view.formats.percent(share, 0)}</th><td class="number">${figure(exceededFor(share), view)}</td></tr>\n`)}</tbody></table>`,
    data: {
      ...{ name: 'duration', at: 'share_of_hours', source },
      columns: [{ name: 'at_least', label: texts.atLeast, unit: '€/MWh' }],
      rows: EXCEEDED_FOR.map((at) => ({ at, values: [exceededFor(at)] })),
    },
  },
  view,
)}`
}

const SHARES = { lowest: 0, p10: 0.1, median: 0.5, p90: 0.9, highest: 1 } as const
type Share = keyof typeof SHARES

/** Prices of each clock hour: median, the middle 80% of days, lowest and highest. */
function hourDistribution({ days, source }: PeriodShown, view: View): Html {
  const texts = heatTexts[view.language]
  const byClock = Map.groupBy(days.flatMap(clockHours), ({ clock }) => clock)
  const hours = [...byClock]
    .sort(([a], [b]) => a - b)
    .map(([clock, found]) => {
      const sorted = found.map(({ price }) => price).sort((a, b) => a - b)
      const at = Object.fromEntries(Object.entries(SHARES).map(([name, share]) => [name, quantile(sorted, share)]))
      return { clock, at: at as Record<Share, number> }
    })
  const axis = axisOf(hours.flatMap(({ at }) => Object.values(at)))
  const y = yScale(axis)
  const bar = ({ clock, at }: (typeof hours)[number]) =>
    html`<line class="reach" x1="${clock + 0.5}" x2="${clock + 0.5}" y1="${y(at.highest)}" y2="${y(at.lowest)}"/><rect class="band" x="${clock + 0.15}" width="0.7" y="${y(at.p90)}" height="${hundredths(y(at.p10) - y(at.p90))}"/><line class="median" x1="${clock + 0.1}" x2="${clock + 0.9}" y1="${y(at.median)}" y2="${y(at.median)}"/>\n`
  const names = Object.keys(SHARES) as Share[]
  return html`<h2>${texts.distribution}</h2>
<p>${texts.distributionLead}</p>
${plot(
  {
    unit: '€/MWh',
    label: texts.distribution,
    axis,
    width: HOURS,
    drawn: html`${hours.map(bar)}`,
    labels: CLOCK_HOURS.map((hour, i) => i % 3 === 0 && hour),
    table: html`<div class="scroll tall" tabindex="0" role="region" aria-label="${texts.distribution}"><table>
<thead><tr><th scope="col">${hourTexts[view.language].hour}</th>${names.map((name) => html`<th scope="col" class="number">${texts.shares[name]}</th>`)}</tr></thead>
<tbody>
${hours.map(({ clock, at }) => html`<tr><th scope="row">${CLOCK_HOURS[clock]}</th>${names.map((name) => html`<td class="number">${figure(at[name], view)}</td>`)}</tr>\n`)}</tbody></table></div>`,
    data: {
      ...{ name: 'by-hour', at: 'clock_hour', source },
      columns: names.map((name) => ({ name, label: texts.shares[name], unit: '€/MWh' })),
      rows: hours.map(({ clock, at }) => ({ at: clock, values: names.map((name) => at[name]) })),
    },
  },
  view,
)}`
}
