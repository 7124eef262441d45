import { type MarketDay, marketDayOf, startOfMarketDay } from '../../market/market-day.ts'

interface CachedDay {
  day: MarketDay
  /** `YYYY-MM-DD` */
  text: string
  startMs: number
  endMs: number
}

/**
 * Caches the market day of an instant until the day ends: a time-zone look-up on every request would cost more than a response from
 * the cache. Correct for instants in any order.
 */
export class MarketDayClock {
  #known: CachedDay | undefined
  #latest: Temporal.Instant | undefined

  dayOf(instant: Temporal.Instant): Readonly<CachedDay> {
    if (instant === this.#latest && this.#known) return this.#known
    this.#latest = instant
    const ms = instant.epochMilliseconds
    if (!this.#known || ms < this.#known.startMs || ms >= this.#known.endMs) this.#known = lookUp(instant)
    return this.#known
  }
}

function lookUp(instant: Temporal.Instant): CachedDay {
  const day = marketDayOf(instant)
  return {
    day,
    text: day.toString(),
    startMs: startOfMarketDay(day).epochMilliseconds,
    endMs: startOfMarketDay(day.add({ days: 1 })).epochMilliseconds,
  }
}
