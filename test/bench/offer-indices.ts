/** The indices and statistics of one day from 30,000 offers, computed in SQL and stored. */
import type { Customer, PriceType } from '../../src/market/offers.ts'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import { computeOfferDay, refreshOfferIndices } from '../../src/store/offer-indices.ts'
import { octoberPrices, type SeedOffer, seedOffers } from '../support/offers.ts'
import { storePrices } from '../support/prices.ts'
import { type BenchRow, median, time } from './bench.ts'
import { scratchDatabase } from './scratch-database.ts'

const DAY = '2026-11-21'
const AT = Temporal.Instant.from('2026-11-21T01:00:00Z')
const OFFERS_OF_COMMODITY = 15_000
const SUPPLIERS = 400
const ROUNDS = 5
const SECONDS_MAX = 2

export default async function offerIndices(): Promise<BenchRow[]> {
  await using scratch = await scratchDatabase()
  const { sql } = scratch.database
  await storePrices(sql, octoberPrices({ PUN: 100, PSV: 30 }))
  await refreshAggregates(sql)
  for (const commodity of ['luce', 'gas'] as const) await seedOffers(sql, manyOffers(), { day: DAY, commodity })
  await refreshOfferIndices(sql, AT)
  await sql.unsafe('analyze')
  const durations = await time(ROUNDS, async () => {
    for (const commodity of ['luce', 'gas'] as const) await computeOfferDay(sql, { day: DAY, commodity }, AT)
  })
  return [
    {
      name: 'indices of a day from 30,000 offers',
      measured: median(durations) / 1000,
      unit: 's',
      bound: { atMost: SECONDS_MAX },
      details: `of ${ROUNDS} runs ${durations.map((ms) => ms.toFixed(0)).join(', ')} ms`,
    },
  ]
}

/** Prices with three bands, with two and with one, and one in fifty absurd. */
function manyOffers(): SeedOffer[] {
  return Array.from({ length: OFFERS_OF_COMMODITY }, (_, i): SeedOffer => {
    const priceType: PriceType = i % 2 === 0 ? 'fisso' : 'variabile'
    const customer: Customer = i % 4 < 2 ? 'domestico' : 'business'
    const price = i % 50 === 0 ? 0.9 : 0.02 + ((i * 7919) % 1000) / 10_000
    const prices = [price, price * 0.9, price * 0.8].slice(0, 1 + (i % 3))
    const bands = (['single', 'f1-f23', 'f1-f2-f3'] as const)[(i % 3) as 0 | 1 | 2]
    return {
      supplier: i % SUPPLIERS,
      code: `OFFER-${i}`,
      priceType,
      customer,
      prices,
      bands,
      feeEurYear: 60 + (i % 120),
    }
  })
}
