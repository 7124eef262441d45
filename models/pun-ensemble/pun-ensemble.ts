import { learnedModel } from '../pun/learned-model.ts'
import { speakEnsemble } from './predict.ts'
import { trainEnsemble } from './train.ts'

/** Small quantile nets and LEARs for the next day, a ridge correction to two months, the base beyond. Its record is in card.md. */
export const punEnsemble = learnedModel({
  id: 'pun-ensemble',
  version: '1',
  isBaseline: false,
  description:
    'Eight small neural nets and four LEAR regressions for the next day, a corrected base for the days after it.',
  experts: { train: trainEnsemble, speak: speakEnsemble },
  isCorrected: true,
})
