/** Day-ahead forecasts of wind and solar output, national and by zone: out by 18:00, after the auction (Regulation (EU) 543/2013, art. 14). */
import { textDocument } from '../documents.ts'
import { publisher } from '../publisher.ts'
import { DAY_AHEAD_PROCESS, FORECAST_DOCUMENT_TYPE, ITALIAN_AREA_BY_EIC } from './codes.ts'
import { ENTSOE, fetchingOf } from './entsoe-source.ts'
import type { EntsoeQuery } from './fetch.ts'
import { parseRenewablesForecast } from './parse-fundamentals.ts'
import { isQuantities } from './recognise.ts'

const QUERIES = [...ITALIAN_AREA_BY_EIC].map(([eic, area]): EntsoeQuery => {
  const parameters = { documentType: FORECAST_DOCUMENT_TYPE, processType: DAY_AHEAD_PROCESS, in_Domain: eic }
  return { name: `A69_${area}`, parameters }
})

export const entsoeRenewablesForecast = publisher({
  ...ENTSOE,
  id: 'entsoe-renewables-forecast',
  priority: 10,
  delivers: 'forecasts of wind and solar output, of Italy and its zones',
  fundamentals: [
    { series: 'wind-forecast', area: 'IT' },
    { series: 'solar-forecast', area: 'IT' },
  ],
  publishes: { days: -1, time: '18:00' },
  lateAt: { days: -1, time: '21:00' },
  fetching: {
    readFrom: 'document type A69',
    pausesMinutes: [15, 30],
    ...fetchingOf(QUERIES),
  },
  documents: [
    textDocument({
      kind: 'entsoe-a69-xml',
      about: 'XML of document type A69: day-ahead wind and solar output of Italy or a zone',
      recognise: (head) => isQuantities(head, FORECAST_DOCUMENT_TYPE),
      parse: parseRenewablesForecast,
    }),
  ],
})
