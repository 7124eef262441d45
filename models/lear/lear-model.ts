/** LEAR alone, hour by hour: the standard benchmark in the literature for the next day. For later days it is the base. */
import type { DayNumber } from '../calendar.ts'
import { FEATURE_COUNT, type FeatureSource } from '../pun/features.ts'
import { learnedModel } from '../pun/learned-model.ts'
import { trainingRows } from '../pun/training-rows.ts'
import { dayOfHours } from '../scale.ts'
import { applyLear, fitLear, type LearFit, lastRows } from './lear.ts'

const HOURS = Array.from({ length: 24 }, (_, hour) => hour + 1)

const WINDOWS_DAYS = [364, 1092, 1456]

function predict(trained: LearFit[], source: FeatureSource, target: DayNumber): number {
  const features = new Float64Array(FEATURE_COUNT)
  source.fill(target, features)
  const level = source.level(target)
  const days = trained.map((fit) => dayOfHours(applyLear(fit, features).map((hour) => level + hour)))
  return days.reduce((sum, day) => sum + day, 0) / days.length
}

export const lear = learnedModel({
  ...{ id: 'lear', version: '7', isBaseline: true, isCorrected: false },
  description: `Lasso-estimated autoregression of the 24 hours on windows of ${WINDOWS_DAYS.join(', ')} days, with a conformal band.`,
  experts: {
    train: async (view, source, through) => {
      const rows = trainingRows(view, source, through, Math.max(...WINDOWS_DAYS)).filter(({ hasHours }) => hasHours)
      return { trained: WINDOWS_DAYS.map((days) => fitLear(lastRows(rows, through, days), HOURS)), backend: 'none' }
    },
    predict,
  },
})
