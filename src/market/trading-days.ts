/** Days on which fuels and allowances have a price. Electricity and the Italian gas market have one every day. */
import { isTradingHoliday } from './holidays.ts'
import type { MarketDay } from './market-day.ts'

const WEDNESDAY = 3
const SATURDAY = 6

/** Monday to Friday without the exchanges' holidays: `2026-04-03`, Good Friday, is none. */
export function isTradingDay(day: MarketDay): boolean {
  return day.dayOfWeek < SATURDAY && !isTradingHoliday(day)
}

/** Allowances are auctioned on trading days but Wednesdays, and not from 16 December to 6 January. */
export function isAuctionDay(day: MarketDay): boolean {
  const winterBreak = (day.month === 12 && day.day >= 16) || (day.month === 1 && day.day <= 6)
  return isTradingDay(day) && day.dayOfWeek !== WEDNESDAY && !winterBreak
}
