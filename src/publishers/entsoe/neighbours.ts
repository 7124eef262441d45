/** Day-ahead prices of Italy's neighbours. Switzerland's auction closes at 11:00, before the Italian gate; the others clear with Italy. */
import { textDocument } from '../documents.ts'
import { publisher } from '../publisher.ts'
import { NEIGHBOUR_BY_EIC } from './codes.ts'
import { ENTSOE, fetchingOf } from './entsoe-source.ts'
import { pricesOf } from './fetch.ts'
import { parseNeighbourPrices } from './parse-fundamentals.ts'
import { isNeighbourPrices } from './recognise.ts'

/** Those with a border or a cable to Italy; documents of others can be imported. */
const READ = ['CH', 'FR', 'AT', 'SI', 'GR'] as const
const QUERIES = [...NEIGHBOUR_BY_EIC]
  .filter(([, area]) => (READ as readonly string[]).includes(area))
  .map(([eic, area]) => pricesOf(eic, area))

export const entsoeNeighbours = publisher({
  ...ENTSOE,
  id: 'entsoe-neighbours',
  priority: 10,
  delivers: 'day-ahead prices of Switzerland, France, Austria, Slovenia and Greece',
  fundamentals: READ.map((area) => ({ series: 'day-ahead-price', area })),
  publishes: { days: -1, time: '12:55' },
  lateAt: { days: -1, time: '17:00' },
  fetching: {
    readFrom: 'document type A44',
    askFrom: { days: -1, time: '10:30' }, // the early Austrian auction, then the Swiss one
    pausesMinutes: [10],
    ...fetchingOf(QUERIES),
  },
  documents: [
    textDocument({
      kind: 'entsoe-a44-neighbours-xml',
      about:
        'XML of document type A44 for CH, FR, AT, SI, GR, DE-LU or ES; a second sequence is the auction before the coupled one',
      recognise: isNeighbourPrices,
      parse: parseNeighbourPrices,
    }),
  ],
})
