/** Spreads between the zones: a matrix of their means in a period, the largest changes, and the distribution of the hours of a pair. */
import type { Service } from '../../api/http/service.ts'
import { hoursInMarketDay, type MarketDay } from '../../market/market-day.ts'
import { type DailyMeans, meanSpread, spreadMovers, spreadSpans } from '../../market/zone-spreads.ts'
import { STORED_ZONES, type ZoneCode } from '../../market/zones.ts'
import type { SpreadDistribution } from '../../store/zone-prices.ts'
import { type Html, html } from '../html.ts'
import { zoneName } from '../i18n/hours.ts'
import { tradingTexts } from '../i18n/trading.ts'
import { rangeChart } from '../parts/range-chart.ts'
import { change, figure, signedFigure } from '../parts/value.ts'
import { shadeOf } from '../parts/zone-map.ts'
import type { View } from '../view.ts'
import { YEARS_BEFORE } from './history-section.ts'
import { PERIODS, type TradingQuery, tradingAddress, tradingChoice } from './query.ts'

const MOVERS_SHOWN = 6

export async function zoneSpreadSection(
  query: TradingQuery,
  end: MarketDay,
  { zones }: Pick<Service, 'zones'>,
  view: View,
): Promise<Html> {
  const texts = tradingTexts[view.language]
  const { span, before } = spreadSpans(query.period, end)
  const { zone_a: a, zone_b: b } = query
  const [means, years] = await Promise.all([
    dailyMeans({ from: before.from, to: span.to }, zones),
    zones.spreadYears([a, b], span, YEARS_BEFORE),
  ])
  const day = (date: MarketDay) => view.formats.day(date.toString())
  const month = view.formats.month(spreadSpans('month', end).span.from.toString())
  const names = { week: texts.lastWeek, month, '30d': texts.thirtyDays }
  const show = (period: TradingQuery['period']) => names[period]
  const movers = spreadMovers(means, { span, before }).slice(0, MOVERS_SHOWN)
  const hasSpreads = STORED_ZONES.some((a) =>
    STORED_ZONES.some((b) => a !== b && meanSpread(means, [a, b], span) !== undefined),
  )
  return html`<h2 id="zones">${texts.zones}</h2>
${tradingChoice('period', { label: texts.period, values: PERIODS, show }, query, 'zones', view)}
${
  hasSpreads
    ? html`<p>${texts.zonesLead(day(span.from), day(span.to))}</p>
${matrix(means, span, query, view)}`
    : html`<p class="soft">${texts.none}</p>`
}
${movers.length > 0 && moversTable(movers, texts.moversLead(day(before.from), day(before.to)), query, view)}
${distribution(years, query, view)}`
}

function moversTable(movers: ReturnType<typeof spreadMovers>, lead: string, query: TradingQuery, view: View): Html {
  const texts = tradingTexts[view.language]
  return html`<h3 id="movers">${texts.movers}</h3>
<p>${lead}</p>
<div class="scroll card" tabindex="0" role="region" aria-labelledby="movers"><table>
<thead><tr><th scope="col">${texts.pairOfZones}</th><th scope="col" class="number">${texts.mean}</th><th scope="col" class="number">${texts.before}</th><th scope="col" class="number">${texts.spreadChange}</th></tr></thead>
<tbody>
${movers.map(
  ({ zones: [one, other], ...mover }) =>
    html`<tr><th scope="row"><a href="${tradingAddress(query, { zone_a: one, zone_b: other }, 'distribution', view)}">${texts.minus(zoneName(one, view.language), zoneName(other, view.language))}</a></th><td class="number">${signedFigure(mover.mean, view)}</td><td class="number">${signedFigure(mover.before, view)}</td><td class="number">${change(mover.mean - mover.before, view.formats.signed(mover.mean - mover.before))}</td></tr>\n`,
)}</tbody></table></div>`
}

async function dailyMeans(span: { from: MarketDay; to: MarketDay }, zones: Service['zones']): Promise<DailyMeans> {
  const series = await Promise.all(STORED_ZONES.map((zone) => zones.daily(zone, span)))
  return new Map(
    series.map(({ points }, i): [ZoneCode, Map<string, { price: number; hours: number }>] => [
      STORED_ZONES[i] as ZoneCode,
      new Map(
        points.map(({ date, price }) => [date, { price, hours: hoursInMarketDay(Temporal.PlainDate.from(date)) }]),
      ),
    ]),
  )
}

function matrix(means: DailyMeans, span: Parameters<typeof meanSpread>[2], query: TradingQuery, view: View): Html {
  const texts = tradingTexts[view.language]
  const name = (zone: ZoneCode) => zoneName(zone, view.language)
  const cell = (a: ZoneCode, b: ZoneCode) => {
    const mean = a === b ? undefined : meanSpread(means, [a, b], span)
    if (mean === undefined) return html`<td></td>`
    const isOpen = query.zone_a === a && query.zone_b === b
    const address = tradingAddress(query, { zone_a: a, zone_b: b }, 'distribution', view)
    return html`<td class="number ${shadeOf(mean)}"><a href="${address}" aria-label="${texts.minus(name(a), name(b))}: ${view.formats.signed(mean)}"${isOpen && html` aria-current="true"`}>${signedFigure(mean, view)}</a></td>`
  }
  return html`<div class="scroll card" tabindex="0" role="region" aria-labelledby="zones"><table class="matrix">
<thead><tr><th scope="col">${texts.zone}</th>${STORED_ZONES.map((zone) => html`<th scope="col" class="number">${name(zone)}</th>`)}</tr></thead>
<tbody>
${STORED_ZONES.map((a) => html`<tr><th scope="row">${name(a)}</th>${STORED_ZONES.map((b) => cell(a, b))}</tr>\n`)}</tbody></table></div>`
}

/** Distribution in the period and in the same days of earlier years. */
function distribution(years: SpreadDistribution[], { zone_a: a, zone_b: b, period }: TradingQuery, view: View): Html {
  const texts = tradingTexts[view.language]
  const pair = texts.minus(zoneName(a, view.language), zoneName(b, view.language))
  if (a === b || years.length === 0) return html`<p class="soft" id="distribution">${texts.none}</p>`
  const ranges = years.map(({ from, p10: low, p90: high, median }) => ({ label: from.slice(0, 4), low, high, median }))
  const head = (text: string) => html`<th scope="col" class="number">${text}</th>`
  return html`<h3 id="distribution">${pair}</h3>
${rangeChart(ranges, { label: texts.distribution(pair), unit: '€/MWh', decimals: 0 }, view)}
<div class="scroll card" tabindex="0" role="region" aria-labelledby="distribution"><table>
<thead><tr><th scope="col">${texts.periodFrom}</th>${['p10', texts.median, 'p90', texts.hours].map(head)}</tr></thead>
<tbody>
${years.map(({ from, p10, median, p90, hours }) => html`<tr><th scope="row">${period === 'month' ? view.formats.month(from) : view.formats.day(from)}</th>${[p10, median, p90].map((value) => html`<td class="number">${signedFigure(value, view)}</td>`)}<td class="number">${figure(hours, view, 0)}</td></tr>\n`)}</tbody></table></div>`
}
