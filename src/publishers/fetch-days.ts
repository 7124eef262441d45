/**
 * The part of a publisher's `fetch.ts`: it requests market days and yields bytes. It builds requests and parses nothing; the parsers
 * read the bytes, the gate decides whether to accept them.
 */

import type { MarketDay } from '../market/market-day.ts'
import type { Clock } from '../platform/clock.ts'
import type { HttpAnswer, HttpClient, HttpRequest } from '../platform/fetch/http-client.ts'

/** Market days from the first to the last, both included. */
export interface DaySpan {
  from: MarketDay
  to: MarketDay
}

/**
 * The documents that hold the days of the span, one after another as they arrive. Fails with NotYetPublished, SourceUnreachable or
 * SourceRefused (`src/platform/fetch/outcomes.ts`), or with the signal's reason; what was yielded before stays valid.
 */
export type FetchDays = (span: DaySpan, io: FetchIo) => AsyncGenerator<FetchedDocument, void, undefined>

/** Limits on the requests to a publisher. Every request counts, including repeated ones and logins. */
export interface Politeness {
  /** Milliseconds from the start of one request to the start of the next. */
  minIntervalMs: number
  /** Concurrent requests; default one. */
  concurrency?: number
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
  /** The name of a file with this content; GME's begin with the day. */
  name: string
  /** Its URL, without any credential. */
  address: string
  bytes: Buffer
  fetchedAt: Temporal.Instant
  etag: string | undefined
  lastModified: string | undefined
  /** The days it may hold: any other day in it is a fault. Absent where the document holds whatever the publisher has. */
  days?: DaySpan
}

/** An address below a base: the base's own path stays in front, as mirrors have one. */
export function addressBelow(base: URL, path: string, query: Record<string, string> = {}): URL {
  const address = new URL(base)
  address.pathname = `${base.pathname.replace(/\/$/, '')}${path}`
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value)
  return address
}

/** Requests one document; undefined where it has not changed since it was last accepted. */
export async function getDocument(
  url: URL,
  about: Pick<FetchedDocument, 'name' | 'days'>,
  { http, signal, conditional }: FetchIo,
  request: Omit<HttpRequest, 'url' | 'signal'> = {},
): Promise<FetchedDocument | undefined> {
  const answer = await http.send({ url, signal, conditional, ...request })
  return answer && documentOf(answer, { ...about, address: url })
}

/** The document of an answer. */
export function documentOf(answer: HttpAnswer, about: { name: string; address: URL; days?: DaySpan }): FetchedDocument {
  return {
    ...about,
    address: about.address.href,
    bytes: answer.bytes,
    fetchedAt: answer.receivedAt,
    etag: answer.headers.get('etag'),
    lastModified: answer.headers.get('last-modified'),
  }
}

/** Each day of the span, in order. */
export function* daysIn({ from, to }: DaySpan): Generator<MarketDay, void, undefined> {
  for (let day = from; Temporal.PlainDate.compare(day, to) <= 0; day = day.add({ days: 1 })) yield day
}

export function isWithinSpan(day: MarketDay, { from, to }: DaySpan): boolean {
  return Temporal.PlainDate.compare(from, day) <= 0 && Temporal.PlainDate.compare(day, to) <= 0
}
