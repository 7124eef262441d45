/** A battery on the day-ahead market: its form, and its hypothetical earnings per MW and year and by month. */
import { type BatteryResult, batteryRequest } from '../../api/contract/battery.ts'
import { batteryOf } from '../../api/endpoints/trading/post-battery.ts'
import type { HandlerContext } from '../../api/http/endpoint.ts'
import type { MarketDay } from '../../market/market-day.ts'
import { laterOf } from '../../market/time-order.ts'
import { STORED_ZONES } from '../../market/zones.ts'
import { DECIMAL_PATTERN, decimalText } from '../decimal.ts'
import { type Html, html } from '../html.ts'
import { bandsTexts } from '../i18n/bands.ts'
import { tradingTexts } from '../i18n/trading.ts'
import { barTable } from '../parts/bar-table.ts'
import { zoneOptions } from '../parts/choices.ts'
import { dataElement, figure, figureEntry, figureInUnit } from '../parts/value.ts'
import type { View } from '../view.ts'
import { renderResult } from './backtest-section.ts'
import { BATTERY_FIELDS, hiddenFields, type TradingQuery } from './query.ts'

const FIELDS = Object.keys(BATTERY_FIELDS) as (keyof typeof BATTERY_FIELDS)[]

export async function batterySection(
  query: TradingQuery,
  { from: earliest, to: end }: { from: MarketDay; to: MarketDay },
  context: HandlerContext,
  view: View,
): Promise<Html> {
  const texts = tradingTexts[view.language]
  const to = query.to ?? end
  const from = laterOf(query.from ?? to.subtract({ days: 364 }), earliest)
  const request = {
    ...{ zone: query.battery_zone, from: from.toString(), to: to.toString(), power_mw: query.power },
    ...{ energy_mwh: query.energy, efficiency: query.efficiency / 100, cycles_per_day: query.cycles },
  }
  const input = (name: (typeof FIELDS)[number]) =>
    html`<label for="${name}"><span>${texts.batteryFields[name]}</span><input id="${name}" name="${name}" inputmode="decimal" required pattern="${DECIMAL_PATTERN}" title="${bandsTexts[view.language].number}" value="${decimalText(query[name], view.language)}"></label>\n`
  const date = (name: 'from' | 'to', day: MarketDay) =>
    html`<label for="${name}"><span>${texts[name]}</span><input id="${name}" name="${name}" type="date" required min="${earliest.toString()}" max="${end.toString()}" value="${day.toString()}"></label>\n`
  return html`<h2 id="battery">${texts.battery}</h2>
<p>${texts.batteryLead}</p>
<form class="live card" method="get" action="${view.href('/trading')}#battery" data-live="battery-result">
${hiddenFields(query, [...FIELDS, 'battery_zone', 'from', 'to'])}<label for="battery_zone"><span>${texts.zone}</span><select id="battery_zone" name="battery_zone">${zoneOptions(STORED_ZONES, query.battery_zone, view)}</select></label>
${FIELDS.map(input)}${date('from', from)}${date('to', to)}<div><button class="primary">${texts.run}</button></div>
</form>
<div id="battery-result">${await renderResult(batteryRequest, request, async (body) => outcome(await batteryOf(body, context), view))}</div>`
}

function outcome({ perfect_foresight: perfect, forecast, ...found }: BatteryResult, view: View): Html {
  const texts = tradingTexts[view.language]
  const { formats } = view
  const percent = (pct: number) => formats.percent(pct / 100)
  const perYear = (label: string, value: number) => figureEntry(label, figureInUnit(value, texts.perMwYear, view, 0))
  const cycles = perfect.cycles / perfect.days
  const rows = found.months.toReversed().map((month) => ({
    label: formats.month(month.month),
    cells: [
      figure(month.perfect_foresight_eur, view, 0),
      month.forecast_eur === undefined ? html`–` : figure(month.forecast_eur, view, 0),
      month.share_pct === undefined ? html`–` : dataElement(month.share_pct, percent(month.share_pct)),
      figure(month.days, view, 0),
      figure(month.forecast_days, view, 0),
    ],
    value: month.perfect_foresight_eur,
    other: forecast && Math.max(0, month.forecast_eur ?? 0),
  }))
  const { incomplete_prices: incomplete } = found.excluded_days
  return html`<dl class="tiles">
${perYear(texts.perfect, perfect.eur_mw_year)}${forecast && perYear(texts.byForecast, forecast.eur_mw_year)}${forecast?.share_pct !== undefined && figureEntry(texts.shareReached, dataElement(forecast.share_pct, percent(forecast.share_pct)))}${figureEntry(texts.cyclesRun, figure(cycles, view))}</dl>
<p class="soft small">${texts.scaledFrom(formats.day(found.from), formats.day(found.to), perfect.days)}${incomplete > 0 && ` ${texts.incompleteDays(incomplete)}`} ${forecast ? texts.forecastDays(forecast.days, forecast.live_days, forecast.replay_days) : texts.noForecastDays}</p>
${barTable({
  caption: texts.batteryMonths,
  heads: texts.batteryHeads,
  rows,
  key: [
    { kind: 'value', label: texts.perfect },
    ...(forecast ? [{ kind: 'other' as const, label: texts.byForecast }] : []),
  ],
})}`
}
