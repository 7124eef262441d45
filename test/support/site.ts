/** Data for every part of the pages: prices of two months, hours, zones, forecasts and their scores. */
import { ALL_MARKET_ZONES } from '../../src/market/zones.ts'
import type { DailyPrice, ZoneDay } from '../../src/publishers/observations.ts'
import type { Sql } from '../../src/store/database.ts'
import { scoreForecasts } from '../../src/store/forecast-ledger.ts'
import { type ReplayedForecast, saveReplay } from '../../src/store/forecast-replays.ts'
import { seedIssue } from './forecasts.ts'
import { dailyPrice, type SeedOptions, zoneDay } from './prices.ts'

const TODAY = Temporal.PlainDate.from('2026-11-20')
/** 14:30 in Rome, when tomorrow's prices are published. */
export const SITE_NOW = Temporal.Instant.from('2026-11-20T13:30:00Z')
const DAYS = Array.from({ length: 60 }, (_, i) => TODAY.subtract({ days: 59 - i }).toString())
const TOMORROW = TODAY.add({ days: 1 }).toString()

export interface SeededSite {
  sql: Sql
  seed(items: (ZoneDay | DailyPrice)[], options?: SeedOptions): Promise<unknown>
}

export async function seedSite({ sql, seed }: SeededSite): Promise<void> {
  const wave = (i: number) => 110 + 20 * Math.sin(i / 6)
  const daily = (asset: 'PSV' | 'TTF' | 'Brent' | 'CO2', base: number) =>
    DAYS.map((day, i) => dailyPrice(asset, day, base + Math.sin(i / 4)))
  await seed(daily('PSV', 31), { source: 'gme-mgas' })
  await seed(daily('TTF', 29), { source: 'eex-ttf' })
  await seed(daily('Brent', 84), { source: 'eia-brent' })
  await seed(daily('CO2', 76), { source: 'eex-eua' })
  await seed([
    ...DAYS.slice(0, -1).map((day, i) => zoneDay('nazionale', day, 60, (hour) => wave(i) + hour)),
    ...[TODAY.toString(), TOMORROW].map((day) => zoneDay('nazionale', day, 15, (quarter) => wave(quarter) - 60)),
    ...ALL_MARKET_ZONES.map((zone, i) => zoneDay(zone, TOMORROW, 60, () => 35 + 6 * i)),
  ])
  await seedForecasts(sql)
}

/** One issue a day for the last weeks, scored against the actual prices; the last one follows tomorrow's price. */
async function seedForecasts(sql: Sql): Promise<void> {
  for (let back = 20; back >= 1; back--) {
    const infoDate = TODAY.subtract({ days: back }).toString()
    await seedIssue(sql, { asset: 'PUN', infoDate, issuedAt: `${infoDate}T12:30:00Z`, days: 3, p50: () => 120 })
  }
  const issuedAt = `${TODAY}T13:00:00Z`
  await seedIssue(sql, { asset: 'PUN', infoDate: TOMORROW, issuedAt, days: 40, p50: (day) => 90 + day / 4 })
  await scoreForecasts(sql, 'PUN', Temporal.Instant.from(`${TODAY}T13:10:00Z`))
}

/** A replay of ten evenings, each with forecasts for the days after it. */
export function seedPastForecasts({ sql }: SeededSite): Promise<unknown> {
  return saveReplay(sql, {
    ...{ asset: 'PUN', synthetic: false, purpose: 'accuracy', codeVersion: '1.0.0', madeAt: SITE_NOW },
    forecasts: Array.from({ length: 10 }, (_, i) => replayFrom(`2026-11-${String(i + 8).padStart(2, '0')}`)).flat(),
  })
}

/** Ten days from an info date, issued in the evening before it. */
function replayFrom(infoDate: string): ReplayedForecast[] {
  const info = Temporal.PlainDate.from(infoDate)
  return Array.from({ length: 10 }, (_, i) => ({
    ...{ role: 'published' as const, model: 'base', version: '1', infoDate, p10: 110, p50: 120 + i, p90: 130 + i },
    ...{ targetDate: info.add({ days: i + 1 }).toString(), horizonDays: i + 1, actual: 115 },
    issuedAt: Temporal.Instant.from(`${info.subtract({ days: 1 })}T19:00:00Z`),
  }))
}
