/** The base as a model: active for gas, and for PUN until a trained model is promoted. */
import type { BandRule } from '../bands/residual-bands.ts'
import { residualBands } from '../bands/residual-bands.ts'
import type { ForecastAsset } from '../model.ts'
import { statelessModel } from '../stateless-model.ts'
import { baseRule } from './base-rule.ts'

/** PUN changes regime more often than a year shows; gas is steadier, and its recent volatility is more informative. */
export const BASE_BANDS: Record<ForecastAsset, BandRule> = {
  PUN: { windowsDays: [180, 365, 730, 1095], stretch: ['none', 'volatility'] },
  PSV: { windowsDays: [365], stretch: ['volatility'] },
  TTF: { windowsDays: [365], stretch: ['volatility'] },
}

/** Prices needed for the factors and for a band at the shorter horizons. */
const BASE_DAYS_NEEDED = 120

export const base = statelessModel({
  id: 'base',
  version: '1',
  assets: ['PUN', 'PSV', 'TTF'],
  isBaseline: false,
  description: 'Level of the last week (PUN) or day (gas) times a weekday factor, with bands from its own past errors.',
  daysNeeded: BASE_DAYS_NEEDED,
  median: baseRule,
  bands: (known, path) => residualBands(known, path, BASE_BANDS[known.asset]),
})
