/** Fetches and parses the documents of a span, and checks them against the requested days. */

import { earlierOf } from '../market/time-order.ts'
import type { Clock } from '../platform/clock.ts'
import type { Fault } from '../publishers/faults.ts'
import type { DaySpan, FetchedDocument } from '../publishers/fetch-days.ts'
import { isWithinSpan } from '../publishers/fetch-days.ts'
import type { Fetcher } from '../publishers/fetcher.ts'
import type { Items, Parsed } from '../publishers/observations.ts'
import type { DocumentOrigin } from '../store/documents.ts'
import { readDocumentsIn, type SourceDocument } from './read-documents.ts'
import { sourceFileFromBytes } from './source-file.ts'
import type { SourceRegistry } from './source-registry.ts'

interface FoundItem {
  item: Parsed
  origin: DocumentOrigin
  observedAt: Temporal.Instant
}

interface Fetched {
  found: FoundItem[]
  documents: (Pick<FetchedDocument, 'address' | 'etag' | 'lastModified'> & { itemCount: number })[]
  /** The error that ended the fetch early; everything that arrived before is in `found`. */
  failure: unknown
}

/** Returns the publisher's errors as `failure`; throws only the signal's reason and internal errors. */
export async function readFetched(
  ctx: { clock: Clock; sources: SourceRegistry },
  fetcher: Fetcher,
  span: DaySpan,
  signal: AbortSignal,
  conditional: boolean,
): Promise<Fetched> {
  const http = ctx.sources.http(fetcher.source)
  const fetched: Fetched = { found: [], documents: [], failure: undefined }
  const documents = fetcher.fetch(span, { http, clock: ctx.clock, signal, conditional })
  for (;;) {
    const next = await nextOf(documents)
    if ('failure' in next) {
      signal.throwIfAborted()
      return { ...fetched, failure: next.failure }
    }
    if (next.done) return fetched
    const { value: document } = next
    const items = await itemsOf(document, fetcher, http.scrub)
    fetched.found.push(...items)
    const { address, etag, lastModified } = document
    fetched.documents.push({ address, etag, lastModified, itemCount: items.length })
  }
}

type Next = { done: true } | { done: false; value: FetchedDocument } | { failure: unknown }

async function nextOf(documents: AsyncGenerator<FetchedDocument, void, undefined>): Promise<Next> {
  try {
    const { done, value } = await documents.next()
    return done ? { done: true } : { done: false, value: value as FetchedDocument }
  } catch (failure) {
    return { failure }
  }
}

/** Returns the items of a document, without the publisher's notice that nothing is published yet. */
async function itemsOf(
  fetched: FetchedDocument,
  fetcher: Fetcher,
  scrub: (text: string) => string,
): Promise<FoundItem[]> {
  await using file = await sourceFileFromBytes(fetched.name, fetched.bytes)
  const observedAt = publishedAt(fetched)
  const found: FoundItem[] = []
  for await (const document of readDocumentsIn(file)) {
    // The name of an archive entry extends that of the archive; its address is formed the same way.
    const address = `${fetched.address}${document.name.slice(file.name.length)}`
    const origin = { sha256: file.sha256, address, bytes: file.bytes, fetchedAt: fetched.fetchedAt }
    for (const item of await Array.fromAsync(refuseOtherPublisher(document, fetcher))) {
      if (item.kind === 'document-fault' && item.nothingPublished) continue
      found.push({ item: scrubbed(refuseOtherDays(item, fetched.days), scrub), origin, observedAt })
    }
  }
  return found
}

/** A document in another publisher's format is never accepted. */
async function* refuseOtherPublisher({ source, parsed }: SourceDocument, fetcher: Fetcher): Items {
  if (source === undefined || source === fetcher.source) return yield* parsed
  const detail = `has the form of ${source}, but was requested from ${fetcher.source}`
  yield { kind: 'document-fault', fault: { code: 'unreadable_document', place: 'document', detail } }
}

function refuseOtherDays(item: Parsed, days: DaySpan | undefined): Parsed {
  if (days === undefined || item.kind === 'document-fault' || isWithinSpan(item.day, days)) return item
  const requested = days.from.equals(days.to) ? String(days.from) : `${days.from} to ${days.to}`
  const fault: Fault = {
    code: 'wrong_day',
    place: 'document',
    detail: `holds ${item.day}, but ${requested} was requested`,
  }
  return { ...item, faults: [...item.faults, fault] }
}

/** Removes credentials: details quote the response, which may echo them. */
function scrubbed(item: Parsed, scrub: (text: string) => string): Parsed {
  const clean = (fault: Fault): Fault => ({ ...fault, detail: scrub(fault.detail) })
  return item.kind === 'document-fault'
    ? { ...item, fault: clean(item.fault) }
    : { ...item, faults: item.faults.map(clean) }
}

/** Returns Last-Modified, at most the time of the fetch; without a valid one, the time of the fetch. */
function publishedAt({ lastModified, fetchedAt }: FetchedDocument): Temporal.Instant {
  const milliseconds = Date.parse(lastModified ?? '')
  if (Number.isNaN(milliseconds)) return fetchedAt
  return earlierOf(Temporal.Instant.fromEpochMilliseconds(milliseconds), fetchedAt)
}
