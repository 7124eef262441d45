/** Europe Brent spot price FOB, series RBRTE. */
import { isTradingDay } from '../../market/trading-days.ts'
import { textDocument } from '../documents.ts'
import { publisher } from '../publisher.ts'
import { credential } from '../settings.ts'
import { connectEiaBrent } from './fetch.ts'
import { parseEiaBrent } from './parse.ts'

export const eiaBrent = publisher({
  id: 'eia-brent',
  name: 'U.S. Energy Information Administration (EIA)',
  url: 'https://www.eia.gov',
  terms: 'Public domain; EIA asks to be named as the source.',
  redistributable: true,
  priority: 10,
  delivers: 'Brent',
  assets: ['Brent'],
  publishes: { days: 3, time: '20:00' }, // in its afternoon, some weekdays later
  lateAt: { days: 8, time: '20:00' },
  publishesOn: isTradingDay,
  fetching: {
    readFrom: 'API v2',
    askFrom: { days: 1, time: '20:00' },
    pausesMinutes: [24 * 60], // once an evening is enough
    historyFrom: '2020-01-01',
    politeness: { minIntervalMs: 1_000, requestsPerDay: 500 }, // 9,000 requests an hour and 5 a second are allowed
    needs: { EIA_API_KEY: credential("key of EIA's API") },
    connect: connectEiaBrent,
  },
  documents: [
    textDocument({
      kind: 'eia-brent-json',
      about: 'JSON of its API v2 for Brent (RBRTE)',
      recognise: ({ json = '' }) => /"(?:response|error)"\s*:/.test(json),
      parse: parseEiaBrent,
    }),
  ],
})
