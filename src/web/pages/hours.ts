import * as z from 'zod'
import { invalidParameter } from '../../api/contract/errors.ts'
import { hourlyZone } from '../../api/contract/hourly.ts'
import { lastDayOfPrices } from '../../api/endpoints/current-price.ts'
import { sourceNames } from '../../api/endpoints/source-credits.ts'
import type { MarketDay } from '../../market/market-day.ts'
import { NATIONAL_ZONE, STORED_ZONES, type ZoneCode } from '../../market/zones.ts'
import { type Html, html } from '../html.ts'
import { heatTexts } from '../i18n/heat-map.ts'
import { zoneName } from '../i18n/hours.ts'
import { sourceNameIn } from '../i18n/sources.ts'
import { page } from '../page.ts'
import { durationCurve } from '../parts/duration-curve.ts'
import { heatMap, heatTable } from '../parts/heat-map.ts'
import { hourDistribution } from '../parts/hour-distribution.ts'
import { type HourlyPeriod, hourlyPeriod } from '../parts/hourly-period.ts'
import { endNotice, priceEnds } from '../parts/price-end.ts'
import { isSynthetic } from '../parts/provenance.ts'
import { stepButtons } from '../parts/step-buttons.ts'
import { figure, figureEntry } from '../parts/value.ts'
import type { View } from '../view.ts'

const PATH = '/prices/pun/hours'
const MONTHS_OFFERED = 36
const NEAR_ZERO = 5

/** `/prices/pun/hours`: every hour of a month or a year as a heat map, how often which price, and what each clock hour costs. */
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
    const source = sourceIds.length === 0 ? undefined : sourceNames(sourceIds)
    const shown = { period, zone: query.zone, days }
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
    ? html`<p class="notice">${texts.none}</p>`
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
  const option = (value: string, label: string, chosen: string) =>
    html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>`
  const other = [...years, ...months].includes(period.name) ? [] : [period.name]
  const isLast = Temporal.PlainDate.compare(period.to, end) >= 0
  const steps = [
    { value: period.before, label: `← ${nameOf(period.before, view)}` },
    ...(isLast ? [] : [{ value: period.after, label: `${nameOf(period.after, view)} →` }]),
  ]
  return html`<form class="row" method="get" action="${view.href(PATH)}">
<div class="field"><label for="period">${texts.period}</label><select id="period" name="period">
${other.map((name) => option(name, name, period.name))}<optgroup label="${texts.years}">${years.map((year) => option(year, year, period.name))}</optgroup>
<optgroup label="${texts.months}">${months.map((name) => option(name, view.formats.month(name), period.name))}</optgroup></select></div>
<div class="field"><label for="zone">${texts.zone}</label><select id="zone" name="zone">${STORED_ZONES.map((code) => option(code, zoneName(code, view.language), zone))}</select></div>
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
  const inUnit = (value: number) => html`${figure(value, view)} <span class="unit">€/MWh</span>`
  const hours = (value: number) =>
    html`${figure(value, view, 0)} <span class="unit">${texts.ofHours(view.formats.number(prices.length, 0))}</span>`
  const mean = prices.reduce((sum, price) => sum + price, 0) / prices.length
  return html`<dl class="figures">
${figureEntry(texts.mean, inUnit(mean))}${figureEntry(texts.lowest, inUnit(Math.min(...prices)))}${figureEntry(texts.highest, inUnit(Math.max(...prices)))}${figureEntry(texts.negative, hours(count((price) => price < 0)))}${figureEntry(texts.nearZero(NEAR_ZERO), hours(count((price) => price < NEAR_ZERO)))}</dl>`
}
