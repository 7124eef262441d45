/**
 * What `fetch.ts` of a publisher makes: a way to ask for market days and get bytes. It builds requests and parses nothing; what the
 * bytes state is told by the parsers, whether they are believed by the gate.
 */

import type { MarketDay } from '../market/market-day.ts'
import type { Clock } from '../platform/clock.ts'
import type { HttpClient } from '../platform/fetch/http-client.ts'
import type { FetchedSourceId, SourcesConfig } from '../service/config/source-config.ts'

/** Market days from the first to the last, both included. */
export interface DaySpan {
  from: MarketDay
  to: MarketDay
}

/** A publisher as configured; credentials and addresses are inside. */
export interface Fetcher {
  source: FetchedSourceId
  /** In a few words, for logs and the status: `API`, `ZIP download`. Never a credential. */
  way: string
  /** Days of one call of `fetch`; longer spans are cut by the caller. */
  maxDaysPerRequest: number
  politeness: Politeness
  /** In place of the source's `delayDays`, where this way of reading it is later. */
  delayDays?: number
  /** The earliest market day that can still be had, on that day: the configured beginning, or where the publisher's window begins. */
  earliest(today: MarketDay): MarketDay
  /** Whether the publisher has values for that market day at all: not on weekends where it only trades on weekdays. */
  expects(day: MarketDay): boolean
  /**
   * The documents that hold the days of the span, one after another as they arrive. Fails with NotYetPublished, SourceUnreachable or
   * SourceRefused (`src/platform/fetch/outcomes.ts`), or with the signal's reason; what was yielded before stays good.
   */
  fetch(span: DaySpan, io: FetchIo): AsyncGenerator<FetchedDocument, void, undefined>
}

/** How a publisher wants to be treated. Every request counts, repeated ones and logins included. */
export interface Politeness {
  /** From the start of one request to the start of the next. */
  minIntervalMs: number
  /** Requests under way at a time. */
  concurrency: number
  /** Requests of one day of Europe/Rome; remembered over restarts. */
  requestsPerDay: number
}

export interface FetchIo {
  http: HttpClient
  clock: Clock
  signal: AbortSignal
  /** Whether documents that have not changed since they were last accepted may be left out. */
  conditional: boolean
}

export interface FetchedDocument {
  /** As a file of this content would be called; GME's begin with the day. */
  name: string
  /** Where it came from, without any credential. */
  address: string
  bytes: Buffer
  fetchedAt: Temporal.Instant
  etag: string | undefined
  lastModified: string | undefined
  /** The days it may hold: any other day in it is a wrong one. Absent where the document holds whatever the publisher has. */
  days?: DaySpan
}

/** A publisher that was named in the configuration but cannot be used, or was not named at all. */
export interface SourceOff {
  source: FetchedSourceId
  /** One sentence that says what to configure. */
  off: string
}

/** One per publisher, listed in `fetchers.ts`. */
export type MakeFetcher = (config: SourcesConfig) => Fetcher | SourceOff
