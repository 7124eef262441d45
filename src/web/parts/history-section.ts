/** The prices of an index over a span: what to show, chart, statistics, downloads. */
import { BASE_PATH, DEVELOPER_KEY_PATH } from '../../api/contract/identity.ts'
import { PLANS } from '../../api/contract/plans.ts'
import { ASSETS, type Asset, assetBySlug } from '../../market/assets.ts'
import { hoursInMarketDay } from '../../market/market-day.ts'
import { mean } from '../../market/scenarios/months.ts'
import { ALL_MARKET_ZONES, isZoneCode, NATIONAL_ZONE, STORED_ZONES } from '../../market/zones.ts'
import type { Correction } from '../../store/prices.ts'
import { type HistoryRequest, historySearch, NO_SECOND_SERIES, RANGES, type SeriesId } from '../history/query.ts'
import type { History, HistoryColumn } from '../history/rows.ts'
import { type Html, html } from '../html.ts'
import { chartTexts } from '../i18n/charts.ts'
import { zoneNames } from '../i18n/hours.ts'
import { pricePageTexts } from '../i18n/price-page.ts'
import type { View } from '../view.ts'
import { type ChartTable, type Column, chart } from './chart.ts'
import { buttonLink, option, zoneOptions } from './choices.ts'
import { figure, figureEntry, timeElement } from './value.ts'

/** Maximum number of rows in a page; a longer table shows means. */
const ROWS_MAX = 800

interface HistoryShown {
  asset: Asset
  request: HistoryRequest
  history: History
  baseUrl: URL
  corrections: readonly Correction[]
}

export function historySection(shown: HistoryShown, view: View): Html {
  const { asset, request, history, baseUrl } = shown
  const texts = pricePageTexts[view.language]
  return html`<section><h2 id="history">${texts.history}</h2>
${rangeChoice(asset, request, view)}
${settings(asset, request, view)}
${request.isTruncated && truncationNotice(request, view)}
${history.stats ? html`${statistics(shown, history.stats, view)}${curve(shown, view)}` : html`<p class="soft">${texts.noHistory}</p>`}
${downloads(asset, request, baseUrl, view)}
</section>`
}

function rangeChoice({ slug }: Asset, request: HistoryRequest, view: View): Html {
  const texts = pricePageTexts[view.language]
  const links = RANGES.map((range) => {
    const search = historySearch({ ...request, range }, { days: 'range' })
    const address = view.href(`/prices/${slug}${search}#history`)
    return buttonLink(address, texts.ranges[range], range === request.range)
  })
  return html`<ul class="buttons" aria-label="${texts.range}">${links}</ul>`
}

/** Form for custom days, hours, a zone, a second series and the previous year; all of them become URL parameters. */
function settings(
  { slug }: Asset,
  { main, detail, from, to, range, other, previous }: HistoryRequest,
  view: View,
): Html {
  const texts = chartTexts[view.language]
  const select = (name: string, label: string, options: readonly Html[]) =>
    html`<div class="field"><label for="history-${name}">${label}</label><select id="history-${name}" name="${name}">${options}</select></div>\n`
  const date = (name: 'from' | 'to', value: { toString(): string }) =>
    html`<div class="field"><label for="history-${name}">${texts[name]}</label><input id="history-${name}" name="${name}" type="date" required value="${value.toString()}"></div>\n`
  const series = (ids: readonly SeriesId[]) =>
    ids.filter((id) => id !== main).map((id) => option(id, seriesName(id, view), id === other))
  return html`<details class="settings"${(range === undefined || other || previous || detail === 'hour' || main !== slug) && html` open`}><summary>${texts.settings}</summary>
<form class="row" method="get" action="${view.href(`/prices/${slug}`)}#history">
${date('from', from)}${date('to', to)}${
  slug === 'pun' &&
  html`${select(
    'detail',
    texts.detail,
    (['day', 'hour'] as const).map((one) => option(one, texts.details[one], one === detail)),
  )}${select('zone', texts.zone, zoneOptions(STORED_ZONES, isZoneCode(main) ? main : NATIONAL_ZONE, view))}`
}${select('with', texts.with, [
  option(NO_SECOND_SERIES, texts.nothing, other === undefined),
  html`<optgroup label="${texts.indices}">${series(Object.values(ASSETS).map((one) => one.slug))}</optgroup>`,
  html`<optgroup label="${texts.zones}">${series(ALL_MARKET_ZONES)}</optgroup>`,
])}<label class="check"><input type="checkbox" name="previous" value="1"${previous && html` checked`}> ${texts.previous}</label>
<button class="primary">${texts.show}</button>
</form></details>`
}

function truncationNotice({ detail, from }: HistoryRequest, view: View): Html {
  const texts = chartTexts[view.language]
  const day = timeElement(from.toString(), view.formats.day(from.toString()))
  return html`<p class="notice small">${detail === 'hour' ? texts.cutHours : texts.cutDepth} ${day}.</p>`
}

function statistics(
  { request: { detail, from, to }, history: { rows, columns, dailyMeans } }: HistoryShown,
  stats: NonNullable<History['stats']>,
  view: View,
): Html {
  const texts = pricePageTexts[view.language]
  const own = rows.filter(({ values: [value] }) => value !== undefined)
  const last = own.at(-1)?.at.slice(0, 10) ?? to.toString()
  const days = from.until(Temporal.PlainDate.from(last)).days + 1
  const count = detail === 'day' ? own.length : new Set(own.map(({ at }) => at.slice(0, 10))).size
  const inUnit = (value: number) => html`${figure(value, view)} <span class="unit">${columns[0]?.unit}</span>`
  return html`<dl class="figures">
${figureEntry(texts.mean, inUnit(stats.avg))}${figureEntry(texts.lowest, inUnit(stats.min))}${figureEntry(texts.highest, inUnit(stats.max))}${figureEntry(texts.days, html`<data value="${count}">${count}</data> <span class="unit">${texts.ofDays(days)}</span>`)}</dl>${
    dailyMeans > 0 &&
    html`
<p class="small">${texts.dailyMeans(dailyMeans)}</p>`
  }`
}

