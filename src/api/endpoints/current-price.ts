/** The current observation, and the last stored one. Decisions: "Today endpoints". */
import type { AssetCode } from '../../market/assets.ts'
import type { MarketDay } from '../../market/market-day.ts'
import { defaultSourceFor } from '../../publishers/sources.ts'
import type { DailyObservation, PriceStore } from '../../store/prices.ts'

/** Longest gap left by weekends and holidays; an older price is not shown as current. */
const AGE_DAYS_MAX = 7
/** Earlier than any price. */
export const FIRST_DAY = Temporal.PlainDate.from('1900-01-01')
/** A long weekend: Friday's price is still the latest on the Tuesday after Easter. */
const PAUSE_DAYS_MAX = 4

/** Returns today's PUN; for the other indices, the latest published price that is at most 7 days old. */
export function currentPrice(
  prices: PriceStore,
  asset: AssetCode,
  today: MarketDay,
): Promise<DailyObservation | undefined> {
  const notBefore = asset === 'PUN' ? today : today.subtract({ days: AGE_DAYS_MAX })
  return prices.latest(asset, { notBefore, notAfter: today })
}

/** The same for the snapshot, where the PUN falls back to its latest day. */
export function latestPrice(
  prices: PriceStore,
  asset: AssetCode,
  today: MarketDay,
): Promise<DailyObservation | undefined> {
  if (asset !== 'PUN') return currentPrice(prices, asset, today)
  return prices.latest(asset, { notBefore: FIRST_DAY, notAfter: today })
}

/** The last stored price up to tomorrow, however old. */
export async function latestStored(
  prices: PriceStore,
  asset: AssetCode,
  today: MarketDay,
): Promise<DailyObservation | undefined> {
  const notAfter = today.add({ days: 1 })
  const recent = await prices.latest(asset, { notBefore: today.subtract({ days: AGE_DAYS_MAX }), notAfter })
  return recent ?? prices.latest(asset, { notBefore: FIRST_DAY, notAfter })
}

/**
 * Whether the latest price of an index is older than its publisher's calendar explains. The PUN has a price every day, published the
 * day before; the others pause at weekends and on holidays, and Brent is listed some days late.
 */
export function isStale(asset: AssetCode, date: string, today: MarketDay): boolean {
  const ageDays = Temporal.PlainDate.from(date).until(today).days
  if (asset === 'PUN') return ageDays > 0
  return ageDays > PAUSE_DAYS_MAX + Math.max(0, defaultSourceFor(asset).publishes.days)
}

/** Returns the end of default ranges: today while prices are current or none are stored, else the last stored day. */
export async function lastDayOfPrices(prices: PriceStore, asset: AssetCode, today: MarketDay): Promise<MarketDay> {
  const last = await latestStored(prices, asset, today)
  return last !== undefined && isStale(asset, last.day, today) ? Temporal.PlainDate.from(last.day) : today
}
