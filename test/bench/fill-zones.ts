/** Whole days of every zone, priced by a formula: only their number matters. */

import { intervalsInMarketDay, type MarketDay, type ResolutionMinutes } from '../../src/market/market-day.ts'
import { STORED_ZONES } from '../../src/market/zones.ts'
import type { ZoneDay } from '../../src/publishers/observations.ts'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import { storePrices } from '../support/prices.ts'
import type { ScratchDatabase } from './scratch-database.ts'

const DAYS_PER_DOCUMENT = 30

export interface Span {
  from: MarketDay
  to: MarketDay
  resolutionMinutes: ResolutionMinutes
  /** Of the n-th interval of a day in the i-th zone. */
  priceOf?: (i: number, day: MarketDay, n: number) => number
}

const formula: NonNullable<Span['priceOf']> = (i, day, n) => 60 + i + ((n * 7 + day.dayOfYear) % 50)

export async function fillZones(
  { database }: Pick<ScratchDatabase, 'database'>,
  { from, to, resolutionMinutes, priceOf = formula }: Span,
): Promise<void> {
  let days: ZoneDay[] = []
  for (let day = from; Temporal.PlainDate.compare(day, to) <= 0; day = day.add({ days: 1 })) {
    const count = intervalsInMarketDay(day, resolutionMinutes)
    for (const [i, zone] of STORED_ZONES.entries()) {
      const prices = Array.from({ length: count }, (_, n) => priceOf(i, day, n))
      days.push({ kind: 'zone-day', zone, day, resolutionMinutes, prices, faults: [] })
    }
    if (days.length >= DAYS_PER_DOCUMENT * STORED_ZONES.length) {
      await storePrices(database.sql, days)
      days = []
    }
  }
  if (days.length > 0) await storePrices(database.sql, days)
  await refreshAggregates(database.sql)
  await database.sql`analyze`
}
