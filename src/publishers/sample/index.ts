/**
 * The synthetic publisher: invented prices for a deployment that has no source configured, so that every endpoint can be tried.
 * Prices depend on the date alone and never replace a market price; the publisher's name marks them wherever they appear.
 * `publications.ts` defines what is published and when, `fuels.ts` and `power.ts` compute the numbers.
 */
import { ASSET_CODES } from '../../market/assets.ts'
import { STORED_ZONES } from '../../market/zones.ts'
import { publisher } from '../publisher.ts'

export const sampleSource = publisher({
  id: 'sample',
  name: 'Synthetic sample data (not market prices)',
  url: '/docs/sample-data',
  terms: 'Invented by this service to try it out; free to use, and never to be taken for prices of any market.',
  redistributable: true,
  priority: 1000,
  synthetic: true,
  delivers: 'invented values of every index, zone, market and list of offers',
  assets: ASSET_CODES,
  zones: STORED_ZONES,
  // Each series is published at the time of the publisher it simulates (`publications.ts`), the last at 20:00 on the day.
  publishes: { days: 0, time: '20:00' },
  lateAt: { days: 1, time: '00:00' },
})
