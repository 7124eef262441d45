/** Intraday and imbalance prices of the synthetic country: the zone's day-ahead price plus noise for later information. */
import { type FundamentalArea, type FundamentalSeries, MACROZONES } from '../../market/fundamentals.ts'
import type { MarketDay } from '../../market/market-day.ts'
import { round } from '../../market/rounding.ts'
import { ALL_MARKET_ZONES } from '../../market/zones.ts'
import type { FundamentalDay } from '../observations.ts'
import { bellNoise, dayNumber, smoothNoise } from './noise.ts'
import { powerPrices } from './power.ts'

/** Standard deviation of the difference from the day-ahead price, €/MWh; larger for later markets. */
const SPREADS = { 'mi-a1': 3, 'mi-a2': 5, 'mi-a3': 7, xbid: 8, 'xbid-hour': 8, imbalance: 30 } as const
/** Scales the threshold that leaves some intervals of the continuous market without a price. */
const TRADED_SHARE = 0.9

const drift = smoothNoise('intraday')
const own = bellNoise('intraday')

/** Returns both auctions of the day before. */
export function intradayDays(day: MarketDay, isHoliday: boolean): FundamentalDay[] {
  return [...zonesOf('mi-a1', day, isHoliday), ...zonesOf('mi-a2', day, isHoliday)]
}

/** Returns the auction on the day itself, which covers its second half, the continuous market, and imbalance settlement. */
export function settledDays(day: MarketDay, isHoliday: boolean): FundamentalDay[] {
  return [
    ...zonesOf('mi-a3', day, isHoliday).map((item) => keeping(item, (share) => share >= 0.5)),
    ...zonesOf('xbid', day, isHoliday).map((item) =>
      keeping(item, (_, i) => Math.abs(own(dayNumber(day) * 100 + i, item.area.length)) < 2.6 * TRADED_SHARE),
    ),
    ...zonesOf('xbid-hour', day, isHoliday).map(toHours),
    ...MACROZONES.flatMap((area) => imbalanceOf(area, day, isHoliday)),
  ]
}

function zonesOf(market: keyof typeof SPREADS, day: MarketDay, isHoliday: boolean): FundamentalDay[] {
  return powerPrices(day, isHoliday).flatMap(({ zone, resolutionMinutes, prices }) => {
    const area = ALL_MARKET_ZONES.find((one) => one === zone)
    return area === undefined
      ? []
      : [dayOf(`${market}-price`, area, day, resolutionMinutes, laterPrices(market, area, day, prices))]
  })
}

function laterPrices(
  market: keyof typeof SPREADS,
  area: FundamentalArea,
  day: MarketDay,
  prices: readonly (number | undefined)[],
): number[] {
  const at = dayNumber(day)
  return prices.map((price = 0, i) => {
    const common = drift(at + i / prices.length)
    const noise = 0.8 * common + 0.6 * own(at * 100 + i, market.length + area.length)
    return round(price + SPREADS[market] * noise, 2)
  })
}

/** One price for surplus and shortage: high if the macrozone is short. */
function imbalanceOf(area: (typeof MACROZONES)[number], day: MarketDay, isHoliday: boolean): FundamentalDay[] {
  const zone = area === 'macro-nord' ? 'nord' : 'sud'
  const found = powerPrices(day, isHoliday).find((one) => one.zone === zone)
  const { prices = [], resolutionMinutes = 15 } = found ?? {}
  const base = laterPrices('imbalance', area, day, prices)
  const incentive = base.map((price, i) => (price > (prices[i] ?? 0) + 45 ? 2.5 : 0))
  const volume = base.map((price, i) => round(((prices[i] ?? 0) - price) * 6, 1))
  const all: [FundamentalSeries, number[]][] = [
    ['imbalance-price', base.map((price, i) => round(price + (incentive[i] as number), 2))],
    ['imbalance-base-price', base],
    ['imbalance-incentive', incentive],
    ['imbalance-volume', volume],
  ]
  return all.map(([series, values]) => dayOf(series, area, day, resolutionMinutes, values))
}

function dayOf(
  series: FundamentalSeries,
  area: FundamentalArea,
  day: MarketDay,
  resolutionMinutes: FundamentalDay['resolutionMinutes'],
  values: (number | undefined)[],
): FundamentalDay {
  return { kind: 'fundamental-day', series, area, day, resolutionMinutes, values, faults: [] }
}

function keeping(item: FundamentalDay, isThere: (share: number, index: number) => boolean): FundamentalDay {
  return { ...item, values: item.values.map((value, i) => (isThere(i / item.values.length, i) ? value : undefined)) }
}

function toHours(item: FundamentalDay): FundamentalDay {
  const perHour = 60 / item.resolutionMinutes
  return { ...item, resolutionMinutes: 60, values: item.values.filter((_, i) => i % perHour === 0) }
}
