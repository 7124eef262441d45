/** The input of a backtest: the days on which every price it needs is known and above zero. */

export interface DailyClose {
  /** YYYY-MM-DD */
  date: string
  price: number
}

export interface PriceHistory {
  /** In order. */
  dates: readonly string[]
  prices: Float64Array
  /** Of the hedge, on the same days; undefined where there is none. */
  hedgePrices: Float64Array | undefined
  /** Days that were left out because a price was zero or below. */
  excludedDays: number
}

/**
 * The common days of an asset and its hedge, in order. A return from or to a price of zero or below has no meaning, so such a day
 * is left out: the next return is the one since the last day that is used.
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
