/** Input and output of a strategy: the days on which every price it needs is known and above zero, and its positions. */

export interface DailyClose {
  /** YYYY-MM-DD */
  date: string
  price: number
}

export interface PriceHistory {
  /** In order. */
  dates: readonly string[]
  prices: Float64Array
  /** Prices of the hedge, on the same days; undefined without a hedge. */
  hedgePrices: Float64Array | undefined
  /** Days that were left out because a price was zero or below. */
  excludedDays: number
}

/**
 * The common days of an asset and its hedge, in order. A return from or to a price of zero or below has no meaning, so such a day
 * is left out, and the next return is measured from the last day used.
 */
export function priceHistory(asset: readonly DailyClose[], hedge?: readonly DailyClose[]): PriceHistory {
  const hedgeByDate = hedge && new Map(hedge.map(({ date, price }) => [date, price]))
  const common = hedgeByDate === undefined ? asset : asset.filter(({ date }) => hedgeByDate.has(date))
  const hedgeOn = (date: string) => hedgeByDate?.get(date) ?? 1
  const used = common.filter(({ date, price }) => price > 0 && hedgeOn(date) > 0)
  return {
    dates: used.map(({ date }) => date),
    prices: Float64Array.from(used, ({ price }) => price),
    hedgePrices: hedgeByDate && Float64Array.from(used, ({ date }) => hedgeOn(date)),
    excludedDays: common.length - used.length,
  }
}

/** A strategy's position, decided for each day from the prices up to the day before it. */
export interface Positions {
  /** Index of the first day whose return the strategy may earn: before it there are too few prices for a decision. */
  firstDay: number
  /** Share of the capital in the asset during the return of each day; 0 before `firstDay`. */
  asset: Float64Array
  /** The same in the hedge, negative if it is sold short; undefined without a hedge. */
  hedge: Float64Array | undefined
}

/** `positions[t]` must not depend on prices of day t or later. */
export type Strategy = (history: PriceHistory) => Positions
