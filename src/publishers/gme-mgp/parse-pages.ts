/**
 * Day-ahead prices from the JSON behind GME's public pages, `[{"df": 20260114, "h": 1, "p": 101.23, "qh": 4}]`, hourly. Traps: a
 * list does not state its zone, so the caller names it or the lists come named: `{"pun": […], "zones": {"NORD": […]}}`; `h`
 * counts elapsed hours; the pages are not documented and may change.
 */
import { NATIONAL_ZONE, type ZoneCode } from '../../market/zones.ts'
import { NothingPublished, UnreadableDocument } from '../faults.ts'
import type { Items } from '../observations.ts'
import { parseCompactDay } from '../reading/compact-day.ts'
import {
  asRecord,
  isRecord,
  type JsonRecord,
  readJson,
  readPrice,
  scalarText,
  shown,
} from '../reading/json-document.ts'
import { type Trouble, ZoneDays } from '../reading/zone-days.ts'
import { ZONE_BY_TAG } from './codes.ts'
import { PAGE_FIELDS, QUARTERS_PER_HOUR } from './json-codes.ts'

interface ZoneRows {
  zone: ZoneCode
  rows: readonly unknown[]
}

/** Yields the zone-days of the document, €/MWh; a list without a name is the PUN's. Fails with UnreadableDocument. */
export async function* parseGmePages(text: AsyncIterable<string>): Items {
  const days = new ZoneDays()
  const lists = listsIn(await readJson(text))
  for (const { zone, rows } of lists) {
    for (const [index, row] of rows.entries()) {
      const place = `${zone}, row ${index + 1}`
      addRow(days, zone, asRecord(row, place), place)
      yield* days.takeOverdue()
    }
  }
  yield* days.takeAll()
  if (lists.every(({ rows }) => rows.length === 0)) throw new NothingPublished('document', 'holds no rows of a zone')
}

/** Lists named after a zone, in the document or in an object of it. */
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

/** Notes the price; a row that belongs to no day is reported. */
function addRow(days: ZoneDays, zone: ZoneCode, row: JsonRecord, place: string): void {
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
  const trouble = hourTrouble(row) ?? (typeof price === 'number' ? day.put(zone, hour as number, price) : price)
  if (trouble) day.report(zone, place, trouble)
}

/** A row that ends with another quarter than its hour does would be one of a quarter-hour. */
function hourTrouble(row: JsonRecord): Trouble | undefined {
  const hour = row[PAGE_FIELDS.hour]
  const lastQuarter = row[PAGE_FIELDS.lastQuarter]
  const stated = `hour ${shown(hour)}, last quarter ${shown(lastQuarter)}`
  if (typeof hour !== 'number' || !Number.isInteger(hour)) return { code: 'not_a_number', detail: stated }
  if (lastQuarter === undefined || lastQuarter === hour * QUARTERS_PER_HOUR) return undefined
  return { code: 'wrong_instant', detail: `${stated}: the row is not of that whole hour` }
}
