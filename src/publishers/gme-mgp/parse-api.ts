/**
 * Day-ahead prices from GME's API, data set `ME_ZonalPrices`: a row per zone and interval, as in the file inside the
 * answer (`src/ingest/envelope.ts` opens that). Built on descriptions and working clients, no captured answer. Traps: values are
 * strings or numbers; `Period` counts quarter-hours of the day, not of the hour, and is 0 or absent in hourly data, where `Hour`
 * counts elapsed hours 1..25; rows in half-hours look alike but for how the two agree, so they are refused; NAT is not the PUN.
 */
import type { ZoneCode } from '../../market/zones.ts'
import { NothingPublished, UnreadableDocument } from '../faults.ts'
import type { Items } from '../observations.ts'
import { parseCompactDay } from '../reading/compact-day.ts'
import { asRecord, type JsonRecord, readJson, readPrice, scalarText, shown } from '../reading/json-document.ts'
import { type OpenDay, type Trouble, ZoneDays } from '../reading/zone-days.ts'
import { DAY_AHEAD_MARKET, ZONE_BY_TAG } from './codes.ts'
import { FIELDS, QUARTERS_PER_HOUR } from './json-codes.ts'

/** Yields the zone-days of the document, €/MWh. Fails with UnreadableDocument. */
export async function* parseGmeApi(text: AsyncIterable<string>): Items {
  const rows = await readJson(text)
  if (!Array.isArray(rows)) throw new UnreadableDocument('document', 'is no list of rows')
  const days = new ZoneDays()
  for (const [index, value] of rows.entries()) {
    const place = `row ${index + 1}`
    const row = asRecord(value, place)
    const zone = zoneOf(row, place)
    if (zone) addRow(days, row, zone, place)
    yield* days.takeOverdue()
  }
  yield* days.takeAll()
  if (rows.length === 0) throw new NothingPublished('document', 'holds no rows')
}

/** Undefined for zones abroad and of the past. Refuses rows of other markets and data sets. */
function zoneOf(row: JsonRecord, place: string): ZoneCode | undefined {
  const { market, zone, price } = FIELDS
  if (row[market] !== DAY_AHEAD_MARKET) {
    throw new UnreadableDocument(
      place,
      `is of the market ${shown(row[market])}, not of ${DAY_AHEAD_MARKET}: not imported`,
    )
  }
  if (typeof row[zone] !== 'string' || !(price in row)) {
    throw new UnreadableDocument(place, `has no ${zone} or no ${price}: its fields are ${Object.keys(row).join(', ')}`)
  }
  return ZONE_BY_TAG.get(row[zone])
}

/** Notes the price; a row that belongs to no day is reported. */
function addRow(days: ZoneDays, row: JsonRecord, zone: ZoneCode, place: string): void {
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
  const trouble = intervalTrouble(row, hour, ordinal, isHour) ?? putPrice(day, zone, ordinal, row[FIELDS.price])
  if (trouble) day.report(zone, `${place}, ${row[FIELDS.zone]}`, trouble)
}

function intervalTrouble(row: JsonRecord, hour: number, ordinal: number, isHour: boolean): Trouble | undefined {
  const stated = `${FIELDS.hour} ${shown(row[FIELDS.hour])}, ${FIELDS.period} ${shown(row[FIELDS.period])}`
  if (Number.isNaN(hour) || Number.isNaN(ordinal)) return { code: 'not_a_number', detail: `the interval is ${stated}` }
  if (isHour || hour === Math.ceil(ordinal / QUARTERS_PER_HOUR)) return undefined
  return { code: 'wrong_instant', detail: `${stated}: the quarter-hour does not belong to the hour` }
}

/** NaN for what is no ordinal. */
function ordinalOf(value: unknown): number {
  const text = scalarText(value) ?? ''
  return /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN
}

function putPrice(day: OpenDay, zone: ZoneCode, ordinal: number, value: unknown): Trouble | undefined {
  const price = readPrice(value)
  return typeof price === 'number' ? day.put(zone, ordinal, price) : price
}
