/**
 * Fetches a day's lists from the portal's open data: `{kind}/{YYYY}_{M}/{file}`, the month without a leading zero. The files of day D
 * appear one after another between 22:30 and 23:05 UTC of D − 1 and stay. No account; some robots are answered 403, so the request
 * names itself like a browser beside the service.
 */
import type { Clock } from '../../clock.ts'
import { type MarketDay, marketDayOf } from '../../domain/market-day.ts'

export const OFFERS_URL = 'https://www.ilportaleofferte.it/portaleOfferte/resources/opendata/csv'
/** A day has five files of up to 20 MB; a browser would not ask faster. */
export const OFFERS_POLITENESS = { minIntervalMs: 5_000, concurrency: 1, requestsPerDay: 200 } as const

const FILES = [
  { folder: 'offerteML', list: 'E_MLIBERO', extension: 'xml' },
  { folder: 'offerteML', list: 'G_MLIBERO', extension: 'xml' },
  { folder: 'offerteML', list: 'D_MLIBERO', extension: 'xml' },
  { folder: 'offerte', list: 'E_PLACET', extension: 'csv' },
  { folder: 'offerte', list: 'G_PLACET', extension: 'csv' },
] as const

const BYTES_MAX = 128 * 1024 * 1024
const NOT_FOUND = 404
const USER_AGENT = 'Mozilla/5.0 (compatible; italian-energy-prices/1.0)'

/** What of the outbound client is used here. */
export interface OffersIo {
  http: { send(request: OffersRequest): Promise<OffersAnswer | undefined> }
  clock: Pick<Clock, 'now'>
  signal: AbortSignal
  /** Whether files that have not changed since they were last accepted may be left out. */
  conditional: boolean
}

interface OffersRequest {
  url: URL
  headers: Record<string, string>
  signal: AbortSignal
  conditional: boolean
  accept: readonly number[]
  maxBytes: number
}

interface OffersAnswer {
  status: number
  headers: ReadonlyMap<string, string>
  bytes: Buffer
  receivedAt: Temporal.Instant
}

interface DaySpan {
  from: MarketDay
  to: MarketDay
}

export interface FetchedList {
  name: string
  address: string
  bytes: Buffer
  fetchedAt: Temporal.Instant
  etag: string | undefined
  lastModified: string | undefined
  days: DaySpan
}

export interface OffersFetching {
  /** Default: the portal's. A mirror's own path stays in front. */
  base?: URL | undefined
  /** Makes the error that says that something is not out yet. */
  notYetPublished(message: string): Error
}

/**
 * The `fetch` of a fetcher: the files of each day as they arrive. A file that is missing of today or a later day is not out yet;
 * earlier days may lack one, as long as they have any.
 */
export function fetchOffers({ base = new URL(OFFERS_URL), notYetPublished }: OffersFetching) {
  return async function* fetch({ from, to }: DaySpan, io: OffersIo): AsyncGenerator<FetchedList, void, undefined> {
    for (let day = from; Temporal.PlainDate.compare(day, to) <= 0; day = day.add({ days: 1 })) {
      const missing: string[] = []
      for (const file of filesOf(day, base)) {
        const answer = await request(file.url, io)
        if (answer?.status === NOT_FOUND) missing.push(file.name)
        else if (answer) yield listOf(file, answer, day)
      }
      if (missing.length === FILES.length || (missing.length > 0 && !isPast(day, io.clock))) {
        throw notYetPublished(`the portal has no ${missing.join(', ')} yet`)
      }
    }
  }
}

interface OfferFile {
  name: string
  url: URL
}

/** Names and addresses of a day's files: `…/offerteML/2026_2/PO_Offerte_E_MLIBERO_20260201.xml`. */
export function filesOf(day: MarketDay, base: URL): OfferFile[] {
  const compactDay = day.toString().replaceAll('-', '')
  return FILES.map(({ folder, list, extension }) => {
    const name = `PO_Offerte_${list}_${compactDay}.${extension}`
    const url = new URL(base)
    url.pathname = `${base.pathname.replace(/\/$/, '')}/${folder}/${day.year}_${day.month}/${name}`
    return { name, url }
  })
}

function request(url: URL, { http, signal, conditional }: OffersIo): Promise<OffersAnswer | undefined> {
  return http.send({
    url,
    headers: { 'user-agent': USER_AGENT, accept: 'text/csv,application/xml;q=0.9,*/*;q=0.8', 'accept-language': 'it' },
    signal,
    conditional,
    accept: [NOT_FOUND],
    maxBytes: BYTES_MAX,
  })
}

function listOf({ name, url }: OfferFile, answer: OffersAnswer, day: MarketDay): FetchedList {
  return {
    name,
    address: url.href,
    bytes: answer.bytes,
    fetchedAt: answer.receivedAt,
    etag: answer.headers.get('etag'),
    lastModified: answer.headers.get('last-modified'),
    days: { from: day, to: day },
  }
}

function isPast(day: MarketDay, clock: Pick<Clock, 'now'>): boolean {
  return Temporal.PlainDate.compare(day, marketDayOf(clock.now())) < 0
}
