/**
 * Output of every parser: a zone's prices for one market day, an asset's daily price, a day of a fundamental, or a day's list of retail
 * offers, each with the faults found while reading it. Parsers only report; the gate (`src/ingest/gate.ts`) decides what is accepted.
 */
import type { AssetCode } from '../market/assets.ts'
import type { FundamentalArea, FundamentalSeries } from '../market/fundamentals.ts'
import type { MarketDay, ResolutionMinutes } from '../market/market-day.ts'
import type { ZoneCode } from '../market/zones.ts'
import type { OfferDay, PublishedValues } from './arera-offers/offer.ts'
import type { Fault } from './faults.ts'

export interface FundamentalKey {
  series: FundamentalSeries
  area: FundamentalArea
}

/** The values of one fundamental over one market day at one resolution, as one document states them. */
export interface FundamentalDay extends FundamentalKey {
  kind: 'fundamental-day'
  day: MarketDay
  resolutionMinutes: ResolutionMinutes
  /** Values in the unit of the series by ordinal − 1; `undefined` where the document has none. */
  values: (number | undefined)[]
  faults: Fault[]
}

/** The prices of one zone over one market day at one resolution, as one document states them. */
export interface ZoneDay<Zone extends string = ZoneCode> {
  kind: 'zone-day'
  zone: Zone
  day: MarketDay
  resolutionMinutes: ResolutionMinutes
  /** €/MWh by ordinal − 1; `undefined` where the document has no price. May be longer or shorter than the day, which the gate checks. */
  prices: (number | undefined)[]
  faults: Fault[]
}

/** One asset's price for one market day (gas day, trading day, auction day), in the asset's native unit. */
export interface DailyPrice {
  kind: 'daily-price'
  asset: AssetCode
  day: MarketDay
  /** `undefined` only together with a fault. */
  price: number | undefined
  faults: Fault[]
}

/** A fault of the document itself: it belongs to no single day. */
export interface DocumentFault {
  kind: 'document-fault'
  fault: Fault
  /** Set if a well-formed response states that nothing is published yet: retry, there is nothing to investigate. */
  nothingPublished?: true
}

export type Parsed = ZoneDay | DailyPrice | FundamentalDay | OfferDay | PublishedValues | DocumentFault

/** The items of a document, one after another. */
export type Items = AsyncGenerator<Parsed, void, undefined>
