import * as z from 'zod'
import type { MonthlyBands } from '../../api/contract/bands.ts'
import { hourlyZone } from '../../api/contract/hourly.ts'
import { BASE_PATH } from '../../api/contract/identity.ts'
import { lastDayOfPrices } from '../../api/endpoints/current-price.ts'
import { getPunBands } from '../../api/endpoints/pun/get-pun-bands.ts'
import type { Service } from '../../api/http/service.ts'
import type { MarketDay } from '../../market/market-day.ts'
import { NATIONAL_ZONE, STORED_ZONES } from '../../market/zones.ts'
import { assetAddress } from '../assets.ts'
import type { ChartData } from '../chart-data.ts'
import { DECIMAL_PATTERN, decimalField, decimalText, MONTHLY_PATTERN, monthlyField } from '../decimal.ts'
import { type Html, html } from '../html.ts'
import { bandsTexts } from '../i18n/bands.ts'
import { zoneName } from '../i18n/hours.ts'
import { sourceNameIn } from '../i18n/sources.ts'
import { type AskEndpoint, page } from '../page.ts'
import { CHART_FILES, type Column, chart } from '../parts/chart.ts'
import { registerChartData } from '../parts/chart-links.ts'
import { buttonLink, option } from '../parts/choices.ts'
import { endNotice, priceEnds } from '../parts/price-end.ts'
import { isSynthetic } from '../parts/provenance.ts'
import { figure, figureEntry, signedFigure, timeElement } from '../parts/value.ts'
import type { View } from '../view.ts'

const MONTHS_SHOWN = ['12', '36', '60'] as const
const MONTHS_COMPARED = 12
/** Years of holidays provided for reading distributors' files. */
const YEARS_OF_FILES = 5
const CONTRACTS = ['bands', 'flat', 'fixed'] as const
/** €/kWh; above it a spread is probably in another unit. */
const SPREAD_USUAL_MAX = 0.2
/** Network losses of households and small businesses, on low voltage, in percent. */
const LOSSES_LOW_VOLTAGE = 10
const VAT_HOUSEHOLDS = 10
const SHOWN_BANDS = ['f0', 'f1', 'f2', 'f3', 'f23'] as const
const KWH_PER_MWH = 1_000

const AMOUNT_MAX = 1_000_000
/** In €/kWh and € a month. */
const amount = decimalField({ max: AMOUNT_MAX, byDefault: 0 })
/** Consumption in kWh a month; `f0` is consumption of unknown band. */
const consumption = monthlyField({ max: AMOUNT_MAX })
const percent = (byDefault: number) => decimalField({ max: 100, byDefault })
const QUERY = z.object({
  months: z.enum(MONTHS_SHOWN).default('12'),
  zone: hourlyZone.default('nazionale'),
  f1: consumption,
  f2: consumption,
  f3: consumption,
  f0: consumption,
  contract: z.enum(CONTRACTS).default('bands'),
  spread: amount,
  fixed: amount,
  fee: amount,
  losses: percent(LOSSES_LOW_VOLTAGE),
  vat: percent(VAT_HOUSEHOLDS),
})
type Query = z.output<typeof QUERY>
type Month = MonthlyBands['months'][number]

/** `/bands`: monthly prices by tariff band, as used in bills, and the cost of the reader's own consumption in each month. */
export const bandsPage = page({
  path: '/bands',
  query: QUERY,
  keptSeconds: 3_600,
  async render({ ask, view, today, query, service }) {
    const texts = bandsTexts[view.language]
    const [{ reply, newestFirst, from, to }, holidays, ends] = await Promise.all([
      fetchBands(query, { ask, service, today }),
      service.zones.holidays({ from: today.subtract({ years: YEARS_OF_FILES }), to: today }),
      priceEnds(['PUN'], service, today),
    ])
    return {
      ...CHART_FILES,
      title: texts.title,
      description: texts.lead,
      section: 'bill',
      fieldsAt: 'cost',
      synthetic: isSynthetic(reply.source),
      main: html`<p class="lead">${texts.lead}</p>
${endNotice(ends, view)}
${zoneChoice(query, view)}
${lastMonth(newestFirst, query.zone, view)}
<h2 id="cost">${texts.cost}</h2>
<p class="screen">${texts.costLead}</p>
${form(query, holidays, view)}
<div id="bill">${costTable(newestFirst, query, view)}</div>
${newestFirst.length === 0 ? html`<p class="soft">${texts.none}</p>` : monthsSection(newestFirst, reply, query, view)}
<section class="screen"><h2>${texts.data}</h2>
<p>${texts.dataLead} <a href="${view.href('/docs/bands')}">${texts.document}</a>.</p>
<pre><code>curl -H 'Authorization: Bearer &lt;API_KEY&gt;' '${service.config.baseUrl.origin}${BASE_PATH}/pun/bands?zone=${query.zone}&amp;from=${from}&amp;to=${to}&amp;format=csv'</code></pre></section>`,
    }
  },
})

