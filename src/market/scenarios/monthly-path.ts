/**
 * Monthly means of a path of daily medians, extended beyond its end: the mean of its last 30 days, adjusted by the seasonal shape
 * relative to those days.
 */
import { type DailyValue, mean, monthAfter, monthlyMeans, monthOf } from './months.ts'

export interface PathMonth {
  /** YYYY-MM */
  month: string
  price: number
  basis: 'forecast' | 'continuation'
}

interface MonthlyPathOptions {
  /** Daily medians, in order. */
  path: readonly DailyValue[]
  /** Twelve log factors, January first. */
  shape: readonly number[]
  /** YYYY-MM */
  firstMonth: string
  months: number
  /** Minimum number of days of the path in a month. */
  daysNeeded: number
}

const LEVEL_DAYS = 30

export function monthlyPath({ path, shape, firstMonth, months, daysNeeded }: MonthlyPathOptions): PathMonth[] {
  const means = monthlyMeans(path, daysNeeded)
  const tail = path.slice(-LEVEL_DAYS)
  const level = mean(tail.map(({ price }) => price))
  const factorOf = (month: string) => shape[Number(month.slice(5)) - 1] as number
  const factorAtEnd = mean(tail.map(({ date }) => factorOf(monthOf(date))))
  return Array.from({ length: months }, (_, i) => {
    const month = monthAfter(firstMonth, i)
    const forecast = means.get(month)
    if (forecast !== undefined) return { month, price: forecast, basis: 'forecast' }
    // Relative to the absolute level, so that the shape keeps its direction if the level is negative.
    const price = level + Math.abs(level) * (Math.exp(factorOf(month) - factorAtEnd) - 1)
    return { month, price, basis: 'continuation' }
  })
}
