/** The days of assets that a document states, in the order in which they first appear. Shared by every format of daily prices. */
import type { AssetCode } from '../../market/assets.ts'
import type { MarketDay } from '../../market/market-day.ts'
import type { DailyPrice, DocumentFault } from '../observations.ts'
import { OpenDailyPrice } from './daily-price.ts'
import { HeldDays } from './held-days.ts'

export class DailyPrices {
  readonly #held = new HeldDays<OpenDailyPrice>()
  #current: OpenDailyPrice | undefined

  /** The day, to put a price into. */
  on(asset: AssetCode, day: MarketDay): OpenDailyPrice {
    const key = `${asset} ${day}`
    let open = this.#held.get(key)
    if (open === undefined) {
      open = new OpenDailyPrice(asset, day)
      this.#held.hold(key, open)
    }
    this.#current = open
    return open
  }

  /** A row that belongs to no day. */
  reportImpossibleDate(place: string, detail: string): void {
    this.#held.reportImpossibleDate(place, detail)
  }

  /** What was reported, and days that have been held long enough; to be asked now and then, or they are held until the end. */
  takeOverdue(): (DailyPrice | DocumentFault)[] {
    return [...this.#held.takeFaults(), ...this.#held.takeOverdue().map((open) => open.finish())]
  }

  /** Everything read, at the end of the document; without the day that was read last where it may lack a part. */
  takeAll({ exceptCurrent = false } = {}): (DailyPrice | DocumentFault)[] {
    const whole = this.#held.takeAll().filter((open) => !exceptCurrent || open !== this.#current)
    return [...this.#held.takeFaults(), ...whole.map((open) => open.finish())]
  }
}
