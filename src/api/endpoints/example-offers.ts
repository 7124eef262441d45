/** A cell of offers as the documentation shows it; the figures are invented. */
import type { OfferCell, ReferenceAverage } from '../../store/offer-indices.ts'

export const EXAMPLE_REFERENCE: ReferenceAverage = {
  asset: 'PUN',
  from: '2026-10-01',
  to: '2026-10-31',
  eurKwh: 0.11214,
}

export const EXAMPLE_CELL: OfferCell = {
  day: '2026-11-21',
  commodity: 'luce',
  priceType: 'variabile',
  customer: 'domestico',
  offers: 412,
  excluded: 3,
  prices: { mean: 0.12874, median: 0.12734, min: 0.11714, max: 0.15414 },
  reference: EXAMPLE_REFERENCE,
  spreads: { mean: 0.0166, p10: 0.009, p25: 0.0121, median: 0.0152, p75: 0.0205, p90: 0.0298 },
  fees: { p10: 6, median: 10, p90: 15 },
  sourceIds: ['arera-offers'],
  referenceSourceIds: ['gme-mgp'],
}
