/**
 * Day-ahead prices from GME's XML (`YYYYMMDDMGPPrezzi.xml`, `YYYYMMDDMGPPrezzi15.xml`), hourly rows `Prezzi` and quarter-hourly rows
 * `Prezzi15`, one or several days in a document. Traps: a decimal comma here but a point in GME's gas files; any tag may be missing;
 * `Ora` and `Periodo` count elapsed intervals (1..23, 1..25 on the change days); intraday files differ only in `Mercato`.
 */

import { parseCompactDay, type ResolutionMinutes } from '../../market/market-day.ts'
import { NATIONAL_ZONE, type ZoneCode } from '../../market/zones.ts'
import { NothingPublished, UnreadableDocument } from '../faults.ts'
import { type Row, readRows } from '../gme/gme.ts'
import type { Items } from '../observations.ts'
import { describePriceFault, readDecimal } from '../reading/decimals.ts'
import {
  asRecord,
  isRecord,
  type JsonRecord,
  readJson,
  readPrice,
  scalarText,
  shown,
} from '../reading/json-document.ts'
import { type OpenDay, type PartialFault, ZoneDays } from '../reading/zone-days.ts'

/** Row tags of the prices we store. NAT is the national coupling price and not the PUN; other tags are foreign zones. */
export const ZONE_BY_TAG: ReadonlyMap<string, ZoneCode> = new Map([
  ['PUN', NATIONAL_ZONE],
  ['NORD', 'nord'],
  ['CNOR', 'cnor'],
  ['CSUD', 'csud'],
  ['SUD', 'sud'],
  ['CALA', 'cala'],
  ['SICI', 'sici'],
  ['SARD', 'sard'],
])

interface RowKind {
  resolutionMinutes: ResolutionMinutes
  /** Tag of the interval's ordinal: elapsed hours or quarters of the day, from 1. */
  ordinalTag: string
}

/** Row elements that hold day-ahead prices. The quarter-hourly ones exist for market days from 2025-10-01. */
const PRICE_ROWS: ReadonlyMap<string, RowKind> = new Map([
  ['Prezzi', { resolutionMinutes: 60, ordinalTag: 'Ora' }],
  ['Prezzi15', { resolutionMinutes: 15, ordinalTag: 'Periodo' }],
])

/** The value of `Mercato` in day-ahead files; intraday files (MI1…) have the same rows. */
export const DAY_AHEAD_MARKET = 'MGP'

/** The value of `Granularity` in quarter-hourly rows. */
export const QUARTER_HOUR = 'PT15'

/** Row elements of other GME files, to name them in error messages. */
const OTHER_ROWS: ReadonlyMap<string, string> = new Map([
  ['PrezziConvenzionali', 'conventional prices (PrezziConvenzionali)'],
  ['negoziazione_continua', 'results of continuous gas trading (MGP-GAS, MI-GAS)'],
  ['Asta', 'results of a gas auction (MGP-GAS AGS)'],
])

/** Yields the zone-days of the document, €/MWh. Fails with UnreadableDocument where reading cannot continue, and at a row of another market. */
export async function* parseGmeXml(text: AsyncIterable<string>, market = DAY_AHEAD_MARKET): Items {
  const days = new ZoneDays()
  let rows = 0
  yield* days.itemsFrom(readRows(text), (row) => {
    rows += 1
    const kind = priceRowKind(row, market)
    const day = days.open(isoDayOf(row), kind.resolutionMinutes)
    if (day !== undefined) addPrices(day, row, kind)
    else days.reportImpossibleDate(placeOf(row), `${quoted(row.cells.get('Data'))} is not a day of the calendar`)
  })
  if (rows === 0)
    throw new NothingPublished('document', 'holds no prices: there is no row <Prezzi> or <Prezzi15> in it')
}

/** Returns the kind of the row; refuses rows of other markets and other GME files. */
function priceRowKind(row: Row, market: string): RowKind {
  const kind = PRICE_ROWS.get(row.name)
  if (kind === undefined) {
    const what = OTHER_ROWS.get(row.name) ?? `rows <${row.name}>`
    throw new UnreadableDocument(placeOf(row), `holds ${what}, not prices of electricity by zone: not imported`)
  }
  const stated = row.cells.get('Mercato')
  if (stated !== market) {
    throw new UnreadableDocument(
      placeOf(row),
      `holds prices of the market ${quoted(stated)}, not of ${market}: not imported`,
    )
  }
  const granularity = row.cells.get('Granularity')
  if (kind.resolutionMinutes === 15 && granularity !== undefined && granularity !== QUARTER_HOUR) {
    throw new UnreadableDocument(
      placeOf(row),
      `holds intervals of ${quoted(granularity)} where ${QUARTER_HOUR} belongs: not imported`,
    )
  }
  return kind
}

