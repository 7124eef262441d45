/** The days of assets that a document states, in the order in which they first appear. Shared by every format of daily prices. */
import type { AssetCode } from '../../market/assets.ts'
import type { MarketDay } from '../../market/market-day.ts'
import type { DailyPrice } from '../observations.ts'
import { OpenDailyPrice } from './daily-price.ts'
import { HeldDays } from './held-days.ts'

export class DailyPrices extends HeldDays<OpenDailyPrice, DailyPrice> {
  /** The day, to put a price into. */
  on(asset: AssetCode, day: MarketDay): OpenDailyPrice {
    return this.held(`${asset} ${day}`, () => new OpenDailyPrice(asset, day))
  }

  /** A day of several auctions in which the document breaks off may lack some of them. */
  protected itemsOf(day: OpenDailyPrice, isBroken: boolean): DailyPrice[] {
    return isBroken && day.isOfAuctions ? [] : [day.finish()]
  }
}
