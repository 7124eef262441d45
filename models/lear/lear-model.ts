/** LEAR alone, hour by hour: the benchmark of the literature for the next day. Beyond it, the base. */
import type { DayNumber } from '../calendar.ts'
import type { Backend } from '../model.ts'
import { dayOfHours } from '../pun/day-of-hours.ts'
import { FEATURE_COUNT, type FeatureSource } from '../pun/features.ts'
import { learnedModel } from '../pun/learned-model.ts'
import type { MarketView } from '../pun/market-view.ts'
import type { Prediction } from '../pun/next-day.ts'
import { trainingRows } from '../pun/training-rows.ts'
import { applyLear, fitLear, type LearFit, lastRows } from './lear.ts'

const WINDOWS_DAYS = [364, 1092, 1456]
const HOURS = Array.from({ length: 24 }, (_, hour) => hour + 1)
/** Both sides of the band before calibration: any constant, since LEAR itself has no spread. */
const SIDE = 0.1

async function train(view: MarketView, source: FeatureSource, through: DayNumber) {
  const rows = trainingRows(view, source, through, Math.max(...WINDOWS_DAYS)).filter(({ hasHours }) => hasHours)
  const trained = WINDOWS_DAYS.map((days) => fitLear(lastRows(rows, through, days), HOURS))
  return { trained, backend: 'none' as Backend }
}

function predict(trained: LearFit[], source: FeatureSource, target: DayNumber): Prediction {
  const features = new Float64Array(FEATURE_COUNT)
  source.fill(target, features)
  const level = source.level(target)
  const days = trained.map((fit) => dayOfHours(applyLear(fit, features).map((hour) => level + hour)))
  return { median: days.reduce((sum, day) => sum + day, 0) / days.length, below: -SIDE, above: SIDE }
}

export const lear = learnedModel({
  id: 'lear',
  version: '6',
  isBaseline: true,
  description:
    'Lasso-estimated autoregression of the 24 hours on windows of 364, 1,092 and 1,456 days, with a conformal band.',
  experts: { train, predict },
  isCorrected: false,
})
