/** A real day of offers on standard terms, imported as by any user: indices and statistics are plausible, and printed. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { importFiles } from '../../src/ingest/import-files.ts'
import { makeClock } from '../../src/platform/clock.ts'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import { type OfferCell, offerIndexStore, refreshOfferIndices } from '../../src/store/offer-indices.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { storePrices, zoneDay } from '../support/prices.ts'
import { needsSharedData, sharedData } from '../support/shared-data.ts'

const FILE = sharedData('raw/arera/PO_Offerte_E_PLACET_20251113.csv')
/** Approximate PUN of October 2025, €/MWh; the files of those days are not available. */
const PUN = 111

describe.skipIf(FILE === undefined)(needsSharedData('a real day of offers'), () => {
  let db: TestDatabase
  let cells: OfferCell[]
  beforeAll(async () => {
    db = await testDatabase()
    const { sql } = db.database
    const first = Temporal.PlainDate.from('2025-10-01')
    const days = Array.from({ length: 43 }, (_, i) => first.add({ days: i }).toString())
    await storePrices(
      sql,
      days.map((day) => zoneDay('nazionale', day, 60, () => PUN)),
    )
    await refreshAggregates(sql)
    await importFiles({ database: db.database, clock: makeClock(), paths: [FILE ?? ''] })
    await refreshOfferIndices(sql, Temporal.Now.instant())
    cells = await offerIndexStore(sql).latestCells(Temporal.PlainDate.from('2025-11-13'))
    console.table(
      cells.map(({ priceType, customer, offers, excluded, prices, spreads, fees }) => ({
        priceType,
        customer,
        offers,
        excluded,
        ...prices,
        spread: spreads?.median,
        fee: fees?.median,
      })),
    )
  })
  afterAll(() => db?.stop())

  it('has every cell, each with most of its offers', () => {
    expect(cells.map(({ priceType, customer }) => `${priceType} ${customer}`)).toEqual([
      'fisso domestico',
      'fisso business',
      'variabile domestico',
      'variabile business',
    ])
    for (const { offers, excluded } of cells) {
      expect(offers).toBeGreaterThan(150)
      expect(excluded).toBeLessThan(offers / 5)
    }
  })

  // Suppliers must offer standard terms but need not make them attractive: fixed ones cost about three times the wholesale price.
  it('has median prices of one to four times the wholesale price, and ordered percentiles', () => {
    for (const { prices, spreads, fees } of cells) {
      expect(prices?.median).toBeGreaterThan(PUN / 1000)
      expect(prices?.median).toBeLessThan((4 * PUN) / 1000)
      const { p10 = 0, p25 = 0, median = 0, p75 = 0, p90 = 0 } = spreads ?? {}
      expect([p10, p25, median, p75, p90]).toEqual([p10, p25, median, p75, p90].toSorted((a, b) => a - b))
      expect(median).toBeGreaterThan(0)
      expect(fees?.median).toBeGreaterThan(4)
      expect(fees?.median).toBeLessThan(40)
    }
  })
})
