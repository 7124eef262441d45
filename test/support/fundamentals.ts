/** Fundamentals for tests: whole days made of a rule, stored as a publisher's document would be. */
import type { FundamentalArea, FundamentalSeries } from '../../src/market/fundamentals.ts'
import { intervalsInMarketDay, type ResolutionMinutes } from '../../src/market/market-day.ts'
import type { FundamentalDay } from '../../src/publishers/observations.ts'
import type { Sql } from '../../src/store/database.ts'
import { type StoredCounts, writePrices } from '../../src/store/price-writer.ts'

/** `valueAt` gets the ordinal, from 1; undefined leaves the interval out. */
export function fundamentalDay(
  name: `${FundamentalSeries}/${FundamentalArea}`,
  isoDay: string,
  valueAt: (ordinal: number) => number | undefined,
  resolutionMinutes: ResolutionMinutes = 60,
): FundamentalDay {
  const [series, area] = name.split('/') as [FundamentalSeries, FundamentalArea]
  const day = Temporal.PlainDate.from(isoDay)
  const count = intervalsInMarketDay(day, resolutionMinutes)
  const values = Array.from({ length: count }, (_, index) => valueAt(index + 1))
  return { kind: 'fundamental-day', series, area, day, resolutionMinutes, values, faults: [] }
}

let documents = 0

/** Read and stored at that instant. */
export function storeFundamentals(
  sql: Sql,
  items: readonly FundamentalDay[],
  { source, at }: { source: string; at: string },
): Promise<StoredCounts> {
  documents += 1
  const readAt = Temporal.Instant.from(at)
  const sha256 = documents.toString(16).padStart(64, 'a')
  const document = { sha256, address: `fundamentals-${documents}`, bytes: 1, fetchedAt: readAt }
  return writePrices(sql, {
    source,
    storedAt: readAt,
    zoneDays: [],
    dailyPrices: [],
    fundamentalDays: items.map((item) => ({ item, document, observedAt: readAt })),
    refused: [],
  })
}
