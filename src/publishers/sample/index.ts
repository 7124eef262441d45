/**
 * The synthetic publisher: invented prices for a deployment that has no source configured, so that every endpoint can be tried.
 * They follow from the date alone and never stand in for a market price: the name says so wherever they appear.
 * `publications.ts` is what it publishes and when, `fuels.ts` and `power.ts` are how the numbers arise.
 */
import { ASSET_CODES } from '../../market/assets.ts'
import { STORED_ZONES } from '../../market/zones.ts'
import type { SourceDefinition } from '../source.ts'

export const sampleSource: SourceDefinition = {
  id: 'sample',
  name: 'Synthetic sample data (not market prices)',
  url: '/docs/sample-data',
  terms: 'Invented by this service to try it out; free to use, and never to be taken for prices of any market.',
  redistributable: true,
  delayDays: 0,
  assets: ASSET_CODES,
  zones: STORED_ZONES,
  synthetic: true,
  priority: 1000,
}
