/** Day-ahead prices of the bidding zones. It has no PUN, and is the fallback for what GME has not delivered. */
import { MARKET_ZONES } from '../../market/zones.ts'
import { textDocument } from '../documents.ts'
import { publisher } from '../publisher.ts'
import { ENTSOE, ENTSOE_NEEDS } from './entsoe-source.ts'
import { connectEntsoe } from './fetch.ts'
import { parseEntsoeA44 } from './parse.ts'
import { isAcknowledgement, isNeighbourPrices, isPrices } from './recognise.ts'

export const entsoe = publisher({
  id: 'entsoe',
  ...ENTSOE,
  priority: 20,
  delivers: 'zones, where GME has not delivered them',
  zones: [...MARKET_ZONES, 'cala'],
  publishes: { days: -1, time: '12:55' },
  lateAt: { days: -1, time: '17:00' },
  fetching: {
    readFrom: 'document type A44',
    askFrom: { days: -1, time: '14:30' }, // once GME is more than an hour late
    pausesMinutes: [10, 20, 30],
    fallback: true,
    historyFrom: '2025-01-01',
    politeness: { minIntervalMs: 300, concurrency: 2, requestsPerDay: 5_000 }, // 400 requests a minute are allowed
    needs: ENTSOE_NEEDS,
    connect: connectEntsoe,
  },
  documents: [
    textDocument({
      kind: 'entsoe-a44-xml',
      about: 'XML of document type A44 for the Italian zones, hours or quarter-hours',
      recognise: (head) => isAcknowledgement(head) || (isPrices(head) && !isNeighbourPrices(head)),
      parse: parseEntsoeA44,
    }),
  ],
})
