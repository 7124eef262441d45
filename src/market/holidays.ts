/**
 * Holidays that move prices, as pure functions of the calendar. The service itself reads the national ones from a table with
 * validity dates; these functions fill that table and the calendar of the synthetic publisher.
 */
import type { MarketDay } from './market-day.ts'

export interface Holiday {
  date: MarketDay
  name: string
}

/** National holidays with a fixed date, as month and day. Regulator's list of tariff band F3; local patron saints are not on it. */
const FIXED_HOLIDAYS = [
  ['01-01', "New Year's Day"],
  ['01-06', 'Epiphany'],
  ['04-25', 'Liberation Day'],
  ['05-01', 'Labour Day'],
  ['06-02', 'Republic Day'],
  ['08-15', 'Assumption Day'],
  ['11-01', "All Saints' Day"],
  ['12-08', 'Immaculate Conception'],
  ['12-25', 'Christmas Day'],
  ['12-26', "Saint Stephen's Day"],
] as const

/**
 * The Italian national holidays of a year in order of date, one entry per date: in 2011 Easter Monday fell on 25 April, and the
 * one entry is named `Liberation Day, Easter Monday`. Easter Sunday is not among them, as every Sunday is F3 anyway.
 */
export function italianHolidays(year: number): Holiday[] {
  const fixed = FIXED_HOLIDAYS.map(([monthDay, name]) => ({ date: onDay(year, monthDay), name: name as string }))
  const date = easterMonday(year)
  const shared = fixed.find((holiday) => holiday.date.equals(date))
  if (shared) shared.name += ', Easter Monday'
  else fixed.push({ date, name: 'Easter Monday' })
  return fixed.sort((a, b) => Temporal.PlainDate.compare(a.date, b.date))
}

/** Whether the day is a national holiday: `2026-04-06`, Easter Monday, is. */
export function isItalianHoliday(day: MarketDay): boolean {
  const monthDay = day.toString().slice('YYYY-'.length)
  return FIXED_HOLIDAYS.some(([fixed]) => fixed === monthDay) || day.equals(easterMonday(day.year))
}

const TRADING_HOLIDAYS = ['01-01', '12-25', '12-26']

/** Whether the European exchanges close although it may be a weekday: 1 January, Good Friday, Easter Monday, 25 and 26 December. */
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

function easterMonday(year: number): MarketDay {
  return easterSunday(year).add({ days: 1 })
}

function onDay(year: number, monthDay: string): MarketDay {
  return Temporal.PlainDate.from(`${String(year).padStart(4, '0')}-${monthDay}`)
}
