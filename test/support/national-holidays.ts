/** National holidays, computed independently of the database: to check its table, and for tests without one. */
import { easterSunday } from '../../src/market/trading-days.ts'

/** As MM-DD. The regulator's list for tariff band F3; it has no local patron saints. */
const FIXED = ['01-01', '01-06', '04-25', '05-01', '06-02', '08-15', '11-01', '12-08', '12-25', '12-26']

/** Holidays from the first to the last year, YYYY-MM-DD, in order; two on the same day, as in 2011, are listed once. */
export function nationalHolidays(first: number, last: number): string[] {
  const years = Array.from({ length: last - first + 1 }, (_, i) => first + i)
  const days = years.flatMap((year) => [
    ...FIXED.map((monthDay) => `${year}-${monthDay}`),
    easterSunday(year).add({ days: 1 }).toString(),
  ])
  return [...new Set(days)].sort()
}
