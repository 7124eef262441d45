/**
 * The only writer of prices and fundamentals. A batch is stored as a whole or not at all: the documents it comes from, the accepted days with the
 * revisions they cause, and the days that were quarantined. The rules of replacement are in sql/objects/store_*.sql.
 */
import { fundamentalOf } from '../market/fundamentals.ts'
import type { Fault } from '../publishers/faults.ts'
import type { DailyPrice, FundamentalDay, ZoneDay } from '../publishers/observations.ts'
import { knownFrom } from '../publishers/schedule.ts'
import type { Sql, Transaction } from './database.ts'
import { type DocumentOrigin, documentKey, recordDocuments } from './documents.ts'

/** An accepted or refused day, with its document and the time at which its source published it, if known. */
interface WithOrigin<Item> {
  item: Item
  document: DocumentOrigin
  observedAt: Temporal.Instant
}

export interface RefusedDay {
  /** `zone:nord`, `asset:PSV`, `fundamental:load/IT`, or `document` if no single day is concerned. */
  series: string
  day: string | null
  resolutionMinutes: number | null
  prices: (number | undefined)[] | null
  faults: Fault[]
}

export interface PriceBatch {
  source: string
  storedAt: Temporal.Instant
  zoneDays: WithOrigin<ZoneDay>[]
  dailyPrices: WithOrigin<DailyPrice>[]
  fundamentalDays?: WithOrigin<FundamentalDay>[]
  refused: WithOrigin<RefusedDay>[]
  /** Whether corrected and quarantined days are events: fetched days are, days that an operator imports are not. */
  emitEvents?: boolean
}

/** Outcome of the prices of a batch, in intervals and daily prices. */
export interface StoredCounts {
  stored: number
  unchanged: number
  corrected: number
  /** Left out because a better source, or the same one at a finer resolution, has delivered. */
  outranked: number
}

/** Stores a batch in one transaction. A day of a zone, an asset or a fundamental may occur only once. */
export async function writePrices(sql: Sql, batch: PriceBatch): Promise<StoredCounts> {
  return sql.begin(async (tx: Transaction) => {
    const entries = [...batch.zoneDays, ...batch.dailyPrices, ...(batch.fundamentalDays ?? []), ...batch.refused]
    const ids = await recordDocuments(
      tx,
      batch.source,
      entries.map(({ document }) => document),
    )
    const idOf = (entry: { document: DocumentOrigin }) => ids.get(documentKey(entry.document)) as number
    const counts = [
      await writeZoneDays(tx, batch, idOf),
      await writeDailyPrices(tx, batch, idOf),
      await writeFundamentalDays(tx, batch, idOf),
    ]
    await writeRefused(tx, batch, idOf)
    if (batch.emitEvents) await recordEvents(tx, batch, [...ids.values()])
    return counts.reduce(addCounts, NOTHING_STORED)
  })
}

export const NOTHING_STORED: StoredCounts = { stored: 0, unchanged: 0, corrected: 0, outranked: 0 }

export function addCounts(a: StoredCounts, b: StoredCounts): StoredCounts {
  return {
    stored: a.stored + b.stored,
    unchanged: a.unchanged + b.unchanged,
    corrected: a.corrected + b.corrected,
    outranked: a.outranked + b.outranked,
  }
}

type IdOf = (entry: { document: DocumentOrigin }) => number

async function writeZoneDays(
  tx: Transaction,
  { zoneDays, source, storedAt }: PriceBatch,
  idOf: IdOf,
): Promise<StoredCounts> {
  if (zoneDays.length === 0) return NOTHING_STORED
  const [counts] = await tx<StoredCounts[]>`
    select stored, unchanged, corrected, outranked
    from store_zone_days(
      ${zoneDays.map(({ item }) => item.zone)}::text[],
      ${zoneDays.map(({ item }) => item.day)}::date[],
      ${zoneDays.map(({ item }) => item.resolutionMinutes)}::smallint[],
      ${zoneDays.map(({ item }) => item.prices.length)}::integer[],
      ${zoneDays.map(({ observedAt }) => observedAt)}::timestamptz[],
      ${zoneDays.map(idOf)}::bigint[],
      ${zoneDays.flatMap(({ item }) => item.prices as number[])}::double precision[],
      ${source}, ${storedAt}::timestamptz
    )`
  return counts ?? NOTHING_STORED
}

