/** Observations as the documentation shows them; the figures are invented. */
import { ASSETS, type AssetCode } from '../../market/assets.ts'
import { defaultSourceFor } from '../../publishers/sources.ts'
import type { PriceObservation } from '../contract/observations.ts'
import { presentObservation } from './present-observation.ts'

export const EXAMPLE_BASE_URL = new URL('https://energy.example/')

const PRICES: Record<AssetCode, { day: string; price: number; observedAt: string }> = {
  PUN: { day: '2026-11-21', price: 118.43, observedAt: '2026-11-20T11:57:00Z' },
  PSV: { day: '2026-11-20', price: 34.127, observedAt: '2026-11-20T18:04:00Z' },
  TTF: { day: '2026-11-20', price: 31.85, observedAt: '2026-11-20T17:02:00Z' },
  Brent: { day: '2026-11-19', price: 68.91, observedAt: '2026-11-20T19:10:00Z' },
  CO2: { day: '2026-11-20', price: 79.32, observedAt: '2026-11-20T10:15:00Z' },
}

export function exampleObservation(code: AssetCode): PriceObservation {
  const { day, price, observedAt } = PRICES[code]
  const observation = {
    asset: ASSETS[code].code,
    day,
    price,
    sourceIds: [defaultSourceFor(code).id],
    observedAt: Temporal.Instant.from(observedAt),
  }
  return presentObservation(observation, EXAMPLE_BASE_URL)
}

/** The official sources of the indices. */
export function exampleSourceIds(codes: readonly AssetCode[]): string[] {
  return codes.map((code) => defaultSourceFor(code).id)
}
