/** Which observation counts as current. Decisions: "Today endpoints". */
import type { AssetCode } from '../../market/assets.ts'
import type { MarketDay } from '../../market/market-day.ts'
import type { DailyObservation, PriceStore } from '../../store/prices.ts'

/** Weekends and holidays leave gaps of up to this; an older price is not shown as current. */
const AGE_DAYS_MAX = 7
/** The power exchange's first day: no PUN is older. */
const FIRST_PUN_DAY = Temporal.PlainDate.from('2004-04-01')

/** Today's PUN; of the others the latest published one that is not older than 7 days. */
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
  return prices.latest(asset, { notBefore: FIRST_PUN_DAY, notAfter: today })
}
