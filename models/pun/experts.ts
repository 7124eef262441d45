/** What speaks for the next day: something that learns from a view of the market and then gives a median and a band for a day. */
import type { DayNumber } from '../calendar.ts'
import type { Backend, TrainOptions } from '../model.ts'
import type { FeatureSource } from './features.ts'
import type { MarketView } from './market-view.ts'
import type { Spoken } from './next-day.ts'

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
  /** Learns anew from targets up to `through` what takes less than a second; left out where nothing does. */
  refresh?(trained: Trained, view: MarketView, source: FeatureSource, through: DayNumber): Trained
  /** For a day after `through`, from features of the days before it. */
  speak(trained: Trained, source: FeatureSource, target: DayNumber): Spoken
}
