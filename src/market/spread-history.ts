/** Daily margins of a gas-fired plant, their usual range in earlier years, and volatility, as in `/v1/trading/vitals` for one day. */
import { GAS_PLANT } from './gas.ts'

export interface DatedValue {
  /** YYYY-MM-DD */
  date: string
  value: number
}

type Prices = readonly DatedValue[]

interface SpreadDay {
  date: string
  /** Undefined if a price is missing. */
  spark: number | undefined
  clean: number | undefined
  psvTtf: number | undefined
}

/** Gas and allowances are not priced every day: the latest price, at most this many days old, is used. */
const PRICE_AGE_DAYS_MAX = 7
/** Days before and after the same day of earlier years. */
const DAYS_AROUND = 3

/** Spreads of each day with a PUN, in order. */
export function spreadHistory({ pun, psv, ttf, co2 }: Record<'pun' | 'psv' | 'ttf' | 'co2', Prices>): SpreadDay[] {
  const { efficiency, emissionFactorTonnesMwh } = GAS_PLANT
  const [psvOn, ttfOn, co2On] = [psv, ttf, co2].map(latestOn) as [PriceOn, PriceOn, PriceOn]
  return pun.map(({ date, value }) => {
    const [gas, hub, allowance] = [psvOn(date), ttfOn(date), co2On(date)]
    const spark = gas === undefined ? undefined : value - gas / efficiency
    return {
      date,
      spark,
      clean:
        spark === undefined || allowance === undefined
          ? undefined
          : spark - (allowance * emissionFactorTonnesMwh) / efficiency,
      psvTtf: gas === undefined || hub === undefined ? undefined : gas - hub,
    }
  })
}

interface UsualRange {
  low: number
  high: number
}

/** Lowest and highest value within three days of the same day in the previous `years` years. */
export function usualRanges(history: Prices, dates: readonly string[], years: number): Map<string, UsualRange> {
  const byDay = new Map(history.map(({ date, value }) => [date, value]))
  const ranges = dates.map((date): [string, UsualRange | undefined] => {
    const day = Temporal.PlainDate.from(date)
    const values = Array.from({ length: years }, (_, i) => day.subtract({ years: i + 1 })).flatMap((same) =>
      Array.from({ length: 2 * DAYS_AROUND + 1 }, (_, i) =>
        byDay.get(same.add({ days: i - DAYS_AROUND }).toString()),
      ).filter((value) => value !== undefined),
    )
    return [date, values.length === 0 ? undefined : { low: Math.min(...values), high: Math.max(...values) }]
  })
  return new Map(ranges.filter((one): one is [string, UsualRange] => one[1] !== undefined))
}

/** Sample standard deviation of the last `count` returns up to each day, as a fraction; returns from a price of zero or below are left out. */
export function volatilities(prices: Prices, count: number): DatedValue[] {
  const returns = prices.slice(1).flatMap(({ date, value }, i) => {
    const before = (prices[i] as DatedValue).value
    return before > 0 ? [{ date, value: value / before - 1 }] : []
  })
  return returns.slice(count - 1).map(({ date }, i) => ({ date, value: deviation(returns.slice(i, i + count)) }))
}

type PriceOn = (date: string) => number | undefined

function latestOn(prices: Prices): PriceOn {
  const byDay = new Map(prices.map(({ date, value }) => [date, value]))
  return (date) => {
    const day = Temporal.PlainDate.from(date)
    for (let age = 0; age <= PRICE_AGE_DAYS_MAX; age++) {
      const found = byDay.get(day.subtract({ days: age }).toString())
      if (found !== undefined) return found
    }
    return undefined
  }
}

function deviation(values: Prices): number {
  const mean = values.reduce((sum, { value }) => sum + value, 0) / values.length
  return Math.sqrt(values.reduce((sum, { value }) => sum + (value - mean) ** 2, 0) / (values.length - 1))
}
