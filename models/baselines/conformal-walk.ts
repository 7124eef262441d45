/** The last value, with the quantiles of its errors over the last year: the benchmark for every band. */
import { residualBands } from '../bands/residual-bands.ts'
import { statelessModel } from '../stateless-model.ts'
import { lastValue } from './last-day.ts'

export const conformalWalk = statelessModel({
  id: 'conformal-walk',
  version: '1',
  assets: ['PUN', 'PSV', 'TTF'],
  isBaseline: true,
  description: 'The last known price, with the 10% and 90% quantiles of its own errors over a year.',
  daysNeeded: 120,
  median: lastValue,
  bands: residualBands,
})