async function writeDailyPrices(
  tx: Transaction,
  { dailyPrices, source, storedAt }: PriceBatch,
  idOf: IdOf,
): Promise<StoredCounts> {
  if (dailyPrices.length === 0) return NOTHING_STORED
  const [counts] = await tx<StoredCounts[]>`
    select stored, unchanged, corrected, outranked
    from store_daily_prices(
      ${dailyPrices.map(({ item }) => item.asset)}::text[],
      ${dailyPrices.map(({ item }) => item.day)}::date[],
      ${dailyPrices.map(({ item }) => item.price as number)}::double precision[],
      ${dailyPrices.map(({ observedAt }) => observedAt)}::timestamptz[],
      ${dailyPrices.map(idOf)}::bigint[],
      ${source}, ${storedAt}::timestamptz
    )`
  return counts ?? NOTHING_STORED
}

async function writeFundamentalDays(
  tx: Transaction,
  { fundamentalDays: days = [], source, storedAt }: PriceBatch,
  idOf: IdOf,
): Promise<StoredCounts> {
  if (days.length === 0) return NOTHING_STORED
  const [counts] = await tx<StoredCounts[]>`
    select stored, unchanged, corrected, outranked
    from store_fundamental_days(
      ${days.map(({ item }) => item.series)}::text[],
      ${days.map(({ item }) => item.area)}::text[],
      ${days.map(({ item }) => item.day)}::date[],
      ${days.map(({ item }) => item.resolutionMinutes)}::smallint[],
      ${days.map(({ item }) => fundamentalOf(item.series).unit)}::text[],
      ${days.map(({ item }) => item.values.length)}::integer[],
      ${days.map(({ item, observedAt }) => knownFrom(item, observedAt))}::timestamptz[],
      ${days.map(idOf)}::bigint[],
      ${days.flatMap(({ item }) => item.values.map((value) => value ?? null))}::double precision[],
      ${source}, ${storedAt}::timestamptz
    )`
  return counts ?? NOTHING_STORED
}

/** The same day of the same document is quarantined once, however often it is read. */
async function writeRefused(tx: Transaction, { refused, source, storedAt }: PriceBatch, idOf: IdOf): Promise<void> {
  if (refused.length === 0) return
  const rows = refused.map((entry) => {
    const { series, day, resolutionMinutes, prices, faults } = entry.item
    return {
      document_id: idOf(entry),
      series,
      market_day: day,
      resolution_minutes: resolutionMinutes,
      reasons: [...new Set(faults.map((fault) => fault.code))],
      details: faults.map((fault) => storable(`${fault.place}: ${fault.detail}`)),
      prices: prices?.map((price) => (Number.isFinite(price) ? price : (price?.toString() ?? null))) ?? null,
    }
  })
  await tx`
    insert into quarantined_days
      (document_id, source, series, market_day, resolution_minutes, reasons, details, prices, quarantined_at)
    select r.document_id, ${source}, r.series, r.market_day, r.resolution_minutes, r.reasons, r.details, r.prices,
           ${storedAt}::timestamptz
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as r (
      document_id bigint, series text, market_day date, resolution_minutes smallint, reasons text[], details text[], prices double precision[]
    )
    on conflict on constraint quarantined_days_once do nothing`
}

/** PostgreSQL cannot store NUL or half a surrogate pair, which a truncated text from a file may contain. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\\u0000')
}

/** Records events in the same transaction, so that a crash loses none. */
async function recordEvents(tx: Transaction, batch: PriceBatch, documentIds: number[]): Promise<void> {
  const { source, storedAt, zoneDays, dailyPrices } = batch
  const days = [...zoneDays, ...dailyPrices].map(({ item }) => item.day.toString()).sort()
  await tx`
    select note_source_events(
      ${source}, ${documentIds}::bigint[], ${[...new Set(zoneDays.map(({ item }) => item.zone))]}::text[],
      ${days.at(0) ?? null}::date, ${days.at(-1) ?? null}::date, ${storedAt}::timestamptz
    )`
}
