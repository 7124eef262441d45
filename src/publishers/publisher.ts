/**
 * A publisher's dataset as one value: who publishes it, what it delivers and when, how it is fetched, which documents are its own. The
 * row in `sources`, environment variables, queues, timetable, `Retry-After`, status and README follow from the list of these values.
 */
import type { z } from 'zod'
import type { AssetCode } from '../market/assets.ts'
import type { MarketDay } from '../market/market-day.ts'
import type { ZoneCode } from '../market/zones.ts'
import type { OfferDataset } from './arera-offers/offer.ts'
import type { DocumentForm } from './documents.ts'
import type { FetchDays, Politeness } from './fetch-days.ts'
import type { FundamentalKey } from './observations.ts'
import type { CommonSettings, Settings } from './settings.ts'

/** So many calendar days after a market day (before it: negative), at that clock time in Rome. */
export interface Moment {
  days: number
  time: string
}

/** A publisher as its file states it; `publisher` fills in the defaults. */
interface PublisherDefinition<Needs extends z.ZodRawShape, Variables extends z.ZodRawShape> {
  /** Kebab-case. Stored with every value; never changes once used. */
  id: string
  /** Official name: the `source` of every answer that shows its values. */
  name: string
  /** Its address for readers: absolute, or for pages of this service a path below the service's base address. */
  url: string
  /** Terms of use, in one or two sentences. */
  terms: string
  /** Whether its terms allow bulk redistribution; an operator with a licence can override it. */
  redistributable: boolean
  /** Where two publishers state the same value, the lower number wins. */
  priority: number
  /** True where the values are invented: they are never mixed with a publisher's and are labelled wherever they appear. */
  synthetic?: boolean
  /** Its data, in a few words for the README. A further kind of value is a further list beside those that follow. */
  delivers: string
  /** The indices it publishes. A publisher of zonal prices that has no PUN lists none. */
  assets?: readonly AssetCode[]
  /** The zones whose day-ahead prices it publishes, the PUN among them as `nazionale`. */
  zones?: readonly ZoneCode[]
  /** The lists of retail offers it publishes every day; a day is complete once all are stored. */
  offerLists?: readonly OfferDataset[]
  /** The fundamentals without which a market day is not complete; its documents may state more. */
  fundamentals?: readonly FundamentalKey[]
  /** When a market day is usually published. */
  publishes: Moment
  /** When an incomplete day becomes late: the usual time plus the observed delays. */
  lateAt: Moment
  /** Whether anything is published on that day at all: nothing while exchanges and auctions are closed. */
  publishesOn?(day: MarketDay): boolean
  /** Whether that market day has a value; default: the days on which it publishes. */
  expects?(day: MarketDay): boolean
  /** The forms of its documents. */
  documents?: readonly DocumentForm[]
  /** Absent where nothing is fetched. */
  fetching?: {
    /** The request, for the README. */
    readFrom: string
    /** When a market day is first requested; default: when it is usually published. */
    askFrom?: Moment
    /** Pauses between attempts, the last one for all further ones. */
    pausesMinutes: readonly number[]
    /** Requested only for what publishers of higher priority for the same zones or series have not delivered, and not reread for corrections. */
    fallback?: boolean
    /** First market day that is fetched where the configuration names none, YYYY-MM-DD. */
    historyFrom: string
    politeness: Politeness
    /** Environment variables without which it is disabled. */
    needs?: Needs
    /** Further environment variables; the common ones are in `settings.ts`. */
    variables?: Variables
    /** Variables that are set all together or not at all. */
    together?: readonly string[]
    connect(settings: CommonSettings & Needed<Needs> & z.output<z.ZodObject<Variables>>): Way
  }
}

type Needed<Shape extends z.ZodRawShape> = {
  readonly [Name in keyof Shape]: NonNullable<z.output<Shape[Name]>>
}

/** One of the ways to fetch from a publisher; what it states overrides the publisher's value. */
export interface Way {
  /** The way in a few words, for logs and the status: `API`, `ZIP download`. Never a credential. */
  way: string
  /** Days of one call of `fetch`; longer spans are cut by the caller. */
  maxDaysPerRequest: number
  fetch: FetchDays
  /** How far back the publisher's window reaches; absent where all of its past is available. */
  windowDays?: number
  politeness?: Politeness
  askFrom?: Moment
  lateAt?: Moment
  expects?(day: MarketDay): boolean
}

/** The value with its defaults: something is published and expected every day, and requested when it is usually published. */
export function publisher<
  Needs extends z.ZodRawShape = Record<never, never>,
  Variables extends z.ZodRawShape = Record<never, never>,
>({ fetching, ...given }: PublisherDefinition<Needs, Variables>) {
  const publishesOn = given.publishesOn ?? (() => true)
  return {
    synthetic: false,
    assets: [],
    zones: [],
    offerLists: [],
    fundamentals: [],
    expects: publishesOn,
    documents: [],
    ...given,
    publishesOn,
    fetching: fetching && {
      askFrom: given.publishes,
      fallback: false,
      together: [],
      ...fetching,
      needs: fetching.needs ?? {},
      variables: fetching.variables ?? {},
      // Parsed by these very shapes, and present where it needs them (`fetcher.ts`).
      connect: fetching.connect as (settings: Settings) => Way,
    },
  }
}

export type Publisher = ReturnType<typeof publisher>
