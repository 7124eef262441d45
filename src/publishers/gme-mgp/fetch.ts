/**
 * Day-ahead results from GME: by its API where credentials are configured, else by the public download. Quarter-hours exist for
 * market days from 2025-10-01; the API is used for them only, the download has both.
 */
import { isBefore } from '../../market/time-order.ts'
import type { DaySpan, FetchedDocument, FetchIo } from '../fetch-days.ts'
import { API_POLITENESS, type GmeApi, type GmeApiSettings, gmeApi } from '../gme/api.ts'
import { DOWNLOAD_URL, type DownloadQuery, download } from '../gme/download.ts'
import type { Way } from '../publisher.ts'
import { DAY_AHEAD_MARKET, QUARTER_HOUR } from './codes.ts'

/** The first market day that was cleared in quarter-hours. */
const QUARTERS_FROM = Temporal.PlainDate.from('2025-10-01')
const SECTOR = 'Prezzi'

export function connectGmeMgp(settings: GmeApiSettings & DownloadQuery['settings']): Way {
  const api = gmeApi(settings)
  if (api !== undefined) {
    return {
      way: 'API',
      maxDaysPerRequest: 3,
      politeness: API_POLITENESS,
      fetch: (span, io) => fetchByApi(api, span, io),
    }
  }
  const base = settings.ADDRESS ?? new URL(DOWNLOAD_URL)
  return {
    way: 'ZIP download',
    maxDaysPerRequest: 10,
    async *fetch(span, io) {
      const query = { base, market: DAY_AHEAD_MARKET, sector: SECTOR, interval: span, days: span }
      const document = await download({ ...query, settings }, io)
      if (document) yield document
    },
  }
}

async function* fetchByApi(api: GmeApi, span: DaySpan, io: FetchIo): AsyncGenerator<FetchedDocument, void, undefined> {
  for (const days of byGranularity(span)) {
    const attributes: Record<string, string> = isBefore(days.from, QUARTERS_FROM)
      ? {}
      : { GranularityType: QUARTER_HOUR }
    yield await api({ segment: DAY_AHEAD_MARKET, dataName: 'ME_ZonalPrices', interval: days, attributes, days }, io)
  }
}

/** The span, or its two parts where it holds the change to quarter-hours. */
function byGranularity({ from, to }: DaySpan): DaySpan[] {
  if (!isBefore(from, QUARTERS_FROM) || isBefore(to, QUARTERS_FROM)) return [{ from, to }]
  return [
    { from, to: QUARTERS_FROM.subtract({ days: 1 }) },
    { from: QUARTERS_FROM, to },
  ]
}
