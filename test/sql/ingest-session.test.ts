/** A publisher's days in hours and in quarter-hours, one after the other: the finest valid ones are stored, and none counts as a correction. */
import { beforeEach, describe, expect, it } from 'vitest'
import { ingestSession } from '../../src/ingest/ingest.ts'
import { intervalsInMarketDay } from '../../src/market/market-day.ts'
import { STORED_ZONES } from '../../src/market/zones.ts'
import type { ZoneDay } from '../../src/publishers/observations.ts'
import { loadPriceLimits } from '../../src/store/price-limits.ts'
import { databaseOfFile } from '../support/database.ts'
import { zoneDay } from '../support/prices.ts'

const NOW = Temporal.Instant.from('2026-11-21T12:00:00Z')
/** Include both change days, and more intervals than one batch. */
const SPANS = [
  ['2025-10-20', 12],
  ['2026-03-23', 12],
] as const
const DAYS = SPANS.flatMap(([first, count]) =>
  Array.from({ length: count }, (_, n) => Temporal.PlainDate.from(first).add({ days: n })),
)

const { sql } = (await databaseOfFile()).database
beforeEach(() => sql`truncate price_intervals, price_interval_revisions`)

async function ingest(days: readonly ZoneDay[]) {
  const limits = await loadPriceLimits(sql)
  const session = ingestSession({ sql, clock: { now: () => NOW }, limits, source: 'gme-mgp' })
  for (const day of days) {
    const address = `${day.day}-${day.resolutionMinutes}.xml`
    const sha256 = Buffer.from(address).toString('hex').padEnd(64, '0').slice(0, 64)
    await session.add(day, { sha256, address, bytes: 1, fetchedAt: NOW })
  }
  return session.finish()
}

const hours = (day: Temporal.PlainDate) => STORED_ZONES.map((zone) => zoneDay(zone, `${day}`, 60, (n) => 50 + n))
const quarters = (day: Temporal.PlainDate) => STORED_ZONES.map((zone) => zoneDay(zone, `${day}`, 15, (n) => 50 + n / 4))
const countOf = (minutes: 15 | 60) =>
  STORED_ZONES.length * DAYS.reduce((sum, day) => sum + intervalsInMarketDay(day, minutes), 0)

describe('days in hours and in quarter-hours', () => {
  it.each([
    ['hours first', (day: Temporal.PlainDate) => [...hours(day), ...quarters(day)]],
    ['quarter-hours first', (day: Temporal.PlainDate) => [...quarters(day), ...hours(day)]],
  ])('are stored in quarter-hours, %s', async (_, stated) => {
    const summary = await ingest(DAYS.flatMap(stated))
    expect(summary).toMatchObject({ stored: countOf(15), corrected: 0, refused: [], read: countOf(15) + countOf(60) })
    expect(await ingest(DAYS.flatMap(stated))).toMatchObject({ stored: 0, corrected: 0, unchanged: countOf(15) })
  })

  it('keep the hours if the quarter-hours are invalid', async () => {
    const day = DAYS[0] as Temporal.PlainDate
    const gap = quarters(day).map((one) => ({ ...one, prices: one.prices.with(9, undefined) }))
    const summary = await ingest([...hours(day), ...gap])
    expect(summary).toMatchObject({ stored: STORED_ZONES.length * 24, corrected: 0 })
    expect(summary.refused).toHaveLength(STORED_ZONES.length)
  })

  it('that were stored in hours before are corrected by quarter-hours, and not the reverse', async () => {
    const day = DAYS[0] as Temporal.PlainDate
    await ingest(hours(day))
    expect(await ingest(quarters(day))).toMatchObject({ corrected: STORED_ZONES.length * 96 })
    expect(await ingest(hours(day))).toMatchObject({ stored: 0, corrected: 0, outranked: STORED_ZONES.length * 24 })
  })
})