/** Requests a year more than is shown, for comparison. */
async function fetchBands(
  { months, zone }: Query,
  { ask, service, today }: { ask: AskEndpoint; service: Service; today: MarketDay },
) {
  const last = (await lastDayOfPrices(service.prices, 'PUN', today)).toPlainYearMonth()
  const span = { from: last.subtract({ months: Number(months) + 12 }).toString(), to: last.toString() }
  const reply = await ask<MonthlyBands>(getPunBands, { query: { zone, ...span } })
  return { reply, newestFirst: reply.months.toReversed(), ...span }
}

const DEFAULTS = QUERY.parse({})

/** Returns the URL of the page with these fields; default values are omitted. */
function addressOf(query: Query, view: View): string {
  return view.href(`/bands${searchOf(query)}`)
}

function searchOf(query: Query): string {
  const text = (value: Query[keyof Query]) => (Array.isArray(value) ? value.join(' ') : String(value))
  const fields = Object.entries(query).map(([name, value]): [string, string] => [name, text(value)])
  const search = new URLSearchParams(fields.filter(([name, value]) => value !== text(DEFAULTS[name as keyof Query])))
  return search.size === 0 ? '' : `?${search}`
}

/** The links keep the input of the calculation. */
function zoneChoice(query: Query, view: View): Html {
  const buttons = STORED_ZONES.map((zone) =>
    buttonLink(addressOf({ ...query, zone }, view), zoneName(zone, view.language), zone === query.zone),
  )
  return html`<ul class="buttons" aria-label="${bandsTexts[view.language].zone}">${buttons}</ul>`
}

/** The last complete month by band, compared with the same month a year earlier. */
function lastMonth(newestFirst: readonly Month[], zone: Query['zone'], view: View): Html {
  const month = newestFirst.find(({ complete }) => complete)
  if (month === undefined) return html``
  const texts = bandsTexts[view.language]
  const change = changeInYear(month, newestFirst)
  const inUnit = (value: Html) => html`${value} <span class="unit">€/MWh</span>`
  return html`<section class="card answer"><h2>${view.formats.month(month.month)}, ${zoneName(zone, view.language)}</h2>
<dl class="figures">
${(['f1', 'f2', 'f3', 'f0'] as const).map((band) => {
  const value = month[band]?.value
  return value === undefined ? html`` : figureEntry(texts.bands[band], inUnit(figure(value, view)))
})}${change !== undefined && figureEntry(texts.yearEarlier, inUnit(signedFigure(change, view)))}</dl></section>`
}

/** Returns the change of F0 from the same month a year earlier, if both are complete. */
function changeInYear(month: Month, months: readonly Month[]): number | undefined {
  const before = months.find((other) => other.month === yearBefore(month))
  if (!month.complete || !before?.complete || !month.f0 || !before.f0) return undefined
  return month.f0.value - before.f0.value
}

/** The bands as a table and a chart, with F0 a year earlier. */
function monthsSection(
  newestFirst: readonly Month[],
  { unit, zone, source }: MonthlyBands,
  query: Query,
  view: View,
): Html {
  const texts = bandsTexts[view.language]
  const lines = { f0: 'f0', f1: 'f1', f2: 'f2', f3: 'f3', f23: 'none' } as const
  const columns: Column[] = [
    ...SHOWN_BANDS.map((band) => ({ label: texts.bands[band], line: lines[band] })),
    { label: texts.yearEarlier, line: 'none', signed: true },
    { label: texts.f0YearEarlier, line: 'previous' },
  ]
  const row = (month: Month) => {
    const before = newestFirst.find((other) => other.month === yearBefore(month))
    const then = before?.complete ? before.f0?.value : undefined
    const note = month.until === undefined ? {} : { note: texts.until(view.formats.shortDay(month.until)) }
    return {
      date: month.month,
      ...note,
      values: [...SHOWN_BANDS.map((band) => month[band]?.value), changeInYear(month, newestFirst), then],
    }
  }
  const newest = Temporal.PlainYearMonth.from((newestFirst[0] as Month).month)
  const firstShown = newest.subtract({ months: Number(query.months) }).toString()
  const next = MONTHS_SHOWN[MONTHS_SHOWN.indexOf(query.months) + 1]
  return html`${chart(
    {
      name: 'bands',
      source,
      caption: texts.months,
      dayLabel: texts.month,
      unit,
      columns,
      rows: newestFirst.filter(({ month }) => month >= firstShown).map(row),
      hasPun: zone === NATIONAL_ZONE,
      isTableOpen: true,
      file: `${zone}_bands`,
    },
    view,
  )}
${next && html`<p><a class="button" href="${addressOf({ ...query, months: next }, view)}">${texts.more(next)}</a></p>`}
<p class="soft small">${texts.definitions} ${source && html`${texts.source}: ${sourceNameIn(view.language, source)}.`}</p>`
}

