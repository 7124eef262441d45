/** Spreads of the last year, with the range of the same days in earlier years, and the volatility of the indices. */
import type { DailySeries } from '../../api/contract/series.ts'
import type { AssetSlug } from '../../market/assets.ts'
import type { MarketDay } from '../../market/market-day.ts'
import { round } from '../../market/rounding.ts'
import { type DatedValue, spreadHistory, usualRanges, volatilities } from '../../market/spread-history.ts'
import { type Html, html } from '../html.ts'
import { tradingTexts } from '../i18n/trading.ts'
import { type ChartTable, chart } from '../parts/chart.ts'
import type { View } from '../view.ts'
import { SPREAD_NAMES, type TradingQuery, tradingChoice } from './query.ts'

type SpreadName = (typeof SPREAD_NAMES)[number]

/** Number of earlier years in the range. */
export const YEARS_BEFORE = 5
const VOLATILITY_RETURNS = 30
const DECIMALS = 4

type Points = Record<AssetSlug, DailySeries['points']>

export function historySection(points: Points, query: TradingQuery, today: MarketDay, view: View): Html {
  const texts = tradingTexts[view.language]
  const names: Record<SpreadName, string> = {
    spark: texts.spark,
    clean: texts.clean,
    'psv-ttf': texts.psvTtf,
  }
  const show = (name: SpreadName) => names[name]
  const since = today.subtract({ years: 1 }).toString()
  const table: ChartTable = {
    ...spreadTable(spreadsOf(points, query.chart), names[query.chart], since, view),
    hasPun: query.chart !== 'psv-ttf',
    hasMean: true,
  }
  return html`<h2 id="history">${texts.history}: ${names[query.chart]}</h2>
${tradingChoice('chart', { label: texts.show, values: SPREAD_NAMES, show }, query, 'history', view)}
<p>${texts.about[query.chart]}</p>
${table.rows.length > 1 ? chart(table, view) : html`<p class="soft">${texts.none}</p>`}`
}

export function volatilitySection(points: Points, tiles: Html, today: MarketDay, view: View): Html {
  const texts = tradingTexts[view.language]
  const table = volatilityTable(points, today.subtract({ years: 1 }).toString(), view)
  return html`<h2 id="volatility">${texts.volatility}</h2>
<p>${texts.aboutVolatility}</p>
${tiles}${table.rows.length > 1 ? chart(table, view) : html`<p class="soft">${texts.none}</p>`}`
}

function spreadsOf(points: Points, which: SpreadName): DatedValue[] {
  const name = { spark: 'spark', clean: 'clean', 'psv-ttf': 'psvTtf' } as const
  return spreadHistory(points).flatMap((day) => {
    const value = day[name[which]]
    return value === undefined ? [] : [{ date: day.date, value: round(value, DECIMALS) }]
  })
}

function spreadTable(spreads: DatedValue[], name: string, since: string, view: View): ChartTable {
  const texts = tradingTexts[view.language]
  const shown = spreads.filter(({ date }) => date >= since)
  const years = Math.min(YEARS_BEFORE, yearsBefore(spreads[0]?.date, since))
  const ranges = usualRanges(
    spreads,
    shown.map(({ date }) => date),
    years,
  )
  return {
    name: 'spread',
    caption: name,
    dayLabel: texts.day,
    unit: '€/MWh',
    columns: [
      { label: name, line: 'first' },
      { label: texts.low, line: 'low' },
      { label: texts.high, line: 'high' },
    ],
    key: [{ line: 'first', label: name }, ...(years > 0 ? [{ line: 'band' as const, label: texts.usual(years) }] : [])],
    rows: shown
      .map(({ date, value }) => ({ date, values: [value, ranges.get(date)?.low, ranges.get(date)?.high] }))
      .toReversed(),
  }
}

/** Returns the years from the first day to the first day shown, rounded up. */
function yearsBefore(first: string | undefined, since: string): number {
  if (first === undefined || first >= since) return 0
  return Math.ceil(Temporal.PlainDate.from(first).until(since, { largestUnit: 'months' }).months / 12)
}

function volatilityTable(points: Points, since: string, view: View): ChartTable {
  const { day } = tradingTexts[view.language]
  const lines = [
    ['PUN', 'pun', 'first'],
    ['PSV', 'psv', 'second'],
    ['TTF', 'ttf', 'third'],
  ] as const
  const series = lines.map(
    ([, slug]) =>
      new Map(
        volatilities(points[slug], VOLATILITY_RETURNS).map(({ date, value }) => [date, round(value * 100, DECIMALS)]),
      ),
  )
  const dates = [...new Set(series.flatMap((one) => [...one.keys()]))]
    .filter((date) => date >= since)
    .sort()
    .reverse()
  return {
    name: 'volatility',
    caption: tradingTexts[view.language].volatility,
    dayLabel: day,
    unit: '%',
    hasPun: true,
    columns: lines.map(([label, , line]) => ({ label, line })),
    rows: dates.map((date) => ({ date, values: series.map((one) => one.get(date)) })),
  }
}
