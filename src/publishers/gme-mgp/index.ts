/** Results of the day-ahead market (MGP): PUN and zones. Documents and their traps: README.md. */
import { USUALLY_PUBLISHED } from '../../market/forecast-scope.ts'
import { STORED_ZONES } from '../../market/zones.ts'
import { textDocument } from '../documents.ts'
import { UnreadableDocument } from '../faults.ts'
import { API_LOGIN, API_VARIABLES } from '../gme/api.ts'
import { DOWNLOAD_VARIABLES, SITE_POLITENESS } from '../gme/download.ts'
import { GME, isGasJson, isGasXml, isGmeXml } from '../gme/gme.ts'
import { publisher } from '../publisher.ts'
import { connectGmeMgp } from './fetch.ts'
import { parseGmeMgp } from './parse.ts'
import { parseGmeApi } from './parse-api.ts'
import { parseGmePages } from './parse-pages.ts'

export const gmeMgp = publisher({
  ...GME,
  id: 'gme-mgp',
  delivers: 'PUN and zones, quarter-hours',
  assets: ['PUN'],
  zones: STORED_ZONES,
  publishes: USUALLY_PUBLISHED.PUN, // and up to 13:30
  lateAt: { days: -1, time: '15:00' }, // by then it has been published on all but bad days
  fetching: {
    readFrom: 'the API where it is configured, else the public ZIP download',
    pausesMinutes: [1, 2, 3, 5, 8, 13, 20, 30],
    historyFrom: '2025-01-01', // the year in which the PUN became the index it is
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
      recognise: ({ root, xml = '' }) => isGmeXml(root) && !isGasXml(xml),
      parse: parseGmeMgp,
    }),
    textDocument({
      kind: 'gme-api-json',
      about: 'JSON of its API (`ME_ZonalPrices`, the answer around it too)',
      recognise: ({ json = '' }) => /"FlowDate"\s*:/.test(json) && !isGasJson(json),
      parse: parseGmeApi,
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
