/** Experts forecast the next day: they learn from a view of the market, then give a median and a band for a day. */
import type { DayNumber } from '../calendar.ts'
import type { Backend, TrainOptions } from '../model.ts'
import type { FeatureSource } from './features.ts'
import type { MarketView } from './market-view.ts'
import type { Prediction } from './next-day.ts'

export interface ExpertKind<Trained> {
  /**
   * Learns from targets up to `through` and looks at nothing later.
   * @throws TrainingDiverged
   */
  train(
    view: MarketView,
    source: FeatureSource,
    through: DayNumber,
    options: TrainOptions,
  ): Promise<{ trained: Trained; backend: Backend }>
  /** Refits the parts that take less than a second, on targets up to `through`; left out where there are none. */
  refresh?(trained: Trained, view: MarketView, source: FeatureSource, through: DayNumber): Trained
  /** For a day after `through`, from features of the days before it. */
  predict(trained: Trained, source: FeatureSource, target: DayNumber): Prediction
}
