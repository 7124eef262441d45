/** Results of the day-ahead market (MGP): PUN and zones. Documents and their traps: README.md. */
import { USUAL_PUBLICATION } from '../../market/forecast-scope.ts'
import { isBefore } from '../../market/time-order.ts'
import { STORED_ZONES } from '../../market/zones.ts'
import { textDocument } from '../documents.ts'
import { UnreadableDocument } from '../faults.ts'
import type { DaySpan, FetchedDocument, FetchIo } from '../fetch-days.ts'
import {
  API_LOGIN,
  API_POLITENESS,
  API_VARIABLES,
  DOWNLOAD_URL,
  DOWNLOAD_VARIABLES,
  type DownloadQuery,
  download,
  type GmeApi,
  type GmeApiSettings,
  gmeApi,
  SITE_POLITENESS,
} from '../gme/fetch.ts'
import { GME, isContinuousJson, isGasJson, isGasXml, isGmeXml, sessionIn } from '../gme/gme.ts'
import { type FetchMethod, publisher } from '../publisher.ts'
import { DAY_AHEAD_MARKET, parseGmeApi, parseGmePages, parseGmeXml, QUARTER_HOUR } from './parse.ts'

export const gmeMgp = publisher({
  ...GME,
  id: 'gme-mgp',
  delivers: 'PUN and zones, quarter-hours',
  assets: ['PUN'],
  zones: STORED_ZONES,
  publishes: USUAL_PUBLICATION.PUN, // or as late as 13:30
  lateAt: { days: -1, time: '15:00' }, // published by then on all but exceptional days
  fetching: {
    readFrom: 'the API where it is configured, else the public ZIP download',
    pausesMinutes: [1, 2, 3, 5, 8, 13, 20, 30],
    historyFrom: '2025-01-01', // the first year of the current PUN index
    politeness: SITE_POLITENESS,
    variables: { ...API_VARIABLES, ...DOWNLOAD_VARIABLES },
    together: API_LOGIN,
    connect: connectGmeMgp,
  },
  documents: [
    textDocument({
      kind: 'gme-mgp-xml',
      about: 'day-ahead XML: hours and quarter-hours, several days in one',
      daysAfterName: 0,
      recognise: ({ root, xml = '' }) => isGmeXml(root) && !isGasXml(xml) && sessionIn(xml) === undefined,
      parse: (text) => parseGmeXml(text),
    }),
    textDocument({
      kind: 'gme-api-json',
      about: 'JSON of its API (`ME_ZonalPrices`, the answer around it too)',
      recognise: ({ json = '' }) =>
        /"FlowDate"\s*:/.test(json) && !isGasJson(json) && !isContinuousJson(json) && sessionIn(json) === undefined,
      parse: (text) => parseGmeApi(text),
    }),
    textDocument({
      kind: 'gme-pages-json',
      about: 'JSON of its public pages; a list of rows that names no zone, with `--asset pun`',
      recognise({ json = '', hints: { asset } }) {
        if (!/"df"\s*:/.test(json)) return false
        if (!json.startsWith('[') || asset === 'pun') return true
        const detail = 'does not say which zone its prices are for: pass --asset pun if they are the PUN'
        throw new UnreadableDocument('document', detail)
      },
      parse: parseGmePages,
    }),
  ],
})

/** The first market day cleared in quarter-hours. From then on the API is queried for these only; the download has hours too. */
const QUARTERS_FROM = Temporal.PlainDate.from('2025-10-01')
const SECTOR = 'Prezzi'

function connectGmeMgp(settings: GmeApiSettings & DownloadQuery['settings']): FetchMethod {
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
  for (const days of splitByGranularity(span)) {
    const attributes: Record<string, string> = isBefore(days.from, QUARTERS_FROM)
      ? {}
      : { GranularityType: QUARTER_HOUR }
    yield await api({ segment: DAY_AHEAD_MARKET, dataName: 'ME_ZonalPrices', interval: days, attributes, days }, io)
  }
}

/** Splits the span at the change to quarter-hours. */
function splitByGranularity({ from, to }: DaySpan): DaySpan[] {
  if (!isBefore(from, QUARTERS_FROM) || isBefore(to, QUARTERS_FROM)) return [{ from, to }]
  return [
    { from, to: QUARTERS_FROM.subtract({ days: 1 }) },
    { from: QUARTERS_FROM, to },
  ]
}
