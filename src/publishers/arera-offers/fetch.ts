/**
 * Fetches a day's lists from the portal's open data: `{kind}/{YYYY}_{M}/{file}`, the month without a leading zero. The files of day D
 * appear one after another between 22:30 and 23:05 UTC of D − 1 and stay. No account; some robots are answered 403, so the request
 * names itself like a browser beside the service.
 */

import { type MarketDay, marketDayOf } from '../../market/market-day.ts'
import type { Clock } from '../../platform/clock.ts'
import type { HttpAnswer } from '../../platform/fetch/http-client.ts'
import { NotYetPublished } from '../../platform/fetch/outcomes.ts'
import { addressBelow, daysIn, documentOf, type FetchIo } from '../fetch-days.ts'
import type { Way } from '../publisher.ts'
import { compactDay } from '../reading/compact-day.ts'
import type { CommonSettings } from '../settings.ts'

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
 * Yields the files of each day as they arrive. A file that is missing of today or a later day is not out yet; earlier days may lack
 * one, as long as they have any.
 */
export function connectOffersPortal({ ADDRESS: base = new URL(OFFERS_URL) }: CommonSettings): Way {
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
    return { name, url: addressBelow(base, `/${folder}/${day.year}_${day.month}/${name}`) }
  })
}

function request(url: URL, { http, signal, conditional }: FetchIo): Promise<HttpAnswer | undefined> {
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
