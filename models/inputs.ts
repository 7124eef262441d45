/**
 * What else the forecasts of an asset look at, and how many days before its info date the last price of it lies that counts. PUN of D
 * appears at 12:55 of D−1; by that evening PSV of gas day D has closed (19:00) and TTF of D−1 (18:00), well before the PUN of D+1. Fixed,
 * not "the newest there is", so that the past is seen as it was.
 */
import type { ForecastAsset } from './model.ts'

export const INPUT_DELAY_DAYS = {
  PUN: { PSV: 0, TTF: 1 },
  PSV: {},
  TTF: {},
} as const satisfies Record<ForecastAsset, Partial<Record<ForecastAsset, number>>>

/** The days of the other assets that a forecast from that info date would like to know. */
export function inputDays(asset: ForecastAsset, infoDay: number): { asset: ForecastAsset; day: number }[] {
  const delays = Object.entries(INPUT_DELAY_DAYS[asset]) as [ForecastAsset, number][]
  return delays.map(([input, delay]) => ({ asset: input, day: infoDay - delay }))
}
