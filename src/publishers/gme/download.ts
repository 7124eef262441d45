/** GME's public download: one ZIP with a file per day and data set. Also serves the gas market. */

import { NotYetPublished } from '../../platform/fetch/outcomes.ts'
import type { SourcesConfig } from '../../service/config/source-config.ts'
import type { DaySpan, FetchedDocument, FetchIo, Politeness } from '../fetcher.ts'
import { addressBelow, compactDay, documentOf } from '../fetcher-settings.ts'

export const DOWNLOAD_URL = 'https://gme.mercatoelettrico.org'
const PATH = '/DesktopModules/GmeDownload/API/ExcelDownload/downloadzipfile'
const NOT_FOUND = 404

export const SITE_POLITENESS: Politeness = { minIntervalMs: 2_000, concurrency: 1, requestsPerDay: 500 }

export interface DownloadQuery {
  base: URL
  /** `MGP` and `Prezzi`: their names make the files' names, `20260114MGPPrezzi.xml`. */
  market: string
  sector: string
  /** Days in the names of the files. */
  interval: DaySpan
  days: DaySpan
  ids: SourcesConfig['gmeDownload']
}

/** Undefined where it has not changed since it was last accepted. */
export async function download(query: DownloadQuery, io: FetchIo): Promise<FetchedDocument | undefined> {
  const { base, market, sector, interval, days, ids } = query
  const [first, last] = [compactDay(interval.from), compactDay(interval.to)]
  const address = addressBelow(base, PATH, {
    DataInizio: first,
    DataFine: last,
    Date: last,
    Mercato: market,
    Settore: sector,
    FiltroDate: 'InizioFine',
  })
  const answer = await io.http.send({
    url: address,
    headers: {
      moduleid: ids.moduleId,
      tabid: ids.tabId,
      userid: '-1',
      referer: addressBelow(base, '/en-us/Home/Results/Electricity/MGP/Download', { valore: sector }).href,
    },
    signal: io.signal,
    conditional: io.conditional,
    meaningOf: (status) => (status === NOT_FOUND ? new NotYetPublished('GME has no such file yet') : undefined),
  })
  return answer && documentOf(answer, { name: `${market}${sector}_${first}_${last}.zip`, address, days })
}
