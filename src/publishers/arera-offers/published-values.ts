/** What the portal publishes beside offers: regulated parameters of a day, and monthly averages of indices. */
import type { MarketDay } from '../../market/market-day.ts'
import type { Fault } from '../faults.ts'

export type PublishedSeries =
  | 'parameters-free-power'
  | 'parameters-free-gas'
  | 'parameters-placet-power'
  | 'parameters-placet-gas'
  | 'index-months'

/** The figures of one document, stored as a whole or not at all. */
export interface PublishedValues {
  kind: 'published-values'
  series: PublishedSeries
  /** Latest day or month of the values. */
  day: MarketDay
  values: PublishedValue[]
  faults: Fault[]
}

export interface PublishedValue {
  /** As published: `lambda`, `PUN`. */
  name: string
  /** The day of the publication, or the first day of the month. */
  validOn: MarketDay
  value: number
  /** Undefined where only the description says. */
  unit: string | undefined
  description: string | undefined
}