/** Converts `20260114` to `2026-01-14`; returns anything else unchanged, to be refused as an impossible date. */
function isoDayOf(row: Row): string {
  const text = row.cells.get('Data') ?? ''
  return /^\d{8}$/.test(text) ? `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}` : text
}

function addPrices(day: OpenDay, row: Row, { ordinalTag }: RowKind): void {
  const ordinalText = row.cells.get(ordinalTag)
  const ordinal = ordinalText !== undefined && /^\d{1,3}$/.test(ordinalText) ? Number(ordinalText) : undefined
  for (const [tag, text] of row.cells) {
    const zone = ZONE_BY_TAG.get(tag)
    if (zone === undefined) continue
    const price = readDecimal(text, ',')
    const trouble =
      ordinal === undefined
        ? { code: 'not_a_number' as const, detail: `${ordinalTag} is ${quoted(ordinalText)}` }
        : typeof price === 'string'
          ? { code: price, detail: describePriceFault(price, text, ',') }
          : day.put(zone, ordinal, price)
    if (trouble) day.report(zone, `${row.name} ${ordinalText ?? ''}, line ${row.line}, ${tag}`, trouble)
  }
}

function placeOf(row: Row): string {
  return `${row.name}, line ${row.line}`
}

function quoted(text: string | undefined): string {
  return text === undefined ? 'missing' : JSON.stringify(text)
}

// Field names in GME's JSON: the data set `ME_ZonalPrices` of its API, and the rows behind its public pages.

/** Fields of a row of `ME_ZonalPrices`. Some clients receive the values as strings, others as numbers. */
const FIELDS = {
  day: 'FlowDate',
  market: 'Market',
  zone: 'Zone',
  hour: 'Hour',
  /** Quarter-hour of the day, 1..96 (92, 100); 0 or absent in hourly rows. */
  period: 'Period',
  price: 'Price',
} as const

/** Fields of a row behind the public pages: elapsed hour and the last quarter-hour in it. The row does not state its zone. */
const PAGE_FIELDS = { day: 'df', hour: 'h', lastQuarter: 'qh', price: 'p' } as const

const QUARTERS_PER_HOUR = 4

// Day-ahead prices from GME's API, data set `ME_ZonalPrices`: a row per zone and interval, in a file embedded in the response
// (`src/ingest/read-documents.ts` extracts it). Based on descriptions and working clients, not on a captured response. Traps: values are
// strings or numbers; `Period` counts quarter-hours of the day, not of the hour, and is 0 or absent in hourly data, where `Hour` counts
// elapsed hours 1..25; half-hourly rows differ only in how `Hour` and `Period` relate, so they are refused; NAT is not the PUN.

/** Yields the zone-days of the document, €/MWh. Fails with UnreadableDocument, also at a row of another market. */
export async function* parseGmeApi(text: AsyncIterable<string>, market = DAY_AHEAD_MARKET): Items {
  const rows = await readJson(text)
  if (!Array.isArray(rows)) throw new UnreadableDocument('document', 'is no list of rows')
  const days = new ZoneDays()
  for (const [index, value] of rows.entries()) {
    const place = `row ${index + 1}`
    const row = asRecord(value, place)
    const zone = zoneOf(row, place, market)
    if (zone) addApiRow(days, row, zone, place)
    yield* days.takeOverdue()
  }
  yield* days.takeAll()
  if (rows.length === 0) throw new NothingPublished('document', 'holds no rows')
}

/** Returns undefined for foreign and former zones. Refuses rows of other markets and data sets. */
function zoneOf(row: JsonRecord, place: string, expectedMarket: string): ZoneCode | undefined {
  const { market, zone, price } = FIELDS
  if (row[market] !== expectedMarket) {
    throw new UnreadableDocument(
      place,
      `is of the market ${shown(row[market])}, not of ${expectedMarket}: not imported`,
    )
  }
  if (typeof row[zone] !== 'string' || !(price in row)) {
    throw new UnreadableDocument(place, `has no ${zone} or no ${price}: its fields are ${Object.keys(row).join(', ')}`)
  }
  return ZONE_BY_TAG.get(row[zone])
}

/** Records the price; reports a row without a valid day. */
function addApiRow(days: ZoneDays, row: JsonRecord, zone: ZoneCode, place: string): void {
  const period = scalarText(row[FIELDS.period])
  const isHour = period === '' || period === '0'
  const marketDay = parseCompactDay(scalarText(row[FIELDS.day]) ?? '')
  const day = marketDay && days.open(marketDay.toString(), isHour ? 60 : 15)
  if (day === undefined) {
    days.reportImpossibleDate(place, `${shown(row[FIELDS.day])} is not a day of the calendar`)
    return
  }
  const hour = ordinalOf(row[FIELDS.hour])
  const ordinal = isHour ? hour : ordinalOf(row[FIELDS.period])
  const trouble = intervalFault(row, hour, ordinal, isHour) ?? putPrice(day, zone, ordinal, row[FIELDS.price])
  if (trouble) day.report(zone, `${place}, ${row[FIELDS.zone]}`, trouble)
}

