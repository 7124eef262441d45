/**
 * A publisher's dataset as one value: who publishes it, what it delivers and when, how it is fetched, which document forms it has. The
 * row in `sources`, environment variables, queues, timetable, `Retry-After`, status and README are derived from the list of these values.
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

/** A clock time in Rome, `days` calendar days after a market day (negative: before it). */
export interface Moment {
  days: number
  time: string
}

/** A publisher as defined in its file; `publisher` fills in the defaults. */
interface PublisherDefinition<Needs extends z.ZodRawShape, Variables extends z.ZodRawShape> {
  /** Kebab-case. Stored with every value; never changes once used. */
  id: string
  /** Official name: the `source` in every response with its values. */
  name: string
  /** Link for readers: an absolute URL or, for pages of this service, a path below its base address. */
  url: string
  /** Terms of use, in one or two sentences. */
  terms: string
  /** Whether its terms allow bulk redistribution; an operator with a licence can override it. */
  redistributable: boolean
  /** If two publishers state the same value, the lower number wins. */
  priority: number
  /** True if the values are invented: they are never mixed with real ones and are labelled wherever they appear. */
  synthetic?: boolean
  /** Its data, in a few words for the README. To add a kind of value, add a list like the following ones. */
  delivers: string
  /** The indices it publishes. A publisher of zonal prices that has no PUN lists none. */
  assets?: readonly AssetCode[]
  /** The zones for which it publishes day-ahead prices, including the PUN as `nazionale`. */
  zones?: readonly ZoneCode[]
  /** The lists of retail offers it publishes every day; a day is complete once all are stored. */
  offerLists?: readonly OfferDataset[]
  /** The fundamentals that a complete market day requires; its documents may state more. */
  fundamentals?: readonly FundamentalKey[]
  /** When a market day is usually published. */
  publishes: Moment
  /** When an incomplete day becomes late: the usual time plus the observed delays. */
  lateAt: Moment
  /** Whether anything is published on that day; false while exchanges and auctions are closed. */
  publishesOn?(day: MarketDay): boolean
  /** Whether that market day has a value; default: the days on which it publishes. */
  expects?(day: MarketDay): boolean
  /** The forms of its documents. */
  documents?: readonly DocumentForm[]
  /** Absent if nothing is fetched. */
  fetching?: {
    /** Where the data is read from, for the README. */
    readFrom: string
    /** When a market day is first requested; default: when it is usually published. */
    askFrom?: Moment
    /** When a market day is requested once before that, because part of it is published by then. */
    earlyAt?: Moment
    /** When a complete market day is fetched once more, because newer or further values are published then. */
    refetchAt?: Moment
    /** Pauses between attempts; the last one repeats. */
    pausesMinutes: readonly number[]
    /** Requested only for days that no publisher of higher priority delivers for its zones or series; not reread for corrections. */
    fallback?: boolean
    /** First market day to fetch unless configured otherwise, YYYY-MM-DD. */
    historyFrom: string
    politeness: Politeness
    /** Required environment variables: the publisher is disabled without them. */
    needs?: Needs
    /** Further environment variables; the common ones are in `settings.ts`. */
    variables?: Variables
    /** Variables that must be set all together or not at all. */
    together?: readonly string[]
    connect(settings: CommonSettings & Needed<Needs> & z.output<z.ZodObject<Variables>>): FetchMethod
  }
}

type Needed<Shape extends z.ZodRawShape> = {
  readonly [Name in keyof Shape]: NonNullable<z.output<Shape[Name]>>
}

/** One of the ways to fetch from a publisher; its optional fields override the publisher's. */
export interface FetchMethod {
  /** The way in a few words, for logs and the status: `API`, `ZIP download`. Never a credential. */
  way: string
  /** Maximum number of days per call of `fetch`; the caller splits longer spans. */
  maxDaysPerRequest: number
  fetch: FetchDays
  /** How far back the publisher's window reaches; absent if its whole history is available. */
  windowDays?: number
  politeness?: Politeness
  askFrom?: Moment
  lateAt?: Moment
  expects?(day: MarketDay): boolean
}

/** Fills in the defaults: values are published and expected every day, and requested when they are usually published. */
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
      // The settings were parsed by these schemas, and `fetcher.ts` checks that the required ones are present.
      connect: fetching.connect as (settings: Settings) => FetchMethod,
    },
  }
}

export type Publisher = ReturnType<typeof publisher>
