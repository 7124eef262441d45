/** Prices of about a year up to 20 November 2026: PUN and PSV every day, TTF, CO2 and Brent on weekdays. */
import type { DailyPrice, ZoneDay } from '../../../src/publishers/observations.ts'
import { dailyPrice, zoneDay } from '../../support/prices.ts'

export const NOW = '2026-11-20T20:00:00Z'
const FIRST = Temporal.PlainDate.from('2026-01-01')
const LAST = Temporal.PlainDate.from('2026-11-20')

/** The price of the n-th day: waves of different lengths, so that no two series are alike. */
export const priceOn = (n: number) => ({
  PUN: 100 + 20 * Math.sin(n / 9) + 5 * Math.cos(n * 1.7),
  PSV: 35 + 5 * Math.sin(n / 9 + 0.4) + Math.cos(n * 2.3),
  TTF: 32 + 5 * Math.sin(n / 9 + 0.5) + Math.cos(n * 2.9),
  CO2: 75 + 3 * Math.sin(n / 20) + Math.cos(n * 1.3),
  Brent: 70 + 4 * Math.sin(n / 15) + Math.cos(n * 0.7),
})

export function dayNumber(date: string): number {
  return FIRST.until(Temporal.PlainDate.from(date)).days
}

export function tradingHistory(): (ZoneDay | DailyPrice)[] {
  return Array.from({ length: FIRST.until(LAST).days + 1 }, (_, n) => FIRST.add({ days: n })).flatMap((day, n) => {
    const date = day.toString()
    const { PUN, ...others } = priceOn(n)
    const isWeekday = day.dayOfWeek <= 5
    // Hours alternate by ±10 €/MWh around the day's price, equally often except on days of 23 or 25 hours.
    const hours = zoneDay('nazionale', date, 60, (hour) => PUN + (hour % 2 === 0 ? 10 : -10))
    return [
      hours,
      dailyPrice('PSV', date, others.PSV),
      ...(isWeekday ? (['TTF', 'CO2', 'Brent'] as const).map((asset) => dailyPrice(asset, date, others[asset])) : []),
    ]
  })
}
