/** Day-ahead forecast of the load, national and by zone. It must be out two hours before gate closure (Regulation (EU) 543/2013, art. 6). */
import { textDocument } from '../documents.ts'
import { publisher } from '../publisher.ts'
import { DAY_AHEAD_PROCESS, ITALIAN_AREA_BY_EIC, LOAD_DOCUMENT_TYPE } from './codes.ts'
import { ENTSOE, fetchingOf } from './entsoe-source.ts'
import type { EntsoeQuery } from './fetch.ts'
import { parseLoad } from './parse-fundamentals.ts'
import { isQuantities } from './recognise.ts'

const QUERIES = [...ITALIAN_AREA_BY_EIC].map(([eic, area]): EntsoeQuery => {
  const parameters = { documentType: LOAD_DOCUMENT_TYPE, processType: DAY_AHEAD_PROCESS, outBiddingZone_Domain: eic }
  return { name: `A65_A01_${area}`, parameters }
})

export const entsoeLoadForecast = publisher({
  ...ENTSOE,
  id: 'entsoe-load-forecast',
  priority: 10,
  delivers: 'forecast of the load, of Italy and its zones',
  fundamentals: [{ series: 'load-forecast', area: 'IT' }],
  publishes: { days: -1, time: '10:00' },
  lateAt: { days: -1, time: '12:00' },
  fetching: {
    readFrom: 'document type A65, process A01',
    pausesMinutes: [10, 15, 30],
    ...fetchingOf(QUERIES),
  },
  documents: [
    textDocument({
      kind: 'entsoe-a65-forecast-xml',
      about: 'XML of document type A65, process A01: day-ahead load of Italy or a zone',
      recognise: (head) => isQuantities(head, LOAD_DOCUMENT_TYPE, DAY_AHEAD_PROCESS),
      parse: parseLoad('load-forecast'),
    }),
  ],
})
