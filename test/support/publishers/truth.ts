/** The values that publishers publish, as functions of day and instant: invented but deterministic. */
import type { AssetCode } from '../../../src/market/assets.ts'
import { intervalsInMarketDay, type MarketDay } from '../../../src/market/market-day.ts'
import { isAuctionDay, isTradingDay } from '../../../src/market/trading-days.ts'
import { STORED_ZONES, type ZoneCode } from '../../../src/market/zones.ts'
import { momentToInstant } from '../../../src/publishers/schedule.ts'
import { sourceDefinition } from '../../../src/publishers/sources.ts'

export type DailyAsset = Exclude<AssetCode, 'PUN'>

export interface Truth {
  /**
   * Prices of every zone on a market day, as published at the instant, €/MWh by quarter-hour (by hour before 2025-10-01);
   * undefined before they are published. `isRequested`: false for a day outside the requested span (fault `previous-day`).
   */
  zones(
    day: MarketDay,
    at: Temporal.Instant,
    isRequested?: boolean,
  ): ReadonlyMap<ZoneCode, readonly number[]> | undefined
  /** An asset's price; undefined before its publication and on days without one. */
  price(asset: DailyAsset, day: MarketDay, at: Temporal.Instant): number | undefined
}

const QUARTERS_FROM = Temporal.PlainDate.from('2025-10-01')
const EPOCH = Temporal.PlainDate.from('2020-01-01')

/** Market time unit of a day, in minutes. */
export function mtuMinutes(day: MarketDay): 15 | 60 {
  return Temporal.PlainDate.compare(day, QUARTERS_FROM) < 0 ? 60 : 15
}

/** Differs by zone, day and interval; two decimals. */
export function zonePriceOf(zone: ZoneCode, day: MarketDay, ordinal: number): number {
  const dayNumber = EPOCH.until(day).days
  return Math.round((60 + STORED_ZONES.indexOf(zone) * 3 + (dayNumber % 17) + ((ordinal * 37) % 50)) * 100 + 25) / 100
}

const LEVELS: Record<DailyAsset, number> = { PSV: 31, TTF: 30, Brent: 75, CO2: 70 }
const HAS_PRICE: Record<DailyAsset, (day: MarketDay) => boolean> = {
  PSV: () => true,
  TTF: (day) => isTradingDay(day) && isTradingDay(day.subtract({ days: 1 })),
  Brent: isTradingDay,
  CO2: isAuctionDay,
}
const SOURCE_OF: Record<DailyAsset, string> = { PSV: 'gme-mgas', TTF: 'eex-ttf', Brent: 'eia-brent', CO2: 'eex-eua' }

export function dailyPriceOf(asset: DailyAsset, day: MarketDay): number | undefined {
  if (!HAS_PRICE[asset](day)) return undefined
  return Math.round((LEVELS[asset] + (EPOCH.until(day).days % 13) / 4) * 100) / 100
}

/** Everything is published at its usual time and never corrected. */
export function plainTruth(): Truth {
  return {
    zones(day, at) {
      if (!isPublished('gme-mgp', day, at)) return undefined
      const count = intervalsInMarketDay(day, mtuMinutes(day))
      const prices = (zone: ZoneCode) => Array.from({ length: count }, (_, index) => zonePriceOf(zone, day, index + 1))
      return new Map(STORED_ZONES.map((zone) => [zone, prices(zone)]))
    },
    price: (asset, day, at) => (isPublished(SOURCE_OF[asset], day, at) ? dailyPriceOf(asset, day) : undefined),
  }
}

/** Whether the source's usual publication time for the day has passed. */
export function isPublished(source: string, day: MarketDay, at: Temporal.Instant): boolean {
  return Temporal.Instant.compare(momentToInstant(day, sourceDefinition(source).publishes), at) <= 0
}

/** Averages quarter-hours into hours, as the market does; hourly prices are returned unchanged. */
export function hoursOf(day: MarketDay, prices: readonly number[]): number[] {
  if (mtuMinutes(day) === 60) return [...prices]
  return Array.from({ length: prices.length / 4 }, (_, hour) => {
    const quarters = prices.slice(hour * 4, hour * 4 + 4)
    return Math.round((quarters.reduce((sum, price) => sum + price, 0) / 4) * 1e6) / 1e6
  })
}