function yearBefore({ month }: Month): string {
  return Temporal.PlainYearMonth.from(month).subtract({ years: 1 }).toString()
}

/** Adds to the name of an incomplete month its last complete day. */
function monthName({ month, until }: Month, view: View): Html {
  const name = timeElement(month, view.formats.month(month))
  return until === undefined
    ? name
    : html`${name} <span class="soft small">${bandsTexts[view.language].until(view.formats.shortDay(until))}</span>`
}

const CONSUMPTION_FIELDS = ['f1', 'f2', 'f3', 'f0'] as const
const CONTRACT_FIELDS = ['spread', 'fixed', 'fee', 'losses', 'vat'] as const

/** `client/mine.js` stores the input, and reads the consumption from files. */
function form(query: Query, holidays: readonly string[], view: View): Html {
  const texts = bandsTexts[view.language]
  const field = (name: (typeof CONSUMPTION_FIELDS | typeof CONTRACT_FIELDS)[number]) => {
    const values = [query[name]].flat().map((value) => decimalText(value, view.language))
    const isConsumption = Array.isArray(query[name])
    return html`<div class="field"><label for="${name}">${texts.fields[name]}</label>
<input id="${name}" name="${name}" ${!isConsumption && html`inputmode="decimal" `}autocomplete="off" pattern="${isConsumption ? MONTHLY_PATTERN : DECIMAL_PATTERN}" title="${isConsumption ? texts.monthly : texts.number}" required value="${values.join(' ')}"></div>\n`
  }
  return html`<form class="form columns" id="mine" method="get" action="${view.href('/bands')}#bill" data-texts="${JSON.stringify(texts.file)}" data-holidays="${holidays.join(' ')}">
<input type="hidden" name="zone" value="${query.zone}">
${query.months !== '12' && html`<input type="hidden" name="months" value="${query.months}">\n`}${CONSUMPTION_FIELDS.map(field)}<p class="hint whole">${texts.monthly}</p>
<div class="field whole scripted"><label for="files">${texts.files}</label>
<input id="files" type="file" multiple accept=".csv,.txt,text/csv" data-reader="${assetAddress('meter-file.js')}" aria-describedby="files-hint">
<p class="hint" id="files-hint">${texts.filesHint}</p><div id="read" role="status"></div></div>
<div class="field wide"><label for="contract">${texts.contract}</label><select id="contract" name="contract">${CONTRACTS.map((one) => option(one, texts.contracts[one], one === query.contract))}</select></div>
${CONTRACT_FIELDS.map(field)}<div class="whole actions"><button class="primary">${texts.calculate}</button> <button type="button" class="button scripted" data-keep>${texts.keep}</button>
<p class="hint scripted">${texts.keepHint}</p><p class="problem" role="status" data-not-kept hidden>${texts.notKept}</p></div>
</form>`
}

/** Returns costs in € including VAT, newest first, for complete months only: part of a month says nothing about a bill. */
function costsOf(newestFirst: readonly Month[], query: Query) {
  const { losses, spread, fee } = query
  const withVat = (cost: number) => cost * (1 + query.vat / 100)
  const months = newestFirst.filter(({ complete }) => complete).slice(0, MONTHS_COMPARED)
  return months.map((month) => {
    const used = CONSUMPTION_FIELDS.map(
      (band) => query[band].at(query[band].length === 1 ? 0 : Number(month.month.slice(5)) - 1) ?? 0,
    )
    const kwh = used.reduce((sum, one) => sum + one, 0)
    const byBand = used.reduce((sum, one, i) => sum + one * (month[CONSUMPTION_FIELDS[i] ?? 'f0']?.value ?? 0), 0)
    const energy = { bands: byBand / KWH_PER_MWH, flat: (kwh * (month.f0?.value ?? 0)) / KWH_PER_MWH }
    const variable = (energy: number) => withVat(energy * (1 + losses / 100) + kwh * spread + fee)
    const fixed = query.fixed === 0 ? undefined : withVat(kwh * query.fixed + fee)
    return { month, kwh, energy, costs: { bands: variable(energy.bands), flat: variable(energy.flat), fixed } }
  })
}

