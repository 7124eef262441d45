/** What is forecast and how far: apart from the bodies of the answers, so that the process of the models need not load their schemas. */
import type { AssetCode } from './assets.ts'

/** The indices that are forecast. */
export const FORECAST_ASSETS = ['PUN', 'PSV', 'TTF'] as const satisfies readonly AssetCode[]
export type ForecastAsset = (typeof FORECAST_ASSETS)[number]

/** The farthest day a forecast is made for, in calendar days after the last known market day. */
export const HORIZON_DAYS_MAX = 180
