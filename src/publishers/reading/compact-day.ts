/** Days as GME writes them in all its formats: eight digits. */
import { type MarketDay, parseMarketDay } from '../../market/market-day.ts'

/** `20260114` is 2026-01-14; undefined for anything else and for dates the calendar does not have. */
export function parseCompactDay(text: string): MarketDay | undefined {
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})$/.exec(text) ?? []
  return year === undefined ? undefined : parseMarketDay(`${year}-${month}-${day}`)
}

/** The inverse. */
export function compactDay(day: MarketDay): string {
  return day.toString().replaceAll('-', '')
}
