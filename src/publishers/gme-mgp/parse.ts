/**
 * Day-ahead prices from GME's XML (`YYYYMMDDMGPPrezzi.xml`, `YYYYMMDDMGPPrezzi15.xml`), hourly rows `Prezzi` and quarter-hourly rows
 * `Prezzi15`, one or several days in a document. Traps: a decimal comma here but a point in GME's gas files; any tag may be missing;
 * `Ora` and `Periodo` count elapsed intervals (1..23, 1..25 on the change days); intraday files look the same but for `Mercato`.
 */

import { NothingPublished, UnreadableDocument } from '../faults.ts'
import { type Row, readRows } from '../gme/xml-rows.ts'
import type { Items } from '../observations.ts'
import { describePriceFault, readDecimal } from '../reading/decimals.ts'
import { type OpenDay, ZoneDays } from '../reading/zone-days.ts'
import { DAY_AHEAD_MARKET, OTHER_ROWS, PRICE_ROWS, QUARTER_HOUR, type RowKind, ZONE_BY_TAG } from './codes.ts'

/** Yields the zone-days of the document, €/MWh. Fails with UnreadableDocument at the end of what can be read. */
export async function* parseGmeMgp(text: AsyncIterable<string>): Items {
  const days = new ZoneDays()
  let rows = 0
  yield* days.itemsFrom(readRows(text), (row) => {
    rows += 1
    const kind = priceRowKind(row)
    const day = days.open(isoDayOf(row), kind.resolutionMinutes)
    if (day !== undefined) addPrices(day, row, kind)
    else days.reportImpossibleDate(placeOf(row), `${quoted(row.cells.get('Data'))} is not a day of the calendar`)
  })
  if (rows === 0)
    throw new NothingPublished('document', 'holds no prices: there is no row <Prezzi> or <Prezzi15> in it')
}

/** Refuses rows of another market or of another of GME's many files. */
function priceRowKind(row: Row): RowKind {
  const kind = PRICE_ROWS.get(row.name)
  if (kind === undefined) {
    const what = OTHER_ROWS.get(row.name) ?? `rows <${row.name}>`
    throw new UnreadableDocument(placeOf(row), `holds ${what}, not day-ahead electricity prices: not imported`)
  }
  const market = row.cells.get('Mercato')
  if (market !== DAY_AHEAD_MARKET) {
    throw new UnreadableDocument(
      placeOf(row),
      `holds prices of the market ${quoted(market)}, not of ${DAY_AHEAD_MARKET}: not imported`,
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

/** `20260114` as `2026-01-14`; anything else unchanged, for the calendar to refuse. */
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
