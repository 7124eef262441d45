/** Days on which fuels and allowances have a price. Electricity and the Italian gas market have one every day. */
import type { MarketDay } from './market-day.ts'

const WEDNESDAY = 3
const SATURDAY = 6
const TRADING_HOLIDAYS = ['01-01', '12-25', '12-26']

/** Monday to Friday except exchange holidays: `2026-04-03`, Good Friday, is not a trading day. */
export function isTradingDay(day: MarketDay): boolean {
  return day.dayOfWeek < SATURDAY && !isTradingHoliday(day)
}

/** Allowances are auctioned on trading days except Wednesdays, and not from 16 December to 6 January. */
export function isAuctionDay(day: MarketDay): boolean {
  const winterBreak = (day.month === 12 && day.day >= 16) || (day.month === 1 && day.day <= 6)
  return isTradingDay(day) && day.dayOfWeek !== WEDNESDAY && !winterBreak
}

/** Whether the European exchanges are closed for a holiday, possibly on a weekday: 1 January, Good Friday, Easter Monday, 25 and 26 December. */
export function isTradingHoliday(day: MarketDay): boolean {
  const easter = easterSunday(day.year)
  const movable = [easter.subtract({ days: 2 }), easter.add({ days: 1 })]
  return TRADING_HOLIDAYS.includes(day.toString().slice('YYYY-'.length)) || movable.some((date) => date.equals(day))
}

/** Easter Sunday by the anonymous Gregorian computus (Meeus, Jones, Butcher): `easterSunday(2026)` is 2026-04-05. */
export function easterSunday(year: number): MarketDay {
  const golden = year % 19
  const century = Math.floor(year / 100)
  const yearOfCentury = year % 100
  const moonCorrection = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3)
  const epact = (19 * golden + century - Math.floor(century / 4) - moonCorrection + 15) % 30
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(yearOfCentury / 4) - epact - (yearOfCentury % 4)) % 7
  const lateMoon = Math.floor((golden + 11 * epact + 22 * weekday) / 451)
  const daysFromMarch = epact + weekday - 7 * lateMoon + 114
  return Temporal.PlainDate.from({ year, month: Math.floor(daysFromMarch / 31), day: (daysFromMarch % 31) + 1 })
}
