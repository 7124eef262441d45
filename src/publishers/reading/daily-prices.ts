/** Collects the daily prices of a document in order of first appearance. Shared by every format of daily prices. */
import type { AssetCode } from '../../market/assets.ts'
import type { MarketDay } from '../../market/market-day.ts'
import type { Fault } from '../faults.ts'
import type { DailyPrice } from '../observations.ts'
import { DayBuffer } from './day-buffer.ts'

export class DailyPrices extends DayBuffer<OpenDailyPrice, DailyPrice> {
  /** Returns the day of an asset to record a price in. */
  forDay(asset: AssetCode, day: MarketDay): OpenDailyPrice {
    return this.getOrCreate(`${asset} ${day}`, () => new OpenDailyPrice(asset, day))
  }

  /** Drops a day of auctions in which the document breaks off, since some of them may be missing. */
  protected itemsOf(day: OpenDailyPrice, isTruncated: boolean): DailyPrice[] {
    return isTruncated && day.hasAuctions ? [] : [day.finish()]
  }
}

const FAULTS_MAX = 20
/** More decimals than any publisher states; only removes floating-point noise from a computed mean. */
const MEAN_DECIMALS = 6

/** The price of one asset for one day, gathered from the row or rows that state it. */
class OpenDailyPrice {
  readonly #asset: AssetCode
  readonly #day: MarketDay
  readonly #faults: Fault[] = []
  #price: number | undefined
  #statements = 0
  #volume = 0
  #turnover = 0

  constructor(asset: AssetCode, day: MarketDay) {
    this.#asset = asset
    this.#day = day
  }

  report(fault: Fault): void {
    if (this.#faults.length < FAULTS_MAX) this.#faults.push(fault)
  }

  /** Records a price as read, or the fault found instead. */
  putOrReport(price: number | Omit<Fault, 'place'>, place: string): void {
    if (typeof price === 'number') this.put(price, place)
    else this.report({ place, ...price })
  }

  /** Records a price for the whole day; a second, different price is a fault. */
  put(price: number, place: string): void {
    if (this.#price !== undefined && this.#price !== price) {
      this.report({
        code: 'duplicate_interval',
        place,
        detail: `${this.#day} is stated twice, as ${this.#price} and as ${price}`,
      })
      return
    }
    this.#price = price
    this.#statements = 1
  }

  /** Records the price and volume of one of the day's auctions. */
  putAuction(price: number, volume: number): void {
    this.#statements += 1
    this.#price = price
    this.#volume += volume
    this.#turnover += price * volume
  }

  get hasAuctions(): boolean {
    return this.#volume > 0
  }

  /** Returns the day's price; for several auctions, their volume-weighted mean. */
  finish(): DailyPrice {
    return { kind: 'daily-price', asset: this.#asset, day: this.#day, price: this.#value(), faults: this.#faults }
  }

  #value(): number | undefined {
    if (this.#statements < 2) return this.#price
    return Number((this.#turnover / this.#volume).toFixed(MEAN_DECIMALS))
  }
}
