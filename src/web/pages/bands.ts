import * as z from 'zod'
import type { MonthlyBands } from '../../api/contract/bands.ts'
import { hourlyZone } from '../../api/contract/hourly.ts'
import { BASE_PATH } from '../../api/contract/identity.ts'
import { lastDayOfPrices } from '../../api/endpoints/current-price.ts'
import { getPunBands } from '../../api/endpoints/pun/get-pun-bands.ts'
import { STORED_ZONES } from '../../market/zones.ts'
import { DECIMAL_PATTERN, decimalField, decimalText } from '../decimal.ts'
import { type Html, html } from '../html.ts'
import { bandsTexts } from '../i18n/bands.ts'
import { zoneNames } from '../i18n/hours.ts'
import { sourceNameIn } from '../i18n/sources.ts'
import { page } from '../page.ts'
import { CHART_FILES, type Column, chart } from '../parts/chart.ts'
import { endNotice, priceEnds } from '../parts/price-end.ts'
import { isSynthetic } from '../parts/provenance.ts'
import { figure } from '../parts/value.ts'
import type { View } from '../view.ts'

const MONTHS_SHOWN = 24
const MONTHS_COMPARED = 12
const SHOWN = ['f0', 'f1', 'f2', 'f3', 'f23'] as const
const KWH_PER_MWH = 1_000

/** In kWh a month, €/kWh and € a month. */
const amount = decimalField({ max: 1_000_000, byDefault: 0 })
const QUERY = z.object({
  zone: hourlyZone.default('nazionale'),
  f1: amount,
  f2: amount,
  f3: amount,
  spread: amount,
  fixed: amount,
  fee: amount,
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
    const from = last.subtract({ months: MONTHS_SHOWN }).toString()
    const reply = await ask<MonthlyBands>(getPunBands, { query: { zone: query.zone, from, to: last.toString() } })
    const newestFirst = reply.months.toReversed()
    return {
      ...CHART_FILES,
      title: texts.title,
      description: texts.lead,
      section: 'tools',
      synthetic: isSynthetic(reply.source),
      main: html`<p class="lead">${texts.lead}</p>
${endNotice(await priceEnds(['PUN'], service, today), view)}
${zoneChoice(query, view)}
${newestFirst.length === 0 ? html`<p class="notice">${texts.none}</p>` : months(newestFirst, reply, view)}
<h2 id="cost">${texts.cost}</h2>
<p>${texts.costLead}</p>
${form(query, view)}
${costTable(newestFirst, query, view)}
<h2>${texts.data}</h2>
<p>${texts.dataLead} <a href="${view.href('/docs/bands')}">${texts.document}</a>.</p>
<pre><code>curl -H 'Authorization: Bearer &lt;API_KEY&gt;' '${service.config.baseUrl.origin}${BASE_PATH}/pun/bands?zone=${query.zone}&amp;from=${from}&amp;to=${last.toString()}&amp;format=csv'</code></pre>`,
    }
  },
})

/** What was entered for the calculation is kept. */
function zoneChoice({ zone: chosen, ...entered }: Query, view: View): Html {
  const texts = bandsTexts[view.language]
  const name = (zone: Query['zone']) => (zone === 'nazionale' ? 'PUN' : zoneNames[view.language][zone])
  const addressOf = (zone: Query['zone']) => {
    const fields = Object.entries(entered).flatMap(([name, value]) => (value === 0 ? [] : [[name, String(value)]]))
    const search = new URLSearchParams([...(zone === 'nazionale' ? [] : [['zone', zone]]), ...fields])
    return view.href(search.size === 0 ? '/bands' : `/bands?${search}`)
  }
  return html`<ul class="buttons" aria-label="${texts.zone}">${STORED_ZONES.map((zone) => html`<li><a class="button" href="${addressOf(zone)}"${zone === chosen && html` aria-current="true"`}>${name(zone)}</a></li>`)}</ul>`
}

