import { type Request, type Response, Router } from 'express'
import * as z from 'zod'
import type { MonthlyBands } from '../../api/contract/bands.ts'
import { hourlyZone } from '../../api/contract/hourly.ts'
import { BASE_PATH } from '../../api/contract/identity.ts'
import { lastDayOfPrices } from '../../api/endpoints/current-price.ts'
import { getPunBands } from '../../api/endpoints/pun/get-pun-bands.ts'
import { toCsv } from '../../api/http/csv-table.ts'
import { readQuery } from '../../api/http/query.ts'
import { send, textBody } from '../../api/http/send.ts'
import type { Service } from '../../api/http/service.ts'
import { validate } from '../../api/http/validate.ts'
import { type MarketDay, marketDayOf } from '../../market/market-day.ts'
import { NATIONAL_ZONE, STORED_ZONES } from '../../market/zones.ts'
import { askEndpoints } from '../ask-endpoints.ts'
import { assetAddress } from '../assets.ts'
import { DECIMAL_PATTERN, decimalField, decimalText } from '../decimal.ts'
import { type Html, html } from '../html.ts'
import { bandsTexts } from '../i18n/bands.ts'
import { zoneName } from '../i18n/hours.ts'
import { sourceNameIn } from '../i18n/sources.ts'
import { type AskEndpoint, page } from '../page.ts'
import type { PageAnswersOptions } from '../page-answers.ts'
import { CHART_FILES, type Column, chart } from '../parts/chart.ts'
import { endNotice, priceEnds } from '../parts/price-end.ts'
import { isSynthetic } from '../parts/provenance.ts'
import { figure, figureEntry, signedFigure } from '../parts/value.ts'
import type { View } from '../view.ts'

const MONTHS_SHOWN = ['12', '36', '60'] as const
const MONTHS_COMPARED = 12
/** By which the holidays of a distributor's file are known. */
const YEARS_OF_FILES = 5
const CONTRACTS = ['bands', 'flat', 'fixed'] as const
/** €/kWh; above it a spread is probably in another unit. */
const SPREAD_USUAL_MAX = 0.2
/** Of households and small businesses, on low voltage, in percent. */
const LOSSES_LOW_VOLTAGE = 10
const VAT_HOUSEHOLDS = 10
const SHOWN = ['f0', 'f1', 'f2', 'f3', 'f23'] as const
const KWH_PER_MWH = 1_000

/** In kWh a month, €/kWh and € a month. */
const amount = decimalField({ max: 1_000_000, byDefault: 0 })
const percent = (byDefault: number) => decimalField({ max: 100, byDefault })
const QUERY = z.object({
  months: z.enum(MONTHS_SHOWN).default('12'),
  zone: hourlyZone.default('nazionale'),
  f1: amount,
  f2: amount,
  f3: amount,
  contract: z.enum(CONTRACTS).default('bands'),
  spread: amount,
  fixed: amount,
  fee: amount,
  losses: percent(LOSSES_LOW_VOLTAGE),
  vat: percent(VAT_HOUSEHOLDS),
})
type Query = z.output<typeof QUERY>
type Month = MonthlyBands['months'][number]

/** `/bands`: the months as bills use them, and what one's own consumption would have cost in each. */
export const bandsPage = page({
  path: '/bands',
  query: QUERY,
  async render({ ask, view, today, query, service }) {
    const texts = bandsTexts[view.language]
    const { reply, newestFirst, from, to } = await askBands(query, { ask, service, today })
    const holidays = await service.zones.holidays({ from: today.subtract({ years: YEARS_OF_FILES }), to: today })
    return {
      ...CHART_FILES,
      title: texts.title,
      description: texts.lead,
      section: 'bill',
      fieldsAt: 'cost',
      synthetic: isSynthetic(reply.source),
      main: html`<p class="lead">${texts.lead}</p>
${endNotice(await priceEnds(['PUN'], service, today), view)}
${zoneChoice(query, view)}
${lastMonth(newestFirst, query.zone, view)}
<h2 id="cost">${texts.cost}</h2>
<p class="screen">${texts.costLead}</p>
${form(query, holidays, view)}
${costTable(newestFirst, query, view)}
${newestFirst.length === 0 ? html`<p class="soft">${texts.none}</p>` : months(newestFirst, reply, query, view)}
<section class="screen"><h2>${texts.data}</h2>
<p>${texts.dataLead} <a href="${view.href('/docs/bands')}">${texts.document}</a>.</p>
<pre><code>curl -H 'Authorization: Bearer &lt;API_KEY&gt;' '${service.config.baseUrl.origin}${BASE_PATH}/pun/bands?zone=${query.zone}&amp;from=${from}&amp;to=${to}&amp;format=csv'</code></pre></section>`,
    }
  },
})

/** A year more than is shown, to compare with. */
async function askBands(
  { months, zone }: Query,
  { ask, service, today }: { ask: AskEndpoint; service: Service; today: MarketDay },
) {
  const last = (await lastDayOfPrices(service.prices, 'PUN', today)).toPlainYearMonth()
  const span = { from: last.subtract({ months: Number(months) + 12 }).toString(), to: last.toString() }
  const reply = await ask<MonthlyBands>(getPunBands, { query: { zone, ...span } })
  return { reply, newestFirst: reply.months.toReversed(), ...span }
}

