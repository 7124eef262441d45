/**
 * Fetching: request market days, yield bytes. A publisher's `fetch.ts` builds requests and parses nothing; the parsers read the bytes
 * and the gate decides whether to accept them.
 */

import type { MarketDay } from '../market/market-day.ts'
import type { Clock } from '../platform/clock.ts'
import type { HttpClient, HttpRequest, HttpResponse } from '../platform/fetch/http-client.ts'

/** Market days from the first to the last, both included. */
export interface DaySpan {
  from: MarketDay
  to: MarketDay
}

/**
 * Yields the documents that hold the days of the span as they arrive. Fails with NotYetPublished, SourceUnreachable or SourceRefused
 * (`src/platform/fetch/outcomes.ts`), or with the signal's reason; documents yielded before that remain valid.
 */
export type FetchDays = (span: DaySpan, io: FetchIo) => AsyncGenerator<FetchedDocument, void, undefined>

/** Limits on the requests to a publisher. Every request counts, including retries and logins. */
export interface Politeness {
  /** Milliseconds from the start of one request to the start of the next. */
  minIntervalMs: number
  /** Concurrent requests; default one. */
  concurrency?: number
  /** Requests within any hour: half of them at once, the others at even intervals. */
  requestsPerHour?: number | undefined
  /** Requests per calendar day in Europe/Rome; persisted across restarts. */
  requestsPerDay: number
  /** Publishers that share an account and with it the limits of intervals and hours. */
  account?: string | undefined
}

export interface FetchIo {
  http: HttpClient
  clock: Clock
  signal: AbortSignal
  /** Whether documents that have not changed since they were last accepted may be skipped. */
  conditional: boolean
}

export interface FetchedDocument {
  /** File name for this content; GME's begin with the day. */
  name: string
  /** URL without credentials. */
  address: string
  bytes: Buffer
  fetchedAt: Temporal.Instant
  etag: string | undefined
  lastModified: string | undefined
  /** The days it may contain; any other day is a fault. Absent if the document contains everything the publisher has. */
  days?: DaySpan
}

/** Appends a path to a base URL and keeps the base's own path, since mirrors may have one. */
export function joinUrl(base: URL, path: string, query: Record<string, string> = {}): URL {
  const address = new URL(base)
  address.pathname = `${base.pathname.replace(/\/$/, '')}${path}`
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value)
  return address
}

/** Requests one document; undefined if it has not changed since it was last accepted. */
export async function getDocument(
  url: URL,
  about: Pick<FetchedDocument, 'name' | 'days'>,
  { http, signal, conditional }: FetchIo,
  request: Omit<HttpRequest, 'url' | 'signal'> = {},
): Promise<FetchedDocument | undefined> {
  const answer = await http.send({ url, signal, conditional, ...request })
  return answer && documentOf(answer, { ...about, address: url })
}

/** Converts an HTTP response to a document. */
export function documentOf(
  answer: HttpResponse,
  about: { name: string; address: URL; days?: DaySpan },
): FetchedDocument {
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
