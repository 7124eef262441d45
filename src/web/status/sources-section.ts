/** How current each source is: the response of `GET /v1/status` as tables. */
import type { ServiceStatus } from '../../api/contract/status.ts'
import { type Html, html } from '../html.ts'
import { marketTexts } from '../i18n/markets.ts'
import { termsIn } from '../i18n/sources.ts'
import { statusTexts } from '../i18n/status.ts'
import { sourceLink } from '../parts/provenance.ts'
import { timeElement } from '../parts/value.ts'
import type { View } from '../view.ts'

type Source = ServiceStatus['sources'][number]
type SourceSeries = Source['series'][number]

export function sourcesSection({ sources }: ServiceStatus, view: View): Html {
  const texts = statusTexts[view.language]
  const shown = sources.filter((source) => source.series.length > 0 || source.fetching?.state === 'on')
  const heads = [texts.latest, texts.fetched, texts.next]
  return html`<h2 id="sources">${texts.sources}</h2>
<p>${texts.sourcesLead}</p>
${
  shown.length > 0 &&
  html`<div class="scroll" tabindex="0" role="region" aria-labelledby="sources"><table class="sources">
<thead><tr><td></td>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
${shown.map(
  (source) => html`<tbody>
<tr class="source"><th scope="rowgroup" colspan="4">${sourceLink(source.name, source.url, view)} <span class="soft small">${source.id} · ${fetchingLine(source, view)}</span></th></tr>
${seriesRows(source, view)}</tbody>
`,
)}</table></div>`
}
<details><summary>${texts.terms}</summary>
<dl>${sources.map((source) => html`<dt>${sourceLink(source.name, source.url, view)} <span class="soft small">${source.id} · ${fetchingLine(source, view)}</span></dt><dd>${termsIn(view.language, source.id, source.terms)}</dd>\n`)}</dl></details>`
}

function fetchingLine({ fetching, synthetic, late_days: late }: Source, view: View): string {
  const texts = statusTexts[view.language]
  if (synthetic) return texts.invented
  if (fetching === null) return texts.notFetched
  if (fetching.state === 'off') return texts.off
  const attempt = fetching.last_attempt
  const last =
    attempt === null
      ? []
      : [`${texts.lastAttempt} ${view.formats.instant(attempt.at)}: ${texts.outcomes[attempt.outcome]}`]
  return [`${texts.state} ${texts.on}`, ...last, ...lateLine(late, view)].join(' · ')
}

const LATE_DAYS_SHOWN = 3

function lateLine(days: readonly string[], view: View): string[] {
  if (days.length === 0) return []
  const shown = days.slice(0, LATE_DAYS_SHOWN).map((day) => view.formats.shortDay(day))
  const more = days.length > shown.length ? [`+${days.length - shown.length}`] : []
  return [`${statusTexts[view.language].late} ${[...shown, ...more].join(', ')}`]
}

/** Groups zones, areas of a market or fundamental, and lists of offers in a row each, as they are published together. The row shows the oldest. */
function seriesRows({ series, fetching, synthetic }: Source, view: View): Html[] {
  const texts = statusTexts[view.language]
  const isNextExpected = synthetic || fetching?.state === 'on'
  const zones = series.filter((one) => one.series.startsWith('zone:'))
  const offers = series.filter((one) => one.series.startsWith('offers:'))
  const others = series.filter((one) => !zones.includes(one) && !offers.includes(one))
  const hasPun = zones.some((one) => one.series === 'zone:nazionale')
  const groups: [label: string, series: SourceSeries[]][] = [
    [hasPun ? texts.zones(zones.length) : texts.zonesOnly(zones.length), zones],
    ...Map.groupBy(others, ({ series }) => series.replace(/^fundamental:|\/.*$/g, '')),
    [texts.offers(offers.length), offers],
  ]
  if (series.length === 0) return [html`<tr><td></td><td colspan="3">${texts.noValues}</td></tr>\n`]
  return groups.flatMap(([label, group]) => {
    const [oldest] = group.toSorted((a, b) => a.latest_market_day.localeCompare(b.latest_market_day))
    if (oldest === undefined) return []
    const isComplete = group.every((one) => one.complete)
    return [seriesRow(nameOf(label, group, view), oldest, { isComplete, isNextExpected }, view)]
  })
}

function nameOf(label: string, { length }: readonly SourceSeries[], view: View): string {
  const markets: Readonly<Record<string, string>> = marketTexts[view.language].markets
  const name = markets[label.replace(/-price$/, '')] ?? label
  return length === 1 || name.endsWith(')') ? name : `${name} (${length})`
}

function seriesRow(
  label: string,
  one: SourceSeries,
  { isComplete, isNextExpected }: { isComplete: boolean; isNextExpected: boolean },
  view: View,
): Html {
  const texts = statusTexts[view.language]
  const { formats } = view
  const instant = (iso: string) => timeElement(iso, formats.instant(iso))
  return html`<tr><th scope="row">${label}</th><td>${timeElement(one.latest_market_day, formats.day(one.latest_market_day))}, <span class="state ${isComplete ? 'whole' : 'partial'}">${isComplete ? texts.complete : texts.incomplete}</span></td><td>${instant(one.fetched_at)}</td><td>${isNextExpected ? instant(one.next_expected_at) : '–'}</td></tr>\n`
}