/** `/bands.csv`: what the reader's use would have cost each month, with the page's own query. */
export function bandsCsvRoute({
  service,
  security,
  limiter,
}: Pick<PageAnswersOptions, 'service' | 'security' | 'limiter'>): Router {
  const router = Router({ caseSensitive: true })
  router.get('/bands.csv', async (req: Request, res: Response) => {
    const query = validate(QUERY, readQuery(req.url, Object.keys(QUERY.shape)), 'query')
    const now = service.clock.now()
    const today = marketDayOf(now)
    const { newestFirst } = await limiter.run(() =>
      askBands(query, { ask: askEndpoints(service, { now, today }), service, today }),
    )
    const rows = costsOf(newestFirst, query).map(({ month, kwh, costs }) => ({
      month: month.month,
      f0_eur_mwh: month.f0?.value,
      f1_eur_mwh: month.f1?.value,
      f2_eur_mwh: month.f2?.value,
      f3_eur_mwh: month.f3?.value,
      kwh,
      variable_by_band_eur: costs.bands,
      variable_one_price_eur: costs.flat,
      fixed_eur: costs.fixed,
    }))
    const text = toCsv({ columns: COST_COLUMNS, rows: rows.toReversed() })
    const own = [
      'Content-Type',
      'text/csv; charset=utf-8',
      'Content-Disposition',
      `attachment; filename="${query.zone}_bill.csv"`,
      'Cache-Control',
      'no-store',
    ]
    send(res, 200, [...own, ...security], textBody(text))
  })
  return router
}

const COST_COLUMNS = [
  'month',
  'f0_eur_mwh',
  'f1_eur_mwh',
  'f2_eur_mwh',
  'f3_eur_mwh',
  'kwh',
  'variable_by_band_eur',
  'variable_one_price_eur',
  'fixed_eur',
] as const

const DEFAULTS = QUERY.parse({})

/** The page with these fields; those at their default are left out. */
function addressOf(query: Query, view: View): string {
  return view.href(`/bands${searchOf(query)}`)
}

function searchOf(query: Query): string {
  const fields = Object.entries(query).filter(([name, value]) => value !== DEFAULTS[name as keyof Query])
  const search = new URLSearchParams(fields.map(([name, value]) => [name, String(value)]))
  return search.size === 0 ? '' : `?${search}`
}

/** What was entered for the calculation is kept. */
function zoneChoice(query: Query, view: View): Html {
  return html`<ul class="buttons" aria-label="${bandsTexts[view.language].zone}">${STORED_ZONES.map((zone) => html`<li><a class="button" href="${addressOf({ ...query, zone }, view)}"${zone === query.zone && html` aria-current="true"`}>${zoneName(zone, view.language)}</a></li>`)}</ul>`
}

/** The last complete month by band, against the same month of the year before. */
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

/** Of F0 since the same month of the year before, where both are complete. */
function changeInYear(month: Month, months: readonly Month[]): number | undefined {
  const before = months.find((other) => other.month === yearBefore(month))
  if (!month.complete || !before?.complete || !month.f0 || !before.f0) return undefined
  return month.f0.value - before.f0.value
}

/** The bands as a table and a chart, with F0 a year earlier. */
function months(newestFirst: readonly Month[], { unit, zone, source }: MonthlyBands, query: Query, view: View): Html {
  const texts = bandsTexts[view.language]
  const lines = { f0: 'f0', f1: 'f1', f2: 'f2', f3: 'f3', f23: 'none' } as const
  const columns: Column[] = [
    ...SHOWN.map((band) => ({ label: texts.bands[band], line: lines[band] })),
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
      values: [...SHOWN.map((band) => month[band]?.value), changeInYear(month, newestFirst), then],
    }
  }
  const newest = Temporal.PlainYearMonth.from((newestFirst[0] as Month).month)
  const firstShown = newest.subtract({ months: Number(query.months) }).toString()
  const next = MONTHS_SHOWN[MONTHS_SHOWN.indexOf(query.months) + 1]
  const drawn = columns.filter(({ line }) => line !== 'none')
  return html`${chart(
    {
      caption: texts.months,
      dayLabel: texts.month,
      unit,
      columns,
      rows: newestFirst.filter(({ month }) => month >= firstShown).map(row),
      key: drawn.map(({ line, label }) => ({ line, label })),
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

/** A month that is not over says until when it is known. */
function monthName({ month, until }: Month, view: View): Html {
  const name = html`<time datetime="${month}">${view.formats.month(month)}</time>`
  return until === undefined
    ? name
    : html`${name} <span class="soft small">${bandsTexts[view.language].until(view.formats.shortDay(until))}</span>`
}

const USE = ['f1', 'f2', 'f3'] as const
const TERMS = ['spread', 'fixed', 'fee', 'losses', 'vat'] as const

/** `client/mine.js` keeps what was entered, and reads the use from files. */
function form(query: Query, holidays: readonly string[], view: View): Html {
  const texts = bandsTexts[view.language]
  const field = (name: (typeof USE | typeof TERMS)[number]) =>
    html`<div class="field"><label for="${name}">${texts.fields[name]}</label>
