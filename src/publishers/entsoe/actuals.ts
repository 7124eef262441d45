/** Actual load and generation by type of Italy, and wind and solar output of its zones; read in the night after the day. */
import { textDocument } from '../documents.ts'
import { publisher } from '../publisher.ts'
import {
  GENERATION_DOCUMENT_TYPE,
  ITALIAN_AREA_BY_EIC,
  ITALY_EIC,
  LOAD_DOCUMENT_TYPE,
  REALISED_PROCESS,
  ZONE_BY_EIC,
} from './codes.ts'
import { ENTSOE, fetchingOf } from './entsoe-source.ts'
import type { EntsoeQuery } from './fetch.ts'
import { parseGeneration, parseLoad } from './parse-fundamentals.ts'
import { isQuantities } from './recognise.ts'

/** Solar, and wind onshore. */
const TYPES_OF_ZONES = ['B16', 'B19']

const QUERIES: EntsoeQuery[] = [
  ...[...ITALIAN_AREA_BY_EIC].map(([eic, area]) => ({
    name: `A65_A16_${area}`,
    parameters: { documentType: LOAD_DOCUMENT_TYPE, processType: REALISED_PROCESS, outBiddingZone_Domain: eic },
  })),
  { name: 'A75_IT', parameters: generation(ITALY_EIC) },
  ...[...ZONE_BY_EIC].flatMap(([eic, zone]) =>
    TYPES_OF_ZONES.map((psrType) => ({ name: `A75_${zone}_${psrType}`, parameters: { ...generation(eic), psrType } })),
  ),
]

function generation(eic: string) {
  return { documentType: GENERATION_DOCUMENT_TYPE, processType: REALISED_PROCESS, in_Domain: eic }
}

export const entsoeActuals = publisher({
  ...ENTSOE,
  id: 'entsoe-actuals',
  priority: 10,
  delivers: 'actual load and generation by type',
  fundamentals: [
    { series: 'load', area: 'IT' },
    { series: 'generation-solar', area: 'IT' },
    { series: 'generation-wind-onshore', area: 'IT' },
  ],
  publishes: { days: 1, time: '03:00' },
  lateAt: { days: 1, time: '15:00' },
  fetching: {
    readFrom: 'document types A65, process A16, and A75',
    pausesMinutes: [60],
    ...fetchingOf(QUERIES),
  },
  documents: [
    textDocument({
      kind: 'entsoe-a65-actual-xml',
      about: 'XML of document type A65, process A16: actual load of Italy or a zone',
      recognise: (head) => isQuantities(head, LOAD_DOCUMENT_TYPE, REALISED_PROCESS),
      parse: parseLoad('load'),
    }),
    textDocument({
      kind: 'entsoe-a75-xml',
      about: 'XML of document type A75: generation by type, and the consumption of pumped storage',
      recognise: (head) => isQuantities(head, GENERATION_DOCUMENT_TYPE),
      parse: parseGeneration,
    }),
  ],
})
