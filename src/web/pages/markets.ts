import * as z from 'zod'
import type { HourlyDay } from '../../api/contract/hourly.ts'
import { type MarketPrices, type MarketSpreads, marketZone } from '../../api/contract/markets.ts'
import { marketDay } from '../../api/contract/parameters.ts'
import { getMarketPrices } from '../../api/endpoints/markets/get-market-prices.ts'
import { getMarketSpreads } from '../../api/endpoints/markets/get-market-spreads.ts'
import { getPunHourly } from '../../api/endpoints/pun/get-pun-hourly.ts'
import type { MarketDay } from '../../market/market-day.ts'
import { IMBALANCE_MARKET, macrozoneOf } from '../../market/markets.ts'
import { isBefore } from '../../market/time-order.ts'
import { ALL_MARKET_ZONES, type MarketZone } from '../../market/zones.ts'
import { undefinedIfNotFound } from '../ask-endpoints.ts'
import { type Html, html } from '../html.ts'
import { zoneName } from '../i18n/hours.ts'
import { marketTexts, type ShownMarket } from '../i18n/markets.ts'
import { sourceNameIn } from '../i18n/sources.ts'
import { type AskEndpoint, page } from '../page.ts'
import { CHART_FILES, chart } from '../parts/chart.ts'
import { chartLinks, registerChartData } from '../parts/chart-links.ts'
import { zoneOptions } from '../parts/choices.ts'
import { CLOCK_HOURS } from '../parts/day-intervals.ts'
import { isSynthetic } from '../parts/provenance.ts'
import { stepButtons } from '../parts/step-buttons.ts'
import { signedFigure } from '../parts/value.ts'
import { shadeOf } from '../parts/zone-map.ts'
import type { View } from '../view.ts'

const PATH = '/markets'
const SHOWN = ['mi-a1', 'mi-a2', 'mi-a3', 'xbid', 'imbalance'] as const satisfies readonly ShownMarket[]

/** `/markets`: a zone's day in the day-ahead, intraday and imbalance markets, and the cost of deviations by month and hour. */
export const marketsPage = page({
  path: PATH,
  query: z.object({ zone: marketZone.default('nord'), date: marketDay.optional() }),
  async render({ query: { zone, ...query }, ask, view, today }) {
    const texts = marketTexts[view.language]
    const day = query.date ?? (await latestDay(zone, ask)) ?? today
    const date = day.toString()
    const hourly = (granularity: string) =>
      undefinedIfNotFound(ask<HourlyDay>(getPunHourly, { query: { zone, date, granularity } }))
    const quarters = await hourly('quarter')
    const dayAhead = quarters ?? (await hourly('hour'))
    const granularity = quarters || !dayAhead ? 'quarter' : 'hour'
    const [spreads, ...markets] = await Promise.all([
      undefinedIfNotFound(
        ask<MarketSpreads>(getMarketSpreads, { path: { market: IMBALANCE_MARKET }, query: { zone } }),
      ),
      ...SHOWN.map((market) => {
        const area = market === IMBALANCE_MARKET ? macrozoneOf(zone) : zone
        const query = { zone: area, date, granularity }
        return undefinedIfNotFound(ask<MarketPrices>(getMarketPrices, { path: { market }, query }))
      }),
    ])
    const sources = [...new Set([dayAhead, ...markets].flatMap((found) => found?.source ?? []))]
    const imbalance = markets[SHOWN.indexOf('imbalance')]
    return {
      title: texts.title,
      description: texts.lead,
      section: 'pun',
      synthetic: sources.some(isSynthetic),
      ...CHART_FILES,
      main: html`<p class="lead">${texts.lead}</p>
${choice(zone, day, sources.length === 0 ? await latestDay(zone, ask) : undefined, view)}
${
  sources.length === 0
    ? html`<p class="notice">${texts.none} ${texts.next}</p>`
    : html`${dayChart({ zone, date, dayAhead, markets }, view)}
${imbalance?.points.some(({ status }) => status === 'preliminary') && html`<p class="notice">${texts.preliminary}</p>`}
<p class="soft small">${texts.macrozone(macrozoneOf(zone))} ${texts.sources}: ${sources.map((name) => sourceNameIn(view.language, name)).join('; ')}.</p>`
}
${spreads && imbalanceCosts(spreads, view)}`,
    }
  },
})

