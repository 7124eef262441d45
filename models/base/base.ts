/** The base as a model: active for gas, and for PUN until a trained model is promoted. */
import { residualBands } from '../bands/residual-bands.ts'
import { scaledBands } from '../bands/scaled-bands.ts'
import { statelessModel } from '../stateless-model.ts'
import { baseRule } from './base-rule.ts'

/** Prices needed for the factors and for a band at the shorter horizons. */
const BASE_DAYS_NEEDED = 120

export const base = statelessModel({
  id: 'base',
  version: '4',
  assets: ['PUN', 'PSV', 'TTF'],
  isBaseline: false,
  description: 'Level of the last week (PUN) or day (gas) times a weekday factor, with bands from its own past errors.',
  daysNeeded: BASE_DAYS_NEEDED,
  median: baseRule,
  bands: (known, path, reachDays) =>
    known.asset === 'PUN'
      ? scaledBands(known, path, reachDays)
      : residualBands(known, path, reachDays, { isStretched: true }),
})
