import type { Asset } from '../../market/assets.ts'
import type { MarketDay } from '../../market/market-day.ts'
import { defaultSourceFor } from '../../publishers/sources.ts'

/** A long weekend: Friday's price is still the latest on the Tuesday after Easter. */
const PAUSE_DAYS_MAX = 4

/**
 * Whether the latest price of an index is older than its publisher's calendar explains. The PUN has a price every day, published the
 * day before; the others pause at weekends and on holidays, and Brent is listed some days late.
 */
export function isStale(asset: Asset, date: string, today: MarketDay): boolean {
  const ageDays = Temporal.PlainDate.from(date).until(today).days
  if (asset.code === 'PUN') return ageDays > 0
  return ageDays > PAUSE_DAYS_MAX + Math.max(0, defaultSourceFor(asset.code).publishes.days)
}
