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

/** Read at that instant, or each at its own, and stored at the latest. */
export function storeFundamentals(
  sql: Sql,
  items: readonly FundamentalDay[],
  { source, at }: { source: string; at: string | ((day: Temporal.PlainDate) => string) },
): Promise<StoredCounts> {
  documents += 1
  const readAt = items.map(({ day }) => Temporal.Instant.from(typeof at === 'string' ? at : at(day)))
  const storedAt = readAt.toSorted(Temporal.Instant.compare).at(-1) as Temporal.Instant
  const sha256 = documents.toString(16).padStart(64, 'a')
  const document = { sha256, address: `fundamentals-${documents}`, bytes: 1, fetchedAt: storedAt }
  return writePrices(sql, {
    source,
    storedAt,
    zoneDays: [],
    dailyPrices: [],
    fundamentalDays: items.map((item, i) => ({ item, document, observedAt: readAt[i] as Temporal.Instant })),
    refused: [],
  })
}
