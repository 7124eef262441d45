/** The contents of a document as tables for people: a column per zone, a row per interval; then daily prices as a list, and the faults. */

import { gateDailyPrice, gateFundamentalDay, gateZoneDay } from '../ingest/gate.ts'
import { counted } from '../market/counted.ts'
import { fundamentalOf } from '../market/fundamentals.ts'
import { intervalStart, toRomeIso } from '../market/market-day.ts'
import type { OfferDay, PublishedValues } from '../publishers/arera-offers/offer.ts'
import type { Fault } from '../publishers/faults.ts'
import type { DailyPrice, FundamentalDay, Parsed, ZoneDay } from '../publishers/observations.ts'

/** The market's price limits are only in the database. */
const NO_LIMITS = { priceLimits: { min: -Infinity, max: Infinity } }
const MISSING = '·'

interface PresentedItems {
  lines: string[]
  /** Whether there are items and all of them would be accepted. */
  isAcceptable: boolean
}

export function presentItems(items: readonly Parsed[]): PresentedItems {
  const zoneDays = items.filter((item) => item.kind === 'zone-day')
  const daily = items.filter((item) => item.kind === 'daily-price')
  const offers = items.filter((item) => item.kind === 'offer-day')
  const values = items.filter((item) => item.kind === 'published-values')
  const fundamentals = items.filter((item) => item.kind === 'fundamental-day')
  const faults = items.flatMap(faultsOf)
  const parts = [
    ...[...Map.groupBy(zoneDays, ({ day, resolutionMinutes }) => `${day} ${resolutionMinutes}`).values()].map(
      zoneTable,
    ),
    ...[...Map.groupBy(fundamentals, fundamentalTitle)].map(([title, days]) => fundamentalTable(title, days)),
    daily.length > 0 ? dailyTable(daily) : [],
    offers.map(offersLine),
    ...values.map(valuesTable),
    faults.map(({ place, detail, code }) => `${place}: ${detail} [${code}]`),
    [summary(items.length - items.filter((item) => item.kind === 'document-fault').length, faults.length)],
  ]
  const lines = parts.filter((part) => part.length > 0).flatMap((part, index) => (index === 0 ? part : ['', ...part]))
  return { lines, isAcceptable: items.length > 0 && faults.length === 0 }
}

function faultsOf(item: Parsed): Fault[] {
  if (item.kind === 'document-fault') return [item.fault]
  if (item.kind === 'offer-day' || item.kind === 'published-values') return item.faults
  if (item.kind === 'fundamental-day') {
    const verdict = gateFundamentalDay(item)
    return verdict.accepted ? [] : verdict.faults
  }
  const verdict = item.kind === 'zone-day' ? gateZoneDay(item, NO_LIMITS) : gateDailyPrice(item, NO_LIMITS)
  return verdict.accepted ? [] : verdict.faults
}

function offersLine({ dataset, day, offers, excluded }: OfferDay): string {
  const left = excluded.map((exclusion) => `${exclusion.offers} ${exclusion.reason}`)
  return `${dataset} ${day}: ${counted(offers.length, 'offer')} to use; left out: ${left.length === 0 ? 'none' : left.join(', ')}`
}

function valuesTable({ series, day, values }: PublishedValues): string[] {
  const rows = values.map(({ name, validOn, value, unit }) => [name, String(validOn), String(value), unit ?? ''])
  return [`${series} ${day}`, ...alignColumns([['name', 'valid on', 'value', 'unit'], ...rows])]
}

function summary(series: number, faults: number): string {
  if (series + faults === 0) return 'nothing is published for that day yet'
  return `${counted(series, 'series', 'series or days')} read, ${counted(faults, 'fault')}; nothing was stored`
}

function zoneTable(zoneDays: ZoneDay[]): string[] {
  const [first] = zoneDays
  if (first === undefined) return []
  const columns = zoneDays.map(({ zone, prices }) => ({ name: zone as string, values: prices }))
  return [`${first.day}, ${first.resolutionMinutes} minutes, €/MWh`, ...intervalTable(first, columns)]
}

/** `2026-03-29, 60 minutes, load-forecast, MW` */
function fundamentalTitle({ day, resolutionMinutes, series }: FundamentalDay): string {
  return `${day}, ${resolutionMinutes} minutes, ${series}, ${fundamentalOf(series).unit}`
}

function fundamentalTable(title: string, days: FundamentalDay[]): string[] {
  const [first] = days
  if (first === undefined) return []
  return [
    title,
    ...intervalTable(
      first,
      days.map(({ area, values }) => ({ name: area, values })),
    ),
  ]
}

function intervalTable(
  { day, resolutionMinutes }: Pick<ZoneDay, 'day' | 'resolutionMinutes'>,
  columns: { name: string; values: (number | undefined)[] }[],
): string[] {
  const length = Math.max(...columns.map(({ values }) => values.length))
  const rows = Array.from({ length }, (_, index) => [
    String(index + 1),
    toRomeIso(intervalStart(day, index + 1, resolutionMinutes)).slice(11, 16),
    ...columns.map(({ values }) => formatValue(values[index])),
  ])
  return alignColumns([['no.', 'from', ...columns.map(({ name }) => name)], ...rows])
}

function dailyTable(daily: DailyPrice[]): string[] {
  const sorted = [...daily].sort((a, b) => Temporal.PlainDate.compare(a.day, b.day))
  return alignColumns([
    ['asset', 'day', 'price'],
    ...sorted.map(({ asset, day, price }) => [asset, String(day), formatValue(price)]),
  ])
}

function formatValue(price: number | undefined): string {
  return price === undefined ? MISSING : price.toFixed(3)
}

function alignColumns(rows: string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) => row.map((cell, column) => cell.padStart(widths[column] ?? 0)).join('  '))
}