function curve({ asset, request, history, corrections }: HistoryShown, view: View): Html {
  const texts = pricePageTexts[view.language]
  const chartWords = chartTexts[view.language]
  const { formats } = view
  const { detail } = request
  const [first, ...others] = history.columns as [HistoryColumn, ...HistoryColumn[]]
  const isFiner = history.rows.length > ROWS_MAX
  const rows = isFiner ? means(history.rows, detail === 'day' ? 'YYYY-MM'.length : 'YYYY-MM-DD'.length) : history.rows
  const dayLabel = { day: isFiner ? chartWords.month : texts.day, hour: isFiner ? texts.day : chartWords.hour }[detail]
  const [start, end] = [history.rows[0]?.at ?? '', history.rows.at(-1)?.at ?? ''].map((at) => at.slice(0, 10))
  const name = columnName(first, detail, view)
  const caption = texts.caption(name, formats.day(start as string), formats.day(end as string))
  const lineOf = ({ isPrevious }: HistoryColumn): Column['line'] => (isPrevious ? 'previous' : 'second')
  const columns: Column[] = [
    { label: others.length === 0 ? texts.price : name, line: 'first' },
    ...others.map((column) => {
      const own = isOnOwnAxis(column) ? { unit: column.unit } : {}
      return { label: columnName(column, detail, view), line: lineOf(column), ...own }
    }),
  ]
  const key: ChartTable['key'] = [
    { line: 'first', label: `${name}, ${first.unit}` },
    ...others.map((column) => {
      const axis = isOnOwnAxis(column) ? `, ${chartWords.rightAxis}` : ''
      return { line: lineOf(column), label: `${columnName(column, detail, view)}, ${column.unit}${axis}` }
    }),
  ]
  const isShown = (date: string) => date >= (start as string) && date <= (end as string)
  const changes = detail === 'hour' ? clockChanges(request).filter(({ date }) => isShown(date)) : []
  const corrected = request.main === asset.slug ? corrections.filter(({ day }) => isShown(day)) : []
  return chart(
    {
      name: 'history',
      marks: [
        ...changes.map(({ date, hours }) => ({ date, label: chartWords.clockChange(hours) })),
        ...corrected.map(({ day }) => ({ date: day, label: chartWords.corrected })),
      ],
      hasMean: true,
      hasPun: history.columns.some(({ id }) => id === 'pun'),
      caption: isFiner ? `${caption}, ${detail === 'day' ? chartWords.monthMeans : chartWords.dayMeans}` : caption,
      dayLabel,
      unit: first.unit,
      columns,
      rows: rows.map(({ at, values }) => ({ date: at, values })).toReversed(),
      key,
      csv: { address: `/prices/${asset.slug}.csv${historySearch(request, { days: 'dates' })}`, isFiner, detail },
      file: `${first.id}_${start}_${end}`,
    },
    view,
  )
}

/** Returns the days of 23 and 25 hours. */
export function clockChanges({ from, to }: Pick<HistoryRequest, 'from' | 'to'>): { date: string; hours: number }[] {
  const days = Array.from({ length: from.until(to).days + 1 }, (_, i) => from.add({ days: i }))
  return days.flatMap((day) => {
    const hours = hoursInMarketDay(day)
    return hours === 24 ? [] : [{ date: day.toString(), hours }]
  })
}

/** Zones, the PUN and the previous year share an axis for comparison; another index has its own level. */
function isOnOwnAxis({ id, isPrevious }: HistoryColumn): boolean {
  return !isPrevious && !isZoneCode(id) && id !== 'pun'
}

/** Returns means of the rows that share the first characters of their time. */
function means(rows: History['rows'], characters: number): History['rows'] {
  const groups = Map.groupBy(rows, ({ at }) => at.slice(0, characters))
  return [...groups].map(([at, group]) => {
    const meanOf = (column: number) => {
      const values = group.flatMap(({ values }) => values[column] ?? [])
      return values.length === 0 ? undefined : mean(values)
    }
    return { at, values: (group[0]?.values ?? []).map((_, column) => meanOf(column)) }
  })
}

export function columnName({ id, isPrevious }: HistoryColumn, detail: HistoryRequest['detail'], view: View): string {
  const name = seriesName(id, view)
  const texts = chartTexts[view.language]
  if (!isPrevious) return name
  return detail === 'day' ? texts.yearBefore(name) : texts.weeksBefore(name)
}

function seriesName(id: SeriesId, { language }: View): string {
  return isZoneCode(id) ? zoneNames[language][id] : (assetBySlug(id)?.code ?? id)
}

/** People download the displayed data as CSV; programs use the API, where plans apply. */
function downloads({ slug }: Asset, { from, to }: HistoryRequest, baseUrl: URL, view: View): Html {
  const texts = pricePageTexts[view.language]
  const address = `${BASE_PATH}/prices/${slug}/series`
  return html`<h3>${texts.download}</h3>
<p class="small">${texts.downloadMore(PLANS.Developer.name)} <a href="${view.href(DEVELOPER_KEY_PATH)}">${texts.getKey}</a>.</p>
<pre><code>curl -H 'Authorization: Bearer &lt;API_KEY&gt;' '${new URL(address, baseUrl).href}?from=${from.toString()}&amp;to=${to.toString()}&amp;format=csv'</code></pre>`
}
