/** Market days are calendar days in Rome, written `2026-03-29`; hours are instants. The local time zone is never used. */

/** `2026-03-29`, or a `Temporal.PlainDate`. A `Date` is an instant, not a day: see `marketDayOf`. */
export type MarketDay = string | { readonly calendarId: string; toString(): string }

const DAY_MS = 86_400_000
const ROME = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'Europe/Rome',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
})

export function dayText(day: MarketDay): string {
  const text = String(day)
  if (/^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00Z`))) return text
  const hint = day instanceof Date ? '; marketDayOf() gives the market day of an instant' : ''
  throw new TypeError(`a market day is written 2026-03-29, not "${text}"${hint}`)
}

/** The market day of an instant: `marketDayOf('2026-03-28T23:30:00Z')` is `2026-03-29`. */
export function marketDayOf(instant: Date | string | number): string {
  return ROME.format(new Date(instant))
}

/** `addDays('2026-03-28', 1)` is `2026-03-29`. */
export function addDays(day: MarketDay, days: number): string {
  return new Date(Date.parse(`${dayText(day)}T00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

/** Returns the number of days in an interval, both ends included. */
export function daysBetween(from: string, to: string): number {
  return (Date.parse(`${to}T00:00Z`) - Date.parse(`${from}T00:00Z`)) / DAY_MS + 1
}
