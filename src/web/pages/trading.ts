import { PLANS, planIncludes } from '../../api/contract/plans.ts'
import type { DailySeries } from '../../api/contract/series.ts'
import type { Vitals } from '../../api/contract/trading.ts'
import { lastDayOfPrices } from '../../api/endpoints/current-price.ts'
import { getPricesSeries } from '../../api/endpoints/prices/get-series.ts'
import { getTradingVitals } from '../../api/endpoints/trading/get-vitals.ts'
import type { Caller } from '../../api/http/caller.ts'
import { ASSET_CODES, ASSET_SLUGS, type AssetSlug } from '../../market/assets.ts'
import type { MarketDay } from '../../market/market-day.ts'
import { undefinedIfNotFound } from '../ask-endpoints.ts'
import { type Html, html } from '../html.ts'
import { tradingTexts } from '../i18n/trading.ts'
import { page } from '../page.ts'
import { CHART_FILES } from '../parts/chart.ts'
import { keyForm } from '../parts/key-form.ts'
import { endNotice, priceEnds } from '../parts/price-end.ts'
import { isSynthetic } from '../parts/provenance.ts'
import { figure, figureEntry, signedFigure, timeElement } from '../parts/value.ts'
import { backtestSection } from '../trading/backtest-section.ts'
import { batterySection } from '../trading/battery-section.ts'
import { correlationSection, fetchCorrelation } from '../trading/correlation-section.ts'
import { historySection, volatilitySection, YEARS_BEFORE } from '../trading/history-section.ts'
import { TRADING_PATH, tradingQuery } from '../trading/query.ts'
import { zoneSpreadSection } from '../trading/zone-spread-section.ts'
import type { View } from '../view.ts'

/** Years read with a key: the one shown and those of its band. */
const YEARS = YEARS_BEFORE + 1
/** This page takes longer to compute than any other, and changes only with the data. */
const CACHE_SECONDS = 3_600
/** Days shown without a key: the history of a free key, less than on other pages, since the API requires a paid key for these figures. */
const PUBLIC_DEPTH_DAYS = PLANS.Developer.historyDepthDays

/** `/trading`: spreads, correlations, volatility and backtests; for the history of a free key or, with a key of the right plan, for all years. */
export const tradingPage = page({
  path: TRADING_PATH,
  forKeys: true,
  keptSeconds: CACHE_SECONDS,
  query: tradingQuery,
  async render({ query, ask, service, holder, now, today, view }) {
    const texts = tradingTexts[view.language]
    const isFull = holder !== undefined && planIncludes(holder.plan, getTradingVitals.plan)
    const depth = isFull ? holder.historyDepthDays : PUBLIC_DEPTH_DAYS
    const end = await lastDayOfPrices(service.prices, 'PUN', today)
    const first = depth === 'complete' ? end.subtract({ years: YEARS }) : end.subtract({ days: depth })
    const seriesOf = (slug: AssetSlug) =>
      ask<DailySeries>(getPricesSeries, {
        path: { asset: slug },
        query: { from: first.toString(), to: end.add({ days: 1 }).toString() },
      })
    const [vitals, series, correlation] = await Promise.all([
      undefinedIfNotFound(ask<Vitals>(getTradingVitals)),
      Promise.all(ASSET_SLUGS.map(async (slug) => [slug, (await seriesOf(slug)).points] as const)),
      fetchCorrelation(ask, query.window),
    ])
    const points = Object.fromEntries(series) as Record<AssetSlug, DailySeries['points']>
    const context = { service, today, now }
    const span = { from: backtestFrom(depth, end), to: end }
    return {
      title: texts.title,
      description: texts.description,
      section: 'tools',
      fieldsAt: 'battery',
      scripts: [...CHART_FILES.scripts, 'live.js', 'key.js'],
      styles: CHART_FILES.styles,
      synthetic: isSynthetic(vitals?.source),
      main: html`<p class="lead">${texts.lead}</p>
${endNotice(await priceEnds(ASSET_CODES, service, today), view)}
<p><a href="${view.href('/docs/methodology-trading')}">${texts.rules}</a></p>
<div id="for-holder">
${await zoneSpreadSection(query, end, service, view)}
<p class="soft small">${depthText(holder, isFull, view)}</p>
${vitals === undefined ? html`<p class="soft">${texts.none}</p>` : vitalsSection(vitals, view)}
${historySection(points, query, end, view)}
${correlationSection(correlation, points, query, end, view)}
${volatilitySection(points, vitals ? rangeTiles(vitals, view) : html``, end, view)}
${await batterySection(query, span, context, view)}
${await backtestSection(query, span, context, view)}
</div>
${keyForm(view)}`,
    }
  },
})

/** Backtests may span twenty years. */
function backtestFrom(depth: Caller['historyDepthDays'], end: MarketDay): MarketDay {
  return depth === 'complete' ? end.subtract({ years: 20 }) : end.subtract({ days: depth })
}

function depthText(holder: Caller | undefined, isFull: boolean, view: View): string {
  const texts = tradingTexts[view.language]
  const { plan } = getTradingVitals
  if (isFull && holder) return texts.holder(holder.plan)
  if (holder) return texts.lower(holder.plan, plan)
  return texts.depth(view.formats.number(Number(PUBLIC_DEPTH_DAYS), 0), plan)
}

function vitalsSection(vitals: Vitals, view: View): Html {
  const texts = tradingTexts[view.language]
  const { spark_spread: spark, clean_spark_spread: clean, psv_ttf_spread: psvTtf, date, unit } = vitals
  const tile = (label: string, value: number) => unitTile(label, signedFigure(value, view), unit)
  return html`<h2 id="now">${texts.now}: ${timeElement(date, view.formats.weekday(date))}</h2>
<dl class="tiles">
${tile(texts.spark, spark)}${tile(texts.clean, clean)}${tile(texts.psvTtf, psvTtf)}</dl>`
}

function rangeTiles({ atr_14d: range, date, unit }: Vitals, view: View): Html {
  const texts = tradingTexts[view.language]
  const day = html`<small>${timeElement(date, view.formats.day(date))}</small>`
  return html`<dl class="tiles">
${unitTile(texts.atrPun, figure(range.pun, view), unit, day)}${unitTile(texts.atrPsv, figure(range.psv, view), unit, day)}</dl>
`
}

function unitTile(label: string, value: Html, unit: string, note = html``): Html {
  return figureEntry(label, html`${value} <span class="unit">${unit}</span>${note}`)
}
