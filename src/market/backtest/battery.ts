/**
 * The most profitable day-ahead schedule of a battery at given prices, one day at a time: the battery starts and ends each day empty. It
 * may charge in any hour and discharge at prices of zero or above; at a price below zero it only charges.
 */

export interface Battery {
  /** Maximum power drawn from and delivered to the grid. */
  powerMw: number
  /** Energy delivered from full to empty. */
  energyMwh: number
  /** Energy delivered per energy drawn, above 0 and at most 1; the whole loss is applied when charging. */
  efficiency: number
  /** Limit of full cycles per day; may be fractional. */
  cyclesPerDay: number
}

/** Energy by interval, MWh. */
export interface BatterySchedule {
  charged: Float64Array
  discharged: Float64Array
}

/** MWh and €/MWh below this count as zero: floating-point noise. */
const NOISE = 1e-9

/**
 * Exact, as a minimum-cost flow: energy flows from the interval in which it is charged to the one in which it is delivered, through
 * storage. Repeatedly takes the most profitable path until none earns anything. A path back in time cancels planned storage.
 */
export function batterySchedule(prices: ArrayLike<number>, hours: number, battery: Battery): BatterySchedule {
  const { efficiency, energyMwh } = battery
  const count = prices.length
  const perInterval = battery.powerMw * hours
  const canStore = new Float64Array(count).fill(perInterval * efficiency)
  const canDeliver = Float64Array.from(prices, (price) => (price < 0 ? 0 : perInterval))
  /** Energy stored after each interval. */
  const stored = new Float64Array(count)
  let remaining = battery.cyclesPerDay * energyMwh
  while (remaining > NOISE) {
    const path = bestPath(prices, { canStore, canDeliver, stored, ...battery })
    if (path === undefined) break
    const { from, to } = path
    let amount = Math.min(remaining, canStore[from] as number, canDeliver[to] as number)
    for (let i = from; i < to; i++) amount = Math.min(amount, energyMwh - (stored[i] as number))
    for (let i = to; i < from; i++) amount = Math.min(amount, stored[i] as number)
    for (let i = from; i < to; i++) stored[i] = (stored[i] as number) + amount
    for (let i = to; i < from; i++) stored[i] = (stored[i] as number) - amount
    canStore[from] = (canStore[from] as number) - amount
    canDeliver[to] = (canDeliver[to] as number) - amount
    remaining -= amount
  }
  const change = stored.map((after, i) => after - (stored[i - 1] ?? 0))
  return {
    charged: change.map((amount) => (amount > NOISE ? amount / efficiency : 0)),
    discharged: change.map((amount) => (amount < -NOISE ? -amount : 0)),
  }
}

interface Flow extends Battery {
  canStore: Float64Array
  canDeliver: Float64Array
  stored: Float64Array
}

/** The most profitable pair of intervals to store and to deliver one more MWh; undefined if none earns anything. */
function bestPath(prices: ArrayLike<number>, { canStore, canDeliver, stored, efficiency, energyMwh }: Flow) {
  let best: { from: number; to: number } | undefined
  let most = NOISE
  let cheapest = -1
  let mostExpensive = -1
  for (let i = 0; i < prices.length; i++) {
    const price = prices[i] as number
    if (i > 0 && (stored[i - 1] as number) > energyMwh - NOISE) cheapest = -1
    if (i > 0 && (stored[i - 1] as number) < NOISE) mostExpensive = -1
    const isStorable = (canStore[i] as number) > NOISE
    const isDeliverable = (canDeliver[i] as number) > NOISE
    if (isStorable && mostExpensive >= 0 && (prices[mostExpensive] as number) - price / efficiency > most) {
      most = (prices[mostExpensive] as number) - price / efficiency
      best = { from: i, to: mostExpensive }
    }
    if (isDeliverable && cheapest >= 0 && price - (prices[cheapest] as number) / efficiency > most) {
      most = price - (prices[cheapest] as number) / efficiency
      best = { from: cheapest, to: i }
    }
    if (isStorable && (cheapest < 0 || price < (prices[cheapest] as number))) cheapest = i
    if (isDeliverable && (mostExpensive < 0 || price > (prices[mostExpensive] as number))) mostExpensive = i
  }
  return best
}

/** Earnings of the schedule at those prices, €. */
export function batteryRevenue(prices: ArrayLike<number>, { charged, discharged }: BatterySchedule): number {
  return discharged.reduce((sum, amount, i) => sum + (amount - (charged[i] as number)) * (prices[i] as number), 0)
}

export interface BatteryDay {
  /** YYYY-MM-DD */
  date: string
  /** €/MWh of each hour. */
  prices: readonly number[]
  /** Prices of the same hours as forecast before the auction; undefined without a forecast. */
  forecast: readonly number[] | undefined
}

/** Revenue in €, of a month or of all days. */
export interface BatteryRevenue {
  days: number
  perfect: number
  /** Days with a forecast: revenue of the schedule made from it, and revenue with perfect foresight on the same days. */
  forecastDays: number
  forecast: number
  perfectOfForecastDays: number
  /** Energy delivered with perfect foresight, in cycles of the battery. */
  cycles: number
}

/** Results by month, YYYY-MM, in order of the days. */
export function batteryMonths(days: readonly BatteryDay[], battery: Battery): Map<string, BatteryRevenue> {
  const months = new Map<string, BatteryRevenue>()
  for (const { date, prices, forecast } of days) {
    const month = date.slice(0, 'YYYY-MM'.length)
    const best = batterySchedule(prices, 1, battery)
    const perfect = batteryRevenue(prices, best)
    const earned = forecast && batteryRevenue(prices, batterySchedule(forecast, 1, battery))
    const day: BatteryRevenue = {
      days: 1,
      perfect,
      forecastDays: earned === undefined ? 0 : 1,
      forecast: earned ?? 0,
      perfectOfForecastDays: earned === undefined ? 0 : perfect,
      cycles: best.discharged.reduce((sum, amount) => sum + amount, 0) / battery.energyMwh,
    }
    months.set(month, sumOf([day, ...(months.has(month) ? [months.get(month) as BatteryRevenue] : [])]))
  }
  return months
}

export function sumOf(revenues: Iterable<BatteryRevenue>): BatteryRevenue {
  const sum = { days: 0, perfect: 0, forecastDays: 0, forecast: 0, perfectOfForecastDays: 0, cycles: 0 }
  for (const one of revenues) for (const name of Object.keys(sum) as (keyof BatteryRevenue)[]) sum[name] += one[name]
  return sum
}
