/**
 * PSV from GME's gas market: by the API where credentials are configured, else by the JSON behind the public pages or the download.
 * The price of gas day D is published in the session of D − 1; requests are by session.
 */

import type { DaySpan } from '../fetch-days.ts'
import { API_POLITENESS, type GmeApiSettings, gmeApi } from '../gme/api.ts'
import { DOWNLOAD_URL, type DownloadQuery, download } from '../gme/download.ts'
import type { Way } from '../publisher.ts'
import { fetchPages, PAGES_URL } from './fetch-pages.ts'

export function connectGmeMgas(
  settings: GmeApiSettings & DownloadQuery['settings'] & { GME_GAS_FORM: 'pages' | 'zip' },
): Way {
  const api = gmeApi(settings)
  if (api !== undefined) {
    return {
      way: 'API',
      maxDaysPerRequest: 7,
      politeness: API_POLITENESS,
      async *fetch(days, io) {
        const interval = sessionsOf(days)
        yield await api({ segment: 'MGP-GAS', dataName: 'GAS_ContinuousTrading', interval, attributes: {}, days }, io)
      },
    }
  }
  if (settings.GME_GAS_FORM === 'pages') {
    const base = settings.ADDRESS ?? new URL(PAGES_URL)
    return {
      way: 'public pages',
      maxDaysPerRequest: 7,
      fetch: (days, io) => fetchPages(base, sessionsOf(days), io),
    }
  }
  const base = settings.ADDRESS ?? new URL(DOWNLOAD_URL)
  return {
    way: 'ZIP download',
    maxDaysPerRequest: 31,
    async *fetch(days, io) {
      const query = { base, market: 'MGPGAS', sector: 'SintesiScambio', interval: sessionsOf(days), days }
      const document = await download({ ...query, settings }, io)
      if (document) yield document
    },
  }
}

function sessionsOf({ from, to }: DaySpan): DaySpan {
  return { from: from.subtract({ days: 1 }), to: to.subtract({ days: 1 }) }
}