function intervalFault(row: JsonRecord, hour: number, ordinal: number, isHour: boolean): PartialFault | undefined {
  const stated = `${FIELDS.hour} ${shown(row[FIELDS.hour])}, ${FIELDS.period} ${shown(row[FIELDS.period])}`
  if (Number.isNaN(hour) || Number.isNaN(ordinal)) return { code: 'not_a_number', detail: `the interval is ${stated}` }
  if (isHour || hour === Math.ceil(ordinal / QUARTERS_PER_HOUR)) return undefined
  return { code: 'wrong_instant', detail: `${stated}: the quarter-hour does not belong to the hour` }
}

/** Returns NaN for anything that is not an ordinal. */
function ordinalOf(value: unknown): number {
  const text = scalarText(value) ?? ''
  return /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN
}

function putPrice(day: OpenDay, zone: ZoneCode, ordinal: number, value: unknown): PartialFault | undefined {
  const price = readPrice(value)
  return typeof price === 'number' ? day.put(zone, ordinal, price) : price
}

// Hourly day-ahead prices from the JSON behind GME's public pages, `[{"df": 20260114, "h": 1, "p": 101.23, "qh": 4}]`. Traps: a list
// does not state its zone, so the caller names it or the lists are keyed by zone: `{"pun": […], "zones": {"NORD": […]}}`; `h` counts
// elapsed hours; the pages are undocumented and may change.

interface ZoneRows {
  zone: ZoneCode
  rows: readonly unknown[]
}

/** Yields the zone-days of the document, €/MWh; an unnamed list is the PUN. Fails with UnreadableDocument. */
export async function* parseGmePages(text: AsyncIterable<string>): Items {
  const days = new ZoneDays()
  const lists = listsIn(await readJson(text))
  for (const { zone, rows } of lists) {
    for (const [index, row] of rows.entries()) {
      const place = `${zone}, row ${index + 1}`
      addPageRow(days, zone, asRecord(row, place), place)
      yield* days.takeOverdue()
    }
  }
  yield* days.takeAll()
  if (lists.every(({ rows }) => rows.length === 0)) throw new NothingPublished('document', 'holds no rows of a zone')
}

/** Returns the lists keyed by zone, at the top level or one level below. */
function listsIn(body: unknown): ZoneRows[] {
  if (Array.isArray(body)) return [{ zone: NATIONAL_ZONE, rows: body }]
  if (!isRecord(body)) return []
  return [body, ...Object.values(body).filter(isRecord)].flatMap((lists) =>
    Object.entries(lists).flatMap(([name, rows]) => {
      const zone = ZONE_BY_TAG.get(name.toUpperCase())
      return zone !== undefined && Array.isArray(rows) ? [{ zone, rows }] : []
    }),
  )
}

/** Records the price; reports a row without a valid day. */
function addPageRow(days: ZoneDays, zone: ZoneCode, row: JsonRecord, place: string): void {
  if (!(PAGE_FIELDS.price in row)) {
    throw new UnreadableDocument(place, `has no ${PAGE_FIELDS.price}: its fields are ${Object.keys(row).join(', ')}`)
  }
  const marketDay = parseCompactDay(scalarText(row[PAGE_FIELDS.day]) ?? '')
  const day = marketDay && days.open(marketDay.toString(), 60)
  if (day === undefined) {
    days.reportImpossibleDate(place, `${shown(row[PAGE_FIELDS.day])} is not a day of the calendar`)
    return
  }
  const hour = row[PAGE_FIELDS.hour]
  const price = readPrice(row[PAGE_FIELDS.price])
  const trouble = hourFault(row) ?? (typeof price === 'number' ? day.put(zone, hour as number, price) : price)
  if (trouble) day.report(zone, place, trouble)
}

/** Returns a fault for an invalid hour, or a last quarter other than the hour's: such a row would be of a quarter-hour. */
function hourFault(row: JsonRecord): PartialFault | undefined {
  const hour = row[PAGE_FIELDS.hour]
  const lastQuarter = row[PAGE_FIELDS.lastQuarter]
  const stated = `hour ${shown(hour)}, last quarter ${shown(lastQuarter)}`
  if (typeof hour !== 'number' || !Number.isInteger(hour)) return { code: 'not_a_number', detail: stated }
  if (lastQuarter === undefined || lastQuarter === hour * QUARTERS_PER_HOUR) return undefined
  return { code: 'wrong_instant', detail: `${stated}: the row is not of that whole hour` }
}
