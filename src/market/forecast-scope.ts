/** What is forecast and how far: apart from the bodies of the answers, so that the process of the models need not load their schemas. */
import type { AssetCode } from './assets.ts'

/** The indices that are forecast. */
export const FORECAST_ASSETS = ['PUN', 'PSV', 'TTF'] as const satisfies readonly AssetCode[]
export type ForecastAsset = (typeof FORECAST_ASSETS)[number]

/** The farthest day a forecast is made for, in calendar days after the last known market day. */
export const HORIZON_DAYS_MAX = 180

/**
 * What else the forecasts of an asset look at, and how many days before its info date the last price of it lies that counts. PUN of D
 * appears at 12:55 of D−1; by that evening PSV of gas day D has closed (19:00) and TTF of D−1 (18:00), well before the PUN of D+1. Fixed,
 * not "the newest there is", so that the past is seen as it was.
 */
export const INPUT_DELAY_DAYS = {
  PUN: { PSV: 0, TTF: 1 },
  PSV: {},
  TTF: {},
} as const satisfies Record<ForecastAsset, Partial<Record<ForecastAsset, number>>>

/** The same as a list. */
export function forecastInputs(asset: ForecastAsset): { asset: ForecastAsset; delayDays: number }[] {
  const delays = Object.entries(INPUT_DELAY_DAYS[asset]) as [ForecastAsset, number][]
  return delays.map(([input, delayDays]) => ({ asset: input, delayDays }))
}
