/**
 * Retail offers from the open data of the regulator's offers portal, published every day: the free market's offers as XML,
 * the offers on standard terms (PLACET), parameters and monthly indices as CSV. Formats and traps: README.md.
 */
import type { SourceDefinition } from '../source.ts'
import { DATASETS } from './offer.ts'

export const offersPortal: SourceDefinition = {
  id: 'arera-offers',
  name: 'Portale Offerte (ARERA, Acquirente Unico S.p.A.)',
  url: 'https://www.ilportaleofferte.it',
  terms: 'Creative Commons Attribution 4.0: free to use when the portal is named as the source.',
  redistributable: true,
  delayDays: 0, // the small hours of the day, in the winter half of the year the minutes around midnight
  assets: [],
  zones: [],
  offerLists: DATASETS,
  synthetic: false,
  priority: 10,
}
