/** Seeds: prices as a publisher's accepted results, stored by the same writer as all other data. */
import type { AssetCode } from '../../src/market/assets.ts'
import { intervalsInMarketDay, type ResolutionMinutes } from '../../src/market/market-day.ts'
import type { ZoneCode } from '../../src/market/zones.ts'
import type { DailyPrice, ZoneDay } from '../../src/publishers/observations.ts'
import type { Sql } from '../../src/store/database.ts'
import type { DocumentOrigin } from '../../src/store/documents.ts'
import { type StoredCounts, writePrices } from '../../src/store/price-writer.ts'

/** A whole day of a zone; `price` gives the price of each ordinal. */
export function zoneDay(
  zone: ZoneCode,
  text: string,
  resolutionMinutes: ResolutionMinutes,
  price: (ordinal: number) => number | undefined,
): ZoneDay {
  const day = Temporal.PlainDate.from(text)
  const count = intervalsInMarketDay(day, resolutionMinutes)
  const prices = Array.from({ length: count }, (_, i) => price(i + 1))
  return { kind: 'zone-day', zone, day, resolutionMinutes, prices, faults: [] }
}

export function dailyPrice(asset: AssetCode, text: string, price: number): DailyPrice {
  return { kind: 'daily-price', asset, day: Temporal.PlainDate.from(text), price, faults: [] }
}

/** Both days included, as `2026-03-29`. */
export function daysBetween(first: string, last: string): string[] {
  const start = Temporal.PlainDate.from(first)
  return Array.from({ length: start.until(last).days + 1 }, (_, i) => String(start.add({ days: i })))
}

let documents = 0

export interface SeedOptions {
  source?: string
  /** When the document was read and its values published; by default one minute after the last seed. */
  at?: Temporal.Instant
}

/** Stores the items as one document. */
export async function storePrices(
  sql: Sql,
  items: (ZoneDay | DailyPrice)[],
  options: SeedOptions = {},
): Promise<StoredCounts> {
  documents += 1
  const at = options.at ?? Temporal.Instant.from('2026-01-01T12:00:00Z').add({ minutes: documents })
  const document: DocumentOrigin = {
    sha256: documents.toString(16).padStart(64, '0'),
    address: `seed-${documents}`,
    bytes: 1,
    fetchedAt: at,
  }
  return writePrices(sql, {
    source: options.source ?? 'gme-mgp',
    storedAt: at,
    zoneDays: items.filter((item) => item.kind === 'zone-day').map((item) => ({ item, document, observedAt: at })),
    dailyPrices: items
      .filter((item) => item.kind === 'daily-price')
      .map((item) => ({ item, document, observedAt: at })),
    refused: [],
  })
}