<input id="${name}" name="${name}" inputmode="decimal" autocomplete="off" pattern="${DECIMAL_PATTERN}" title="${texts.number}" required value="${decimalText(query[name], view.language)}"></div>\n`
  const contract = (value: (typeof CONTRACTS)[number]) =>
    html`<option value="${value}"${value === query.contract && html` selected`}>${texts.contracts[value]}</option>`
  return html`<form class="form columns" id="mine" method="get" action="${view.href('/bands')}#cost" data-texts="${JSON.stringify(texts.file)}" data-holidays="${holidays.join(' ')}">
<input type="hidden" name="zone" value="${query.zone}">
${query.months !== '12' && html`<input type="hidden" name="months" value="${query.months}">\n`}${USE.map(field)}<div class="field whole scripted"><label for="files">${texts.files}</label>
<input id="files" type="file" multiple accept=".csv,.txt,text/csv" data-reader="${assetAddress('meter-file.js')}" aria-describedby="files-hint">
<p class="hint" id="files-hint">${texts.filesHint}</p><div id="read" role="status"></div></div>
<div class="field wide"><label for="contract">${texts.contract}</label><select id="contract" name="contract">${CONTRACTS.map(contract)}</select></div>
${TERMS.map(field)}<div class="whole actions"><button class="primary">${texts.calculate}</button> <button type="button" class="button scripted" data-keep>${texts.keep}</button>
<p class="hint scripted">${texts.keepHint}</p><p class="problem" role="status" data-not-kept hidden>${texts.notKept}</p></div>
</form>`
}

/** In € with VAT, newest first. Complete months only: part of a month says nothing about a bill. */
function costsOf(newestFirst: readonly Month[], { f1, f2, f3, ...terms }: Query) {
  const kwh = f1 + f2 + f3
  const withVat = (cost: number) => cost * (1 + terms.vat / 100)
  const variable = (energy: number) => withVat(energy * (1 + terms.losses / 100) + kwh * terms.spread + terms.fee)
  const fixed = terms.fixed === 0 ? undefined : withVat(kwh * terms.fixed + terms.fee)
  const months = newestFirst.filter(({ complete }) => complete).slice(0, MONTHS_COMPARED)
  return months.map((month) => {
    const byBand = f1 * (month.f1?.value ?? 0) + f2 * (month.f2?.value ?? 0) + f3 * (month.f3?.value ?? 0)
    const energy = { bands: byBand / KWH_PER_MWH, flat: (kwh * (month.f0?.value ?? 0)) / KWH_PER_MWH }
    return { month, kwh, energy, costs: { bands: variable(energy.bands), flat: variable(energy.flat), fixed } }
  })
}

function costTable(newestFirst: readonly Month[], query: Query, view: View): Html {
  const texts = bandsTexts[view.language]
  const { spread, fixed, fee } = query
  const rows = costsOf(newestFirst, query)
  const [latest] = rows
  if (latest === undefined || latest.kwh === 0) return html``
  const { month, kwh, energy: market, costs } = latest
  const euros = (value: number) => html`${figure(value, view)} €`
  const shown = CONTRACTS.filter((one) => costs[one] !== undefined)
  const contract = shown.includes(query.contract) ? query.contract : 'bands'
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
  return html`${contract !== query.contract && html`<p class="notice" role="status">${texts.fixedMissing}</p>`}
${spread > SPREAD_USUAL_MAX && html`<p class="notice" role="status">${texts.isSpreadRight(view.formats.number(SPREAD_USUAL_MAX))}</p>`}
<section class="card answer" id="bill"><h3>${view.formats.month(month.month)}, ${texts.contracts[contract].toLowerCase()}</h3>
<p class="price">${euros(last)}</p>
<dl class="figures">${lines.map(([label, value]) => figureEntry(label, euros(value)))}</dl></section>
<div class="scroll" tabindex="0" role="region" aria-label="${texts.cost}"><table>
<caption>${texts.costOf(view.formats.number(kwh, 0))}</caption>
<thead><tr><th scope="col">${texts.month}</th>${shown.map((one) => html`<th scope="col" class="number">${texts.contracts[one]}</th>`)}</tr></thead>
<tbody>
${rows.map(({ month, costs }) => html`<tr><th scope="row">${monthName(month, view)}</th>${cells((one) => costs[one] ?? 0)}</tr>\n`)}</tbody>
<tfoot><tr><th scope="row">${texts.total(rows.length)}</th>${cells((one) => rows.reduce((sum, { costs }) => sum + (costs[one] ?? 0), 0))}</tr></tfoot></table></div>
<div class="tools"><a class="button" href="/bands.csv${searchOf(query)}" download>${texts.csv}</a></div>
<p class="soft small">${texts.notIncluded}</p>`
}
