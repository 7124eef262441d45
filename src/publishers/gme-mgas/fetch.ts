/**
 * PSV from GME's gas market: by the API where credentials are configured, else by the JSON behind the public pages or the download.
 * The price of gas day D comes out in the session of D − 1, and sessions are what is asked for.
 */

import type { DaySpan, MakeFetcher } from '../fetcher.ts'
import { earliestFrom, offUnlessWanted, politenessOf } from '../fetcher-settings.ts'
import { API_POLITENESS, gmeApi } from '../gme/api.ts'
import { DOWNLOAD_URL, download, SITE_POLITENESS } from '../gme/download.ts'
import { fetchPages, PAGES_URL } from './fetch-pages.ts'

const HISTORY_FROM = '2025-01-01'

export const makeGmeGas: MakeFetcher = (config) => {
  const source = 'gme-mgas'
  const off = offUnlessWanted(config, source)
  if (off) return off
  const common = { source, earliest: earliestFrom(config, source, HISTORY_FROM), expects: () => true } as const
  const api = gmeApi(config, source)
  if (api !== undefined) {
    return {
      ...common,
      way: 'API',
      maxDaysPerRequest: 7,
      politeness: politenessOf(config, source, API_POLITENESS),
      async *fetch(days, io) {
        const interval = sessionsOf(days)
        yield await api({ segment: 'MGP-GAS', dataName: 'GAS_ContinuousTrading', interval, attributes: {}, days }, io)
      },
    }
  }
  const { address } = config.bySource[source]
  const politeness = politenessOf(config, source, SITE_POLITENESS)
  if (config.gmeGasForm === 'pages') {
    const base = address ?? new URL(PAGES_URL)
    return {
      ...common,
      way: 'public pages',
      maxDaysPerRequest: 7,
      politeness,
      fetch: (days, io) => fetchPages(base, sessionsOf(days), io),
    }
  }
  return {
    ...common,
    way: 'ZIP download',
    maxDaysPerRequest: 31,
    politeness,
    async *fetch(days, io) {
      const query = { market: 'MGPGAS', sector: 'SintesiScambio', interval: sessionsOf(days), days }
      const document = await download({ ...query, base: address ?? new URL(DOWNLOAD_URL), ids: config.gmeDownload }, io)
      if (document) yield document
    },
  }
}

function sessionsOf({ from, to }: DaySpan): DaySpan {
  return { from: from.subtract({ days: 1 }), to: to.subtract({ days: 1 }) }
}
