/** What the service knows about a publisher's dataset. A definition is a value; `src/publishers/index.ts` lists them all. */
import type { AssetCode } from '../market/assets.ts'
import type { ZoneCode } from '../market/zones.ts'
import type { OfferDataset } from './arera-offers/offer.ts'

export interface SourceDefinition {
  /** Kebab-case, `<publisher>-<dataset>`. Stored with every value; never changes once used. */
  id: string
  /** Official name of the publisher: the `source` of every answer that shows its values. */
  name: string
  /** Where a reader finds the publisher: an absolute address, or for our own pages a path below the service's base address. */
  url: string
  /** What the publisher allows, in one or two sentences of our own. */
  terms: string
  /** Whether its terms let us pass its values on in bulk; an operator with a licence of his own can say otherwise. */
  redistributable: boolean
  /** Days from a market day to its usual publication, at the hours of `src/market/publications.ts`: -1 is the day before. */
  delayDays: number
  /** The indices it publishes. A publisher of zonal prices that has no PUN lists none. */
  assets: readonly AssetCode[]
  /** The zones whose day-ahead prices it publishes, the PUN among them as `nazionale`. */
  zones: readonly ZoneCode[]
  /** The lists of retail offers it publishes every day; a day of it is whole when all are there. Absent where it has none. */
  offerLists?: readonly OfferDataset[]
  /** True where the values are invented: they are never mixed with a publisher's, and say so wherever they appear. */
  synthetic: boolean
  /** Who wins where two publishers state the same value: the lower number. */
  priority: number
}