const PRICES = ['f0', 'f1', 'f2', 'f3'] as const
const COSTS = { bands: 'variable_by_band_eur', flat: 'variable_one_price_eur', fixed: 'fixed_eur' } as const

function billData(months: ReturnType<typeof costsOf>, { zone }: Query, view: View): ChartData {
  const texts = bandsTexts[view.language]
  return {
    ...{ name: 'bill', title: texts.cost, at: 'month', file: `${zone}_bill` },
    columns: [
      ...PRICES.map((band) => ({ name: `${band}_eur_mwh`, label: texts.bands[band], unit: '€/MWh' })),
      { label: 'kwh', unit: 'kWh' },
      ...CONTRACTS.map((one) => ({ name: COSTS[one], label: texts.contracts[one], unit: '€' })),
    ],
    rows: months.map(({ month, kwh, costs }) => ({
      at: month.month,
      values: [...PRICES.map((band) => month[band]?.value), kwh, ...CONTRACTS.map((one) => costs[one])],
    })),
  }
}

function costTable(newestFirst: readonly Month[], query: Query, view: View): Html {
  const texts = bandsTexts[view.language]
  const { spread, fixed, fee } = query
  const rows = costsOf(newestFirst, query)
  const [latest] = rows
  const total = rows.reduce((sum, { kwh }) => sum + kwh, 0)
  if (latest === undefined || total === 0) return html``
  const { month, kwh, energy: market, costs } = latest
  const isVaried = CONSUMPTION_FIELDS.some((band) => query[band].length > 1)
  const euros = (value: number) => html`${figure(value, view)} €`
  const isSplit = (['f1', 'f2', 'f3'] as const).some((band) => query[band].some((used) => used > 0))
  const shown = CONTRACTS.filter((one) => costs[one] !== undefined && (one !== 'bands' || isSplit))
  const contract = shown.includes(query.contract) ? query.contract : isSplit ? 'bands' : 'flat'
  const last = costs[contract] ?? 0
  const cells = (of: (contract: (typeof CONTRACTS)[number]) => number) =>
    shown.map((one) => html`<td class="number">${euros(of(one))}</td>`)
  const energy = contract === 'flat' ? market.flat : market.bands
  const isFixed = contract === 'fixed'
  const priced = isFixed
    ? ([[texts.parts.fixed, kwh * fixed]] as const)
    : ([
        [texts.parts.energy, energy],
        [texts.parts.losses(decimalText(query.losses, view.language)), (energy * query.losses) / 100],
        [texts.parts.spread, kwh * spread],
      ] as const)
  const lines = [
    ...priced,
    [texts.parts.fee, fee],
    [texts.parts.vat(decimalText(query.vat, view.language)), last - last / (1 + query.vat / 100)],
  ] as const
  return html`${query.contract === 'fixed' && contract !== 'fixed' && html`<p class="notice" role="status">${texts.fixedMissing}</p>`}
${spread > SPREAD_USUAL_MAX && html`<p class="notice" role="status">${texts.isSpreadRight(view.formats.number(SPREAD_USUAL_MAX))}</p>`}
<section class="card answer"><h3>${view.formats.month(month.month)}, ${texts.contracts[contract].toLowerCase()}</h3>
<p class="price">${euros(last)}</p>
<dl class="figures">${lines.map(([label, value]) => figureEntry(label, euros(value)))}</dl></section>
<div class="scroll" tabindex="0" role="region" aria-label="${texts.cost}"><table>
<caption>${texts.costOf(view.formats.number(total / rows.length, 0))}</caption>
<thead><tr><th scope="col">${texts.month}</th>${isVaried && html`<th scope="col" class="number">kWh</th>`}${shown.map((one) => html`<th scope="col" class="number">${texts.contracts[one]}</th>`)}</tr></thead>
<tbody>
${rows.map(({ month, kwh, costs }) => html`<tr><th scope="row">${monthName(month, view)}</th>${isVaried && html`<td class="number">${figure(kwh, view, 0)}</td>`}${cells((one) => costs[one] ?? 0)}</tr>\n`)}</tbody>
<tfoot><tr><th scope="row">${texts.total(rows.length)}</th>${isVaried && html`<td class="number">${figure(total, view, 0)}</td>`}${cells((one) => rows.reduce((sum, { costs }) => sum + (costs[one] ?? 0), 0))}</tr></tfoot></table></div>
<div class="tools"><a class="button" href="${registerChartData(billData(rows, query, view), view)}" download>${texts.csv}</a></div>
<p class="soft small">${texts.notIncluded}</p>`
}
