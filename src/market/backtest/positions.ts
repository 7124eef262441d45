/** What a strategy holds, decided for each day from the prices up to the day before it. */
import type { PriceHistory } from './price-history.ts'

export interface Positions {
  /** Index of the first day whose return the strategy may earn: before it there are too few prices to decide anything. */
  firstDay: number
  /** Share of the capital in the asset during the return of each day; 0 before `firstDay`. */
  asset: Float64Array
  /** The same in the hedge, negative where it is sold; undefined without a hedge. */
  hedge: Float64Array | undefined
}

/** `positions[t]` must not change whatever happens on day t and later. */
export type Strategy = (history: PriceHistory) => Positions
