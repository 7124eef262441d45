import { describe, expect, it } from 'vitest'
import { gateZoneDay } from '../../../src/ingest/gate.ts'
import { readDocuments } from '../../../src/ingest/read-documents.ts'
import { dependsOnLevel, LEVEL_DAYS, levelOf, storedAs, wrongUnitFaults } from '../../../src/ingest/wrong-unit.ts'
import type { DailyPrice, ZoneDay } from '../../../src/publishers/observations.ts'
import { dailyPrice, zoneDay } from '../../support/prices.ts'
import { needsSharedData, sharedData } from '../../support/shared-data.ts'

type PriceDay = ZoneDay | DailyPrice

const DAY = Temporal.PlainDate.from('2026-01-14')
const LIMITS = { priceLimits: { min: -500, max: 4000 } }
/** A week at 100 before the day. */
const WEEK = levels(7, 100)

function levels(count: number, level: number) {
  return Array.from({ length: count }, (_, n) => ({ day: DAY.subtract({ days: n + 1 }), level }))
}

describe('a day in a thousandth of its unit is refused', () => {
  it('for a zone, with its highest price and the level around it', () => {
    const day = zoneDay('nazionale', `${DAY}`, 15, (ordinal) => 0.09 + (ordinal % 5) / 100)
    expect(dependsOnLevel(day)).toBe(true)
    const detail = 'no price exceeds 0.13, but the days around it average 100.00: probably the wrong unit'
    expect(wrongUnitFaults(day, WEEK)).toEqual([{ code: 'wrong_unit', place: `PUN ${DAY}`, detail }])
  })

  it('for gas', () => {
    expect(wrongUnitFaults(dailyPrice('TTF', `${DAY}`, 0.031), levels(7, 31))).toMatchObject([
      { code: 'wrong_unit', place: `TTF ${DAY}` },
    ])
  })
})

describe('a day is accepted', () => {
  it.each([
    ['one expensive hour is enough', (ordinal: number) => (ordinal === 20 ? 1 : 0.1), WEEK],
    ['deeply negative prices are not low', () => -2, WEEK],
    ['there are too few days to compare with', () => 0.1, levels(2, 100)],
    ['the days to compare with are too far away', () => 0.1, levels(90, 100).slice(60)],
    ['the days to compare with are cheap too', () => 0.1, levels(7, 5)],
    ['only the distant days are expensive', () => 0.1, [...levels(7, 5), ...levels(30, 100).slice(7)]],
  ])('if %s', (_, price, around) => {
    expect(wrongUnitFaults(zoneDay('nord', `${DAY}`, 60, price), around)).toEqual([])
  })

  it('without a comparison if a price is not low, or all are zero', () => {
    expect(dependsOnLevel(zoneDay('nord', `${DAY}`, 60, (ordinal) => (ordinal === 20 ? 10 : 0.1)))).toBe(false)
    expect(dependsOnLevel(dailyPrice('PUN', `${DAY}`, 0))).toBe(false)
  })
})

describe.skipIf(!sharedData('power'))(needsSharedData('real prices'), () => {
  it.each([
    ['power/gme_pun_hourly_2004-04_2022-12.csv.gz', 6_849],
    ['power/gme_mgp_zonal_hourly_2022.csv.gz', 364 * 8],
    ['power/gme_mgp_zonal_hourly_2023-01_2024-12.csv.gz', 731 * 8],
    ['power/gme_pun_daily_2022-01_2024-12.csv', 1_096],
    ['gas/gme_mgpgas_psv_daily_2020-10_2024-09.csv', 1_461],
    ['gas/ttf_front_month_daily_2019_2024.csv', 1_510],
    ['gas/eex_ttf_dayahead_eod_egsi_2024-08_2025-12.csv', 478],
    ['oil/brent_daily_1987_2024.csv', 9_546],
    ['co2/eex_eua_primary_auctions_2012_2022.csv', 2_040],
  ])('%s: no day is refused, and each of its %i days would be in a thousandth of its unit', async (file, count) => {
    const days = await readShared(file)
    expect(days).toHaveLength(count)
    for (const series of Map.groupBy(days, (day) => JSON.stringify({ ...storedAs(day), day: '' })).values()) {
      const levels = series.map(levelOf)
      for (const [at, day] of series.entries()) {
        const before = levels.slice(Math.max(0, at - LEVEL_DAYS), at)
        const after = levels.slice(at + 1, at + 1 + LEVEL_DAYS)
        const surroundings = [before, after, [...before, ...after]].filter((around) => around.length >= LEVEL_DAYS)
        for (const around of surroundings) {
          if (isRefused(day, around) || !isRefused(inThousandths(day), around)) expect.fail(`${file}: ${day.day}`)
        }
      }
    }
  })
})

function isRefused(day: PriceDay, around: ReturnType<typeof levels>): boolean {
  return dependsOnLevel(day) && wrongUnitFaults(day, around).length > 0
}

function inThousandths(day: PriceDay): PriceDay {
  if (day.kind === 'daily-price') return { ...day, price: (day.price as number) / 1000 }
  return { ...day, prices: day.prices.map((price) => (price as number) / 1000) }
}

/** The complete days of a file, in their order. */
async function readShared(file: string): Promise<PriceDay[]> {
  const days: PriceDay[] = []
  for await (const { parsed } of readDocuments(sharedData(file) as string)) {
    for await (const item of parsed) {
      if (item.kind === 'daily-price' || (item.kind === 'zone-day' && gateZoneDay(item, LIMITS).accepted))
        days.push(item)
    }
  }
  return days
}
