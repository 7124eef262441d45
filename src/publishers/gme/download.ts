/** GME's public download: one ZIP with a file per day and data set. Also serves the gas market. */

import { z } from 'zod'
import { NotYetPublished } from '../../platform/fetch/outcomes.ts'
import {
  addressBelow,
  type DaySpan,
  type FetchedDocument,
  type FetchIo,
  getDocument,
  type Politeness,
} from '../fetch-days.ts'
import { compactDay } from '../reading/compact-day.ts'

export const DOWNLOAD_URL = 'https://gme.mercatoelettrico.org'
const PATH = '/DesktopModules/GmeDownload/API/ExcelDownload/downloadzipfile'
const NOT_FOUND = 404

export const SITE_POLITENESS: Politeness = { minIntervalMs: 2_000, requestsPerDay: 500 }

const siteNumber = z.string().regex(/^\d{1,9}$/, 'must be a number')

export const DOWNLOAD_VARIABLES = {
  GME_DOWNLOAD_MODULE_ID: siteNumber
    .default('12103')
    .describe("number of GME's download page, which may change with a release of the site"),
  GME_DOWNLOAD_TAB_ID: siteNumber.default('1749').describe('number of its tab'),
}

export interface DownloadQuery {
  base: URL
  /** `MGP` and `Prezzi`: their names make the files' names, `20260114MGPPrezzi.xml`. */
  market: string
  sector: string
  /** Days in the names of the files. */
  interval: DaySpan
  days: DaySpan
  settings: z.output<z.ZodObject<typeof DOWNLOAD_VARIABLES>>
}

/** Undefined where it has not changed since it was last accepted. */
export function download(query: DownloadQuery, io: FetchIo): Promise<FetchedDocument | undefined> {
  const { base, market, sector, interval, days, settings } = query
  const [first, last] = [compactDay(interval.from), compactDay(interval.to)]
  const address = addressBelow(base, PATH, {
    DataInizio: first,
    DataFine: last,
    Date: last,
    Mercato: market,
    Settore: sector,
    FiltroDate: 'InizioFine',
  })
  return getDocument(address, { name: `${market}${sector}_${first}_${last}.zip`, days }, io, {
    headers: {
      moduleid: settings.GME_DOWNLOAD_MODULE_ID,
      tabid: settings.GME_DOWNLOAD_TAB_ID,
      userid: '-1',
      referer: addressBelow(base, '/en-us/Home/Results/Electricity/MGP/Download', { valore: sector }).href,
    },
    meaningOf: (status) => (status === NOT_FOUND ? new NotYetPublished('GME has no such file yet') : undefined),
  })
}
