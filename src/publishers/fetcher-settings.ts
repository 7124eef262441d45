/** What every `fetch.ts` does with its configuration, and how an answer becomes a document. */

import { type MarketDay, parseMarketDay } from '../market/market-day.ts'
import type { HttpAnswer } from '../platform/fetch/http-client.ts'
import type { FetchedSourceId, SourcesConfig } from '../service/config/source-config.ts'
import type { DaySpan, FetchedDocument, Politeness, SourceOff } from './fetcher.ts'

/** Undefined where the source is wanted. */
export function offUnlessWanted({ wanted }: SourcesConfig, source: FetchedSourceId): SourceOff | undefined {
  return wanted.has(source) ? undefined : { source, off: 'SOURCES does not name it' }
}

export function politenessOf({ bySource }: SourcesConfig, source: FetchedSourceId, own: Politeness): Politeness {
  const { minIntervalMs, requestsPerDay } = bySource[source]
  return {
    ...own,
    minIntervalMs: minIntervalMs ?? own.minIntervalMs,
    requestsPerDay: requestsPerDay ?? own.requestsPerDay,
  }
}

/** The configured beginning, or `own`; never before the publisher's window of so many days, where it has one. */
export function earliestFrom(
  { bySource }: SourcesConfig,
  source: FetchedSourceId,
  own: string,
  windowDays?: number,
): (today: MarketDay) => MarketDay {
  const beginning = parseMarketDay(bySource[source].historyFrom ?? own)
  if (beginning === undefined) throw new Error(`${source}: its history begins on no day of the calendar`)
  if (windowDays === undefined) return () => beginning
  return (today) => later(beginning, today.subtract({ days: windowDays }))
}

/** An address below a base: the base's own path stays in front, as mirrors have one. */
export function addressBelow(base: URL, path: string, query: Record<string, string> = {}): URL {
  const address = new URL(base)
  address.pathname = `${base.pathname.replace(/\/$/, '')}${path}`
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value)
  return address
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

/** `20260114`, as GME writes days. */
export function compactDay(day: MarketDay): string {
  return day.toString().replaceAll('-', '')
}

/** Each day of the span, in order. */
export function* daysIn({ from, to }: DaySpan): Generator<MarketDay, void, undefined> {
  for (let day = from; Temporal.PlainDate.compare(day, to) <= 0; day = day.add({ days: 1 })) yield day
}

export function isWithinSpan(day: MarketDay, { from, to }: DaySpan): boolean {
  return Temporal.PlainDate.compare(from, day) <= 0 && Temporal.PlainDate.compare(day, to) <= 0
}

function later(a: MarketDay, b: MarketDay): MarketDay {
  return Temporal.PlainDate.compare(a, b) < 0 ? b : a
}
