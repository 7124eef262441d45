/** National holidays, counted by other means than the database's: what its table is checked against, and for tests without one. */
import { easterSunday } from '../../src/market/trading-days.ts'

/** As month and day. Regulator's list of tariff band F3; local patron saints are not on it. */
const FIXED = ['01-01', '01-06', '04-25', '05-01', '06-02', '08-15', '11-01', '12-08', '12-25', '12-26']

/** Of the years from the first to the last, in order, YYYY-MM-DD; one where two fall on one day, as in 2011. */
export function nationalHolidays(first: number, last: number): string[] {
  const years = Array.from({ length: last - first + 1 }, (_, i) => first + i)
  const days = years.flatMap((year) => [
    ...FIXED.map((monthDay) => `${year}-${monthDay}`),
    easterSunday(year).add({ days: 1 }).toString(),
  ])
  return [...new Set(days)].sort()
}
