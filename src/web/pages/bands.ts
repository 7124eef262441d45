import * as z from 'zod'
import type { MonthlyBands } from '../../api/contract/bands.ts'
import { hourlyZone } from '../../api/contract/hourly.ts'
import { BASE_PATH } from '../../api/contract/identity.ts'
import { lastDayOfPrices } from '../../api/endpoints/current-price.ts'
import { getPunBands } from '../../api/endpoints/pun/get-pun-bands.ts'
import { NATIONAL_ZONE, STORED_ZONES } from '../../market/zones.ts'
import { assetAddress } from '../assets.ts'
import { DECIMAL_PATTERN, decimalField, decimalText } from '../decimal.ts'
import { type Html, html } from '../html.ts'
import { bandsTexts } from '../i18n/bands.ts'
import { zoneNames } from '../i18n/hours.ts'
import { sourceNameIn } from '../i18n/sources.ts'
import { page } from '../page.ts'
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
    const last = (await lastDayOfPrices(service.prices, 'PUN', today)).toPlainYearMonth()
    const from = last.subtract({ months: Number(query.months) + 12 }).toString()
    const reply = await ask<MonthlyBands>(getPunBands, { query: { zone: query.zone, from, to: last.toString() } })
    const newestFirst = reply.months.toReversed()
    const holidays = await service.zones.holidays({ from: today.subtract({ years: YEARS_OF_FILES }), to: today })
    return {
      ...CHART_FILES,
      title: texts.title,
      description: texts.lead,
      section: 'tools',
      synthetic: isSynthetic(reply.source),
      main: html`<p class="lead">${texts.lead}</p>
${endNotice(await priceEnds(['PUN'], service, today), view)}
${zoneChoice(query, view)}
${lastMonth(newestFirst, view)}
<h2 id="cost">${texts.cost}</h2>
<p>${texts.costLead}</p>
${form(query, holidays, view)}
${costTable(newestFirst, query, view)}
${newestFirst.length === 0 ? html`<p class="notice">${texts.none}</p>` : months(newestFirst, reply, query, view)}
<h2>${texts.data}</h2>
<p>${texts.dataLead} <a href="${view.href('/docs/bands')}">${texts.document}</a>.</p>
<pre><code>curl -H 'Authorization: Bearer &lt;API_KEY&gt;' '${service.config.baseUrl.origin}${BASE_PATH}/pun/bands?zone=${query.zone}&amp;from=${from}&amp;to=${last.toString()}&amp;format=csv'</code></pre>`,
    }
  },
})

const DEFAULTS = QUERY.parse({})

/** The page with these fields; those at their default are left out. */
function addressOf(query: Query, view: View): string {
  const fields = Object.entries(query).filter(([name, value]) => value !== DEFAULTS[name as keyof Query])
  const search = new URLSearchParams(fields.map(([name, value]) => [name, String(value)]))
  return view.href(search.size === 0 ? '/bands' : `/bands?${search}`)
}

/** What was entered for the calculation is kept. */
function zoneChoice(query: Query, view: View): Html {
  const name = (zone: Query['zone']) => (zone === 'nazionale' ? 'PUN' : zoneNames[view.language][zone])
  return html`<ul class="buttons" aria-label="${bandsTexts[view.language].zone}">${STORED_ZONES.map((zone) => html`<li><a class="button" href="${addressOf({ ...query, zone }, view)}"${zone === query.zone && html` aria-current="true"`}>${name(zone)}</a></li>`)}</ul>`
}

/** The last complete month by band, against the same month of the year before. */
function lastMonth(newestFirst: readonly Month[], view: View): Html {
  const month = newestFirst.find(({ complete }) => complete)
  if (month === undefined) return html``
  const texts = bandsTexts[view.language]
  const change = changeInYear(month, newestFirst)
  const inUnit = (value: Html) => html`${value} <span class="unit">€/MWh</span>`
  return html`<section class="card answer"><h2>${view.formats.month(month.month)}</h2>
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

/** Complete months only: part of a month says nothing about a bill. */
function costTable(newestFirst: readonly Month[], query: Query, view: View): Html {
  const texts = bandsTexts[view.language]
  const { f1, f2, f3, spread, fixed, fee, contract } = query
  const kwh = f1 + f2 + f3
  const months = newestFirst.filter(({ complete }) => complete).slice(0, MONTHS_COMPARED)
  if (kwh === 0 || months[0] === undefined) return html``
  const euros = (value: number) => html`${figure(value, view)} €`
  const withVat = (cost: number) => cost * (1 + query.vat / 100)
  const parts = (month: Month) => {
    const energy = f1 * (month.f1?.value ?? 0) + f2 * (month.f2?.value ?? 0) + f3 * (month.f3?.value ?? 0)
    return { energy: energy / KWH_PER_MWH, flat: (kwh * (month.f0?.value ?? 0)) / KWH_PER_MWH }
  }
  const variable = (energy: number) => withVat(energy * (1 + query.losses / 100) + kwh * spread + fee)
  const rows = months.map((month) => {
    const { energy, flat } = parts(month)
    return { month, byBand: variable(energy), flat: variable(flat) }
  })
  const total = (of: (row: (typeof rows)[number]) => number) => rows.reduce((sum, row) => sum + of(row), 0)
  const fixedCost = fixed === 0 ? undefined : withVat(kwh * fixed + fee)
  const cells = (byBand: number, flat: number, months: number) =>
    html`<td class="number">${euros(byBand)}</td><td class="number">${euros(flat)}</td>${fixedCost !== undefined && html`<td class="number">${euros(months * fixedCost)}</td>`}`
  const { energy: byBand, flat } = parts(months[0])
  const energy = contract === 'flat' ? flat : byBand
  const isFixed = contract === 'fixed' && fixedCost !== undefined
  const last = isFixed ? fixedCost : variable(energy)
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
  return html`${contract === 'fixed' && fixed === 0 && html`<p class="notice" role="status">${texts.fixedMissing}</p>`}
${spread > SPREAD_USUAL_MAX && html`<p class="notice" role="status">${texts.isSpreadRight(view.formats.number(SPREAD_USUAL_MAX))}</p>`}
<section class="card answer" id="bill"><h3>${view.formats.month(months[0].month)}, ${texts.contracts[isFixed ? 'fixed' : contract === 'flat' ? 'flat' : 'bands'].toLowerCase()}</h3>
<p class="price">${euros(last)}</p>
<dl class="figures">${lines.map(([label, value]) => figureEntry(label, euros(value)))}</dl></section>
<div class="scroll" tabindex="0" role="region" aria-label="${texts.cost}"><table>
<caption>${texts.costOf(view.formats.number(kwh, 0))}</caption>
<thead><tr><th scope="col">${texts.month}</th><th scope="col" class="number">${texts.contracts.bands}</th><th scope="col" class="number">${texts.contracts.flat}</th>${fixed !== 0 && html`<th scope="col" class="number">${texts.contracts.fixed}</th>`}</tr></thead>
<tbody>
${rows.map(({ month, byBand, flat }) => html`<tr><th scope="row">${monthName(month, view)}</th>${cells(byBand, flat, 1)}</tr>\n`)}</tbody>
<tfoot><tr><th scope="row">${texts.total(rows.length)}</th>${cells(
    total(({ byBand }) => byBand),
    total(({ flat }) => flat),
    rows.length,
  )}</tr></tfoot></table></div>
<p class="soft small">${texts.notIncluded}</p>`
}