/** The latest day with imbalance prices, else the latest with an auction. */
async function latestDay(zone: MarketZone, ask: AskEndpoint): Promise<MarketDay | undefined> {
  for (const [market, area] of [
    [IMBALANCE_MARKET, macrozoneOf(zone)],
    ['mi-a1', zone],
  ] as const) {
    const found = await undefinedIfNotFound(
      ask<MarketPrices>(getMarketPrices, { path: { market }, query: { zone: area } }),
    )
    if (found) return Temporal.PlainDate.from(found.to)
  }
  return undefined
}

/** `latest`: the last day with prices, to go back to from a later one. */
function choice(zone: MarketZone, day: MarketDay, latest: MarketDay | undefined, view: View): Html {
  const texts = marketTexts[view.language]
  const steps = [-1, 1].map((days) => {
    const next = day.add({ days })
    const value = (days < 0 && latest && isBefore(latest, next) ? latest : next).toString()
    const name = view.formats.day(value)
    return { value, label: days < 0 ? `← ${name}` : `${name} →` }
  })
  return html`<form class="row" method="get" action="${view.href(PATH)}">
<div class="field"><label for="zone">${texts.zone}</label><select id="zone" name="zone">${zoneOptions(ALL_MARKET_ZONES, zone, view)}</select></div>
<div class="field"><label for="date">${texts.date}</label><input id="date" name="date" type="date" value="${day.toString()}"></div>
<button class="primary">${texts.show}</button>
</form>
${stepButtons(view.href(PATH), 'date', steps, { zone })}`
}

interface DayShown {
  zone: MarketZone
  date: string
  dayAhead: HourlyDay | undefined
  /** Markets in the order of `SHOWN`. */
  markets: readonly (MarketPrices | undefined)[]
}

function dayChart({ zone, date, dayAhead, markets }: DayShown, view: View): Html {
  const texts = marketTexts[view.language]
  const values = [
    new Map((dayAhead?.quarters ?? dayAhead?.hours ?? []).map(({ starts_at, value }) => [starts_at, value])),
    ...markets.map((found) => new Map((found?.points ?? []).map(({ starts_at, value }) => [starts_at, value]))),
  ]
  const starts = [...new Set(values.flatMap((byStart) => [...byStart.keys()]))].sort(
    (a, b) => Date.parse(a) - Date.parse(b),
  )
  const columns = [
    { label: texts.dayAhead, line: 'first' as const },
    ...SHOWN.map((market) => ({ label: texts.markets[market], line: market })),
  ]
  return chart(
    {
      name: 'day',
      caption: `${zoneName(zone, view.language)}, ${view.formats.day(date)}`,
      dayLabel: texts.startsAt,
      unit: '€/MWh',
      columns,
      rows: starts.map((start) => ({ date: start, values: values.map((byStart) => byStart.get(start)) })),
      key: columns.filter((_, i) => (values[i]?.size ?? 0) > 0),
      file: `markets_${zone}_${date}`,
    },
    view,
  )
}

function imbalanceCosts({ rows, zone }: MarketSpreads, view: View): Html {
  const texts = marketTexts[view.language]
  const months = Map.groupBy(rows, ({ month }) => month)
  const cell = (row: MarketSpreads['rows'][number] | undefined) =>
    row ? html`<td class="number ${shadeOf(row.mean)}">${signedFigure(row.mean, view)}</td>` : html`<td></td>`
  const names = (Object.keys(rows[0] ?? {}) as (keyof MarketSpreads['rows'][number])[]).filter(
    (name) => name !== 'month',
  )
  const csv = registerChartData(
    {
      ...{ name: 'spreads', title: texts.cost, at: 'month', file: `imbalance_spreads_${zone}` },
      columns: names.map((label) => ({ name: label, label })),
      rows: rows.map((row) => ({ at: row.month, values: names.map((name) => row[name]) })),
    },
    view,
  )
  return html`<h2 id="cost">${texts.cost}</h2>
<p>${texts.costLead}</p>
<div class="scroll card" tabindex="0" role="region" aria-labelledby="cost"><table class="matrix">
<caption>${zoneName(zone, view.language)}, €/MWh</caption>
<thead><tr><th scope="col">${texts.month}</th>${CLOCK_HOURS.map((hour) => html`<th scope="col" class="number">${hour}</th>`)}</tr></thead>
<tbody>
${[...months].map(([month, found]) => html`<tr><th scope="row">${view.formats.month(month)}</th>${CLOCK_HOURS.map((_, hour) => cell(found.find(({ clock_hour }) => clock_hour === hour)))}</tr>\n`)}</tbody></table></div>
${chartLinks(csv, view)}`
}
