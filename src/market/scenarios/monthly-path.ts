/**
 * A path of daily medians as monthly means, carried on beyond its end: the mean of its last 30 days, moved by the seasonal shape from
 * the month in which it ends.
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
  /** Days of the path that make a month of it. */
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
    // Of its size, so that the shape has its direction also where the level is not above 0.
    const price = level + Math.abs(level) * (Math.exp(factorOf(month) - factorAtEnd) - 1)
    return { month, price, basis: 'continuation' }
  })
}
