import type { ForecastModel } from '../model.ts'
import { learnedModel } from '../pun/learned-model.ts'
import { BUILD, type EnsembleBuild } from './build.ts'
import { predictEnsemble } from './predict.ts'
import { refreshLinear, trainEnsemble } from './train.ts'

/** Makes an ensemble from `build`; another build needs another version. */
export function makeEnsemble(build: EnsembleBuild, version: string): ForecastModel {
  return learnedModel({
    id: 'pun-ensemble',
    version,
    isBaseline: false,
    description:
      'Four small neural nets, three LEAR regressions, boosted trees and the model of the hours for the next day, a corrected base for the days after it.',
    experts: {
      train: (view, source, through, options) => trainEnsemble(build, view, source, through, options),
      refresh: (trained, view, source, through) => refreshLinear(build, trained, view, source, through),
      predict: predictEnsemble,
    },
    isCorrected: true,
  })
}

/** Nets, LEARs, trees and the hourly model for the next day, a ridge correction up to two months, the base beyond. Accuracy: card.md. */
export const punEnsemble = makeEnsemble(BUILD, '9')
