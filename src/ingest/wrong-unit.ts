/**
 * Days in a thousandth of their unit, such as €/kWh under the heading €/MWh. Their prices are within the market's limits, so they are
 * compared with the level of prices: the median of the means of the nearest accepted days. Measured on real prices (PUN 2004-2024, zones
 * 2022-2024, PSV 2020-2024, TTF 2019-2025, Brent from 1987, CO2 2012-2022), with days before, after or around each day:
 *
 * - The highest price of a day was never below 0.042 of the level (PUN 2004-05-23); since 2005, never below 0.40.
 * - It was never above 5.4 times the level, which is 0.0054 in the wrong unit: every such day would have been refused.
 */
import type { AssetCode } from '../market/assets.ts'
import type { MarketDay } from '../market/market-day.ts'
import { quantile } from '../market/quantile.ts'
import { NATIONAL_ZONE, type ZoneCode } from '../market/zones.ts'
import type { Fault } from '../publishers/faults.ts'
import type { DailyPrice, ZoneDay } from '../publishers/observations.ts'
import type { DayLevel } from '../store/price-levels.ts'

type PriceDay = ZoneDay | DailyPrice

/** A day is refused if all its prices are below this share of the level: a quarter of the lowest share observed. */
const REFUSED_BELOW = 0.01
/** In each asset's unit. A day with a higher price is not compared, since no level has come near 1000. */
const COMPARED_BELOW = 10
/** How many days the level is taken from. */
export const LEVEL_DAYS = 7
/** With fewer days around it, a day is accepted. */
const LEVEL_DAYS_MIN = 3
/** Days further away do not count. */
const WITHIN_DAYS = 60

/** Whether the level decides: all prices are low. All zeros are judged by other rules. */
export function dependsOnLevel(item: PriceDay): boolean {
  const highest = highestOf(item)
  return highest > 0 && highest < COMPARED_BELOW
}

/** The fault of a day whose prices are far below the levels of the days around it, given in any order. */
export function wrongUnitFaults(item: PriceDay, levels: readonly DayLevel[]): Fault[] {
  const nearest = levels
    .map(({ day, level }) => ({ level, distance: Math.abs(day.until(item.day).days) }))
    .filter(({ distance }) => distance > 0 && distance <= WITHIN_DAYS)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, LEVEL_DAYS)
  if (nearest.length < LEVEL_DAYS_MIN) return []
  const level = quantile(
    nearest.map((one) => one.level).sort((a, b) => a - b),
    0.5,
  )
  const highest = highestOf(item)
  if (highest >= REFUSED_BELOW * level) return []
  const { zone, asset = zone, day } = storedAs(item)
  const detail = `no price exceeds ${highest}, but the days around it average ${level.toFixed(2)}: probably the wrong unit`
  return [{ code: 'wrong_unit', place: `${asset} ${day}`, detail }]
}

/** The mean price of a complete day. */
export function levelOf(item: PriceDay): DayLevel {
  const prices = pricesOf(item)
  return { day: item.day, level: prices.reduce((sum, price) => sum + price, 0) / prices.length }
}

/** Under which zone and asset the days to compare are stored: the PUN by interval as a zone, or by day as an asset. */
export function storedAs(item: PriceDay): { zone?: ZoneCode; asset?: AssetCode; day: MarketDay } {
  const { day } = item
  if (item.kind === 'zone-day') return { zone: item.zone, asset: item.zone === NATIONAL_ZONE ? 'PUN' : undefined, day }
  return { asset: item.asset, zone: item.asset === 'PUN' ? NATIONAL_ZONE : undefined, day }
}

export function isComparable(a: PriceDay, b: PriceDay): boolean {
  const [one, other] = [storedAs(a), storedAs(b)]
  return one.zone === other.zone && one.asset === other.asset
}

function highestOf(item: PriceDay): number {
  return Math.max(...pricesOf(item).map(Math.abs))
}

function pricesOf(item: PriceDay): number[] {
  return item.kind === 'daily-price' ? [item.price as number] : (item.prices as number[])
}
