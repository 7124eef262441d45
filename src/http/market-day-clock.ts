import { type MarketDay, marketDayOf, startOfMarketDay } from '../domain/market-day.ts'

/**
 * The market day of an instant, remembered until the day ends: asking the time-zone tables on every request would cost more than
 * answering from the cache. Right for instants in any order.
 */
export class MarketDayClock {
  #day: MarketDay | undefined
  #startMs = 0
  #endMs = 0

  dayOf(instant: Temporal.Instant): MarketDay {
    const ms = instant.epochMilliseconds
    if (this.#day && ms >= this.#startMs && ms < this.#endMs) return this.#day
    const day = marketDayOf(instant)
    this.#startMs = startOfMarketDay(day).epochMilliseconds
    this.#endMs = startOfMarketDay(day.add({ days: 1 })).epochMilliseconds
    this.#day = day
    return day
  }
}