/** The bands as a table and a chart, with F0 a year earlier. */
function months(newestFirst: readonly Month[], { unit, zone, source }: MonthlyBands, view: View): Html {
  const texts = bandsTexts[view.language]
  const lines = { f0: 'f0', f1: 'f1', f2: 'f2', f3: 'f3', f23: 'none' } as const
  const columns: Column[] = [
    ...SHOWN.map((band) => ({ label: texts.bands[band], line: lines[band] })),
    { label: texts.yearEarlier, line: 'none', signed: true },
    { label: texts.f0YearEarlier, line: 'previous' },
  ]
  const row = (month: Month) => {
    const before = newestFirst.find((other) => other.month === yearBefore(month))
    const [now, then] = [month.f0?.value, before?.complete ? before.f0?.value : undefined]
    const difference = now !== undefined && then !== undefined && month.complete ? now - then : undefined
    const note = month.until === undefined ? {} : { note: texts.until(view.formats.shortDay(month.until)) }
    return { date: month.month, ...note, values: [...SHOWN.map((band) => month[band]?.value), difference, then] }
  }
  const drawn = columns.filter(({ line }) => line !== 'none')
  return html`${chart(
    {
      caption: texts.months,
      dayLabel: texts.month,
      unit,
      columns,
      rows: newestFirst.map(row),
      key: drawn.map(({ line, label }) => ({ line, label })),
      isTableOpen: true,
      file: `${zone}_bands`,
    },
    view,
  )}
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

const FIELDS = ['f1', 'f2', 'f3', 'spread', 'fixed', 'fee'] as const

function form(query: Query, view: View): Html {
  const texts = bandsTexts[view.language]
  const field = (name: (typeof FIELDS)[number]) =>
    html`<div class="field"><label for="${name}">${texts.fields[name]}</label>
<input id="${name}" name="${name}" inputmode="decimal" autocomplete="off" pattern="${DECIMAL_PATTERN}" title="${texts.number}" required value="${decimalText(query[name], view.language)}"></div>\n`
  return html`<form class="form" method="get" action="${view.href('/bands')}#cost">
<input type="hidden" name="zone" value="${query.zone}">
${FIELDS.map(field)}<button class="primary">${texts.calculate}</button>
</form>`
}

/** Complete months only: part of a month says nothing about a bill. */
function costTable(newestFirst: readonly Month[], query: Query, view: View): Html {
  const texts = bandsTexts[view.language]
  const { f1, f2, f3, spread, fixed, fee } = query
  const kwh = f1 + f2 + f3
  const months = newestFirst.filter(({ complete }) => complete).slice(0, MONTHS_COMPARED)
  if (kwh === 0 || months.length === 0) return html``
  const euros = (value: number) => html`${figure(value, view)} €`
  const rows = months.map((month) => {
    const energy = f1 * (month.f1?.value ?? 0) + f2 * (month.f2?.value ?? 0) + f3 * (month.f3?.value ?? 0)
    return { month, byBand: energy / KWH_PER_MWH, flat: (kwh * (month.f0?.value ?? 0)) / KWH_PER_MWH }
  })
  const total = (of: (row: (typeof rows)[number]) => number) => rows.reduce((sum, row) => sum + of(row), 0)
  const others = kwh * spread + fee
  const fixedCost = fixed === 0 ? undefined : kwh * fixed + fee
  const cells = (byBand: number, flat: number, months: number) =>
    html`<td class="number">${euros(byBand + months * others)}</td><td class="number">${euros(flat + months * others)}</td>${fixedCost !== undefined && html`<td class="number">${euros(months * fixedCost)}</td>`}`
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${texts.cost}"><table>
<caption>${texts.costOf(view.formats.number(kwh, 0))}</caption>
<thead><tr><th scope="col">${texts.month}</th><th scope="col" class="number">${texts.byBand}</th><th scope="col" class="number">${texts.flat}</th>${fixed !== 0 && html`<th scope="col" class="number">${texts.fixedOffer}</th>`}</tr></thead>
<tbody>
${rows.map(({ month, byBand, flat }) => html`<tr><th scope="row">${monthName(month, view)}</th>${cells(byBand, flat, 1)}</tr>\n`)}</tbody>
<tfoot><tr><th scope="row">${texts.total(rows.length)}</th>${cells(
    total(({ byBand }) => byBand),
    total(({ flat }) => flat),
    rows.length,
  )}</tr></tfoot></table></div>
<p class="soft small">${texts.notIncluded}</p>`
}
