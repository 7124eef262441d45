/**
 * Reconciles the PUN's days and hours: the mean of a day's hourly medians is the day's median. Hours made from prices alone are moved to
 * the day's forecast, whose models are better at the level; hours made from the day's weather, load or neighbours move the day.
 */
import { roundPrice } from './pipeline-of-hours.ts'
import type { MadeForecast, MadeHours } from './task.ts'

interface Reconciled {
  daily: MadeForecast[]
  hours: MadeHours[]
  /** Whether hours moved a day. */
  hoursDecided: boolean
}

export function reconcile(daily: readonly MadeForecast[], hours: readonly MadeHours[]): Reconciled {
  const moved = new Map<string, { hours: MadeHours; day: MadeForecast }>()
  for (const day of daily) {
    const own = hours.find(({ role, targetDate }) => role === 'published' && targetDate === day.targetDate)
    if (own === undefined || day.role !== 'published') continue
    const reconciledHours = own.inputs === 'prices-only' ? shiftHoursBy(own, day.p50 - mean(own.p50)) : own
    moved.set(day.targetDate, { hours: reconciledHours, day: shiftDayTo(day, reconciledHours) })
  }
  const hoursDecided = hours.some(({ role, inputs, targetDate }) => {
    return role === 'published' && inputs !== 'prices-only' && moved.has(targetDate)
  })
  return {
    hoursDecided,
    hours: hours.map((one) => (one.role === 'published' ? (moved.get(one.targetDate)?.hours ?? one) : one)),
    daily: daily.map((one) => {
      if (one.role !== 'published') return one
      const day = moved.get(one.targetDate)?.day ?? one
      return hoursDecided ? { ...day, version: `${day.version}+hours` } : day
    }),
  }
}

function shiftHoursBy(hours: MadeHours, difference: number): MadeHours {
  const by = (prices: readonly number[]) => prices.map((price) => roundPrice(price + difference))
  return { ...hours, p10: by(hours.p10), p50: by(hours.p50), p90: by(hours.p90), mean: undefined }
}

/** Returns the day with the hours' mean as its median. Its band is the hourly model's for the mean or, if there is none, moves along. */
function shiftDayTo(day: MadeForecast, { p50: hours, mean: own }: MadeHours): MadeForecast {
  const p50 = roundPrice(mean(hours))
  const difference = p50 - day.p50
  const [p10, p90] = own === undefined ? [day.p10 + difference, day.p90 + difference] : [own.p10, own.p90]
  return { ...day, p10: Math.min(p50, p10), p50, p90: Math.max(p50, p90) }
}

function mean(prices: readonly number[]): number {
  return prices.reduce((sum, price) => sum + price, 0) / prices.length
}
