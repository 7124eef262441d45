/**
 * Retail offers from the open data of the regulator's offers portal, published every day: the free market's offers as XML,
 * the offers on standard terms (PLACET), parameters and monthly indices as CSV. Formats and traps: README.md.
 */

import { compactDay, type MarketDay, marketDayOf } from '../../market/market-day.ts'
import type { Clock } from '../../platform/clock.ts'
import type { HttpResponse } from '../../platform/fetch/http-client.ts'
import { NotYetPublished } from '../../platform/fetch/outcomes.ts'
import { type TextHead, textDocument } from '../documents.ts'
import { daysIn, documentOf, type FetchIo, joinUrl } from '../fetch-days.ts'
import { type FetchMethod, publisher } from '../publisher.ts'
import type { CommonSettings } from '../settings.ts'
import { ROOT } from './codes.ts'
import { DATASETS } from './offer.ts'
import { INDEX_MONTHS_BEGINNING, PARAMETERS_HEADER, parseIndexMonths, parseParameters } from './parse-figures.ts'
import { parseFreeMarket } from './parse-free-market.ts'
import { parsePlacet, readPlacetHeader } from './parse-placet.ts'
import { type FileNameInfo, readFileName } from './values.ts'

export const areraOffers = publisher({
  id: 'arera-offers',
  name: 'Portale Offerte (ARERA, Acquirente Unico S.p.A.)',
  url: 'https://www.ilportaleofferte.it',
  terms: 'Creative Commons Attribution 4.0: free to use when the portal is named as the source.',
  redistributable: true,
  priority: 10,
  delivers: 'retail offers',
  offerLists: DATASETS,
  publishes: { days: 0, time: '01:05' }, // between 22:30 and 23:05 UTC of the evening before: by 00:05 in winter
  lateAt: { days: 0, time: '10:00' },
  fetching: {
    readFrom: 'the daily XML and CSV files of the offers portal, 30 MB a day',
    askFrom: { days: 0, time: '00:10' },
    pausesMinutes: [30, 60],
    historyFrom: '2026-01-01', // 30 MB per day: the operator must configure a longer history
    politeness: { minIntervalMs: 5_000, requestsPerDay: 200 }, // five files of up to 20 MB: a browser would not be faster
    connect: connectOffersPortal,
  },
  documents: [
    textDocument({
      kind: 'free-market-offers-xml',
      about: "XML of the free market's offers; the day is in the name, `PO_…_YYYYMMDD`, or `--day` says it",
      recognise: ({ root }) => root === ROOT,
      async *parse(text, _found, head) {
        yield* parseFreeMarket(text, fileNameInfo(head))
      },
    }),
    textDocument({
      kind: 'placet-offers-csv',
      about: 'CSV of the offers on standard terms, named in the same way',
      recognise: ({ firstLine = '' }) => readPlacetHeader(firstLine),
      async *parse(text, header, head) {
        yield* parsePlacet(text, header, fileNameInfo(head))
      },
    }),
    textDocument({
      kind: 'offer-parameters-csv',
      about: 'CSV of regulated parameters, named in the same way',
      recognise: ({ firstLine = '' }) => firstLine.trim() === PARAMETERS_HEADER,
      async *parse(text, _found, head) {
        yield* parseParameters(text, head.fileName, fileNameInfo(head))
      },
    }),
    textDocument({
      kind: 'index-months-csv',
      about: 'CSV of the monthly averages of indices',
      recognise: ({ firstLine = '' }) => firstLine.startsWith(INDEX_MONTHS_BEGINNING) && firstLine,
      parse: parseIndexMonths,
    }),
  ],
})

/** Called when the document is read, so that a name without a day is a fault of the portal's document. */
function fileNameInfo({ fileName, hints: { day } }: TextHead): FileNameInfo {
  return readFileName(fileName, day)
}

// Lists are fetched from the portal's open data: `{kind}/{YYYY}_{M}/{file}`, the month without a leading zero. The files of day D are
// published one after another between 22:30 and 23:05 UTC of D − 1 and remain available. No account is needed; some bots get 403, so
// the user agent looks like that of a browser and also names the service.

export const OFFERS_URL = 'https://www.ilportaleofferte.it/portaleOfferte/resources/opendata/csv'

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

/**
 * Yields the files of each day as they arrive. A file missing for today or a later day is not published yet; earlier days may lack
 * some files, but not all.
 */
function connectOffersPortal({ ADDRESS: base = new URL(OFFERS_URL) }: CommonSettings): FetchMethod {
  return {
    way: 'open data files',
    maxDaysPerRequest: 1,
    async *fetch(span, io) {
      for (const day of daysIn(span)) {
        const missing: string[] = []
        for (const { name, url } of filesOf(day, base)) {
          const answer = await request(url, io)
          if (answer?.status === NOT_FOUND) missing.push(name)
          else if (answer) yield documentOf(answer, { name, address: url, days: { from: day, to: day } })
        }
        if (missing.length === FILES.length || (missing.length > 0 && !isPast(day, io.clock))) {
          throw new NotYetPublished(`the portal has no ${missing.join(', ')} yet`)
        }
      }
    },
  }
}

interface OfferFile {
  name: string
  url: URL
}

/** Names and addresses of a day's files: `…/offerteML/2026_2/PO_Offerte_E_MLIBERO_20260201.xml`. */
export function filesOf(day: MarketDay, base: URL): OfferFile[] {
  return FILES.map(({ folder, list, extension }) => {
    const name = `PO_Offerte_${list}_${compactDay(day)}.${extension}`
    return { name, url: joinUrl(base, `/${folder}/${day.year}_${day.month}/${name}`) }
  })
}

function request(url: URL, { http, signal, conditional }: FetchIo): Promise<HttpResponse | undefined> {
  return http.send({
    url,
    headers: { 'user-agent': USER_AGENT, accept: 'text/csv,application/xml;q=0.9,*/*;q=0.8', 'accept-language': 'it' },
    signal,
    conditional,
    accept: [NOT_FOUND],
    maxBytes: BYTES_MAX,
  })
}

function isPast(day: MarketDay, clock: Pick<Clock, 'now'>): boolean {
  return Temporal.PlainDate.compare(day, marketDayOf(clock.now())) < 0
}
