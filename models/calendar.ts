/**
 * Days as the models count them: whole calendar days since 1970-01-01, so that a day is an index and "+1" is the next market day,
 * also across daylight-saving changes.
 */
import type { ForecastAsset } from '../src/market/forecast-scope.ts'
import type { MarketDay } from '../src/market/market-day.ts'
import { isTradingHoliday } from '../src/market/trading-days.ts'

/** Calendar days since 1970-01-01; never an instant. */
export type DayNumber = number

const MS_PER_DAY = 86_400_000
const EPOCH_WEEKDAY = 3 // 1970-01-01 was a Thursday

/** `2024-01-01` is 19723. */
export function dayNumber(day: MarketDay): DayNumber {
  return Date.UTC(day.year, day.month - 1, day.day) / MS_PER_DAY
}

/** The inverse of `dayNumber`. */
export function marketDay(day: DayNumber): MarketDay {
  const date = new Date(day * MS_PER_DAY)
  return new Temporal.PlainDate(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate())
}

/** 0 for Monday to 6 for Sunday. */
export function weekday(day: DayNumber): number {
  return (((day + EPOCH_WEEKDAY) % 7) + 7) % 7
}

const [FRIDAY, SATURDAY, SUNDAY] = [4, 5, 6]

/** Working days, Saturdays, and Sundays with holidays; prices differ between these kinds. */
export const DAY_KINDS = 3

/** 0 to `DAY_KINDS` − 1. */
export function dayKind(day: DayNumber, holidays: ReadonlySet<DayNumber>): number {
  return (holidays.has(day) ? SUNDAY : Math.max(weekday(day), FRIDAY)) - FRIDAY
}

/** Whether the asset has a price on that day: PUN and PSV every day, TTF on the exchange's trading days. */
export function hasMarket(asset: ForecastAsset, day: DayNumber): boolean {
  return asset !== 'TTF' || isTradingDay(day)
}

const tradingDays = new Map<DayNumber, boolean>()

/** Cached, because Easter would otherwise be recomputed for each day. */
function isTradingDay(day: DayNumber): boolean {
  const found = tradingDays.get(day)
  if (found !== undefined) return found
  const isTrading = weekday(day) < SATURDAY && !isTradingHoliday(marketDay(day))
  tradingDays.set(day, isTrading)
  return isTrading
}
