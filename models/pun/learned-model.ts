/**
 * A model of PUN: experts for the next day, the corrected base for the days after it, the base alone beyond two months. It is
 * calibrated only on out-of-sample forecasts.
 */
import type { MarketDay } from '../../src/market/market-day.ts'
import { type BandOffsets, widenWithHorizon } from '../bands/residual-bands.ts'
import { scaledBands } from '../bands/scaled-bands.ts'
import { baseRule } from '../base/base-rule.ts'
import { type DayNumber, dayNumber, marketDay } from '../calendar.ts'
import { correctedPath } from '../curve/corrected-path.ts'
import {
  addCorrections,
  CORRECTION_TRAIL_DAYS,
  type CorrectionTrail,
  rollingCorrections,
} from '../curve/correction-trail.ts'
import { type CorrectionFits, fitCorrections } from '../curve/corrections.ts'
import { curveFeatures } from '../curve/features.ts'
import { forecastPath } from '../forecast-path.ts'
import { type History, lastDay } from '../history.ts'
import { countKnown } from '../known-prices.ts'
import type { MedianPath } from '../median-path.ts'
import {
  type Artefact,
  assertArtefactOf,
  type Backend,
  FORECAST_REACH_DAYS,
  type ForecastModel,
  TooLittleHistory,
  type TrainOptions,
} from '../model.ts'
import { pack, unpacked } from '../pack.ts'
import { enoughKnown } from '../stateless-model.ts'
import { type FeatureSource, featureSource } from './features.ts'
import { type MarketView, marketView } from './market-view.ts'
import { CALIBRATION_DAYS, type NextDayBand, nextDayBand, type Trail } from './next-day.ts'
import { assertSane, trailMetrics } from './trail-metrics.ts'

/** Experts forecast the next day: they are trained on a view of the market and return a day's median. */
interface ExpertKind<Trained> {
  /**
   * Learns from targets up to `through` and uses nothing later.
   * @throws TrainingDiverged
   */
  train(
    view: MarketView,
    source: FeatureSource,
    through: DayNumber,
    options: TrainOptions,
  ): Promise<{ trained: Trained; backend: Backend }>
  /** Refits the parts that take less than a second, on targets up to `through`; omitted if there are none. */
  refresh?(trained: Trained, view: MarketView, source: FeatureSource, through: DayNumber): Trained
  /** The median of a day after `through` on the models' scale, from features of the days before it. */
  predict(trained: Trained, source: FeatureSource, target: DayNumber): number
}

interface LearnedDefinition<Trained> {
  id: string
  version: string
  isBaseline: boolean
  description: string
  experts: ExpertKind<Trained>
  /** Whether days 2 to 60 get a learned correction; else they are the base's. */
  isCorrected: boolean
}

interface State<Trained> {
  /** Last day that the experts and corrections have learned from. */
  through: DayNumber
  experts: Trained
  corrections: CorrectionFits
  trail: Trail
  correctionTrail: CorrectionTrail
}

/** Two years to learn from before the first forecast, one year of forecasts to calibrate the band. */
const DAYS_NEEDED = 2 * 364 + CALIBRATION_DAYS

/** Days before the last one at which experts are trained to backfill forecasts from before the first training. */
const BACKFILL_CUTOFF_DAYS = [364, 182]

export function learnedModel<Trained>(definition: LearnedDefinition<Trained>): ForecastModel {
  const { experts, isCorrected, ...described } = definition

  const model: ForecastModel = {
    ...described,
    assets: ['PUN'],
    daysNeeded: DAYS_NEEDED,

    async train(history, options) {
      const view = viewOf(history, lastDay(history.series.PUN))
      const { pun } = view
      const source = featureSource(view)
      const through = pun.lastDay
      const { trained, backend } = await experts.train(view, source, through, options)
      const trail = options.previous
        ? trailThrough(stateOf<Trained>(model, options.previous), source, through)
        : await backfilledTrail(view, source, options)
      assertSane((target) => experts.predict(trained, source, target), pun, baseRule(pun, history))
      const state: State<Trained> = {
        through,
        experts: trained,
        trail,
        ...learnCorrections(view, history, through, options.previous && stateOf<Trained>(model, options.previous)),
      }
      return {
        model: model.id,
        version: model.version,
        asset: 'PUN',
        span: { from: marketDay(pun.firstDay).toString(), to: marketDay(through).toString() },
        backend,
        seed: options.seed ?? 1,
        metrics: trailMetrics(trail, pun),
        ...pack(state),
      }
    },

    predict(artefact: Artefact, history: History, infoDate: MarketDay, reachDays = FORECAST_REACH_DAYS) {
      const state = stateOf<Trained>(model, artefact)
      const view = viewOf(history, dayNumber(infoDate))
      const { pun } = view
      if (pun.lastDay < state.through)
        throw new RangeError(`${model.id} has learned from days after ${infoDate} and cannot predict as of it`)
      const source = featureSource(view)
      const target = pun.lastDay + 1
      const trail = trailThrough(state, source, pun.lastDay)
      const fresh = experts.refresh?.(state.experts, view, source, pun.lastDay) ?? state.experts
      const next = experts.predict(fresh, source, target)
      const band = nextDayBand(trail, pun)
      if (!band) throw new TooLittleHistory('PUN', DAYS_NEEDED, countKnown(pun))
      if (reachDays === 1) return forecastPath(pun, () => next, bandOf(band), reachDays)
      const path = curvePath(state, view, history)
      const bands = scaledBands(pun, path, reachDays)
      if (!bands) throw new TooLittleHistory('PUN', DAYS_NEEDED, countKnown(pun))
      const curve = path(pun.lastDay)
      const median = (day: DayNumber) => (day === target ? next : curve(day))
      return forecastPath(pun, median, withNextDay(bands, band), reachDays)
    },
  }
  return model

  function trailThrough(state: State<Trained>, source: FeatureSource, through: DayNumber): Trail {
    const trail = new Map<DayNumber, number>()
    for (const [day, prediction] of state.trail) if (day > through - CALIBRATION_DAYS) trail.set(day, prediction)
    for (let day = state.through + 1; day <= through; day++) trail.set(day, experts.predict(state.experts, source, day))
    return trail
  }

  async function backfilledTrail(view: MarketView, source: FeatureSource, options: TrainOptions): Promise<Trail> {
    const trail = new Map<DayNumber, number>()
    for (const days of BACKFILL_CUTOFF_DAYS) {
      const through = view.pun.lastDay - days
      const { trained } = await experts.train(view, source, through, options)
      for (let day = through + 1; day <= view.pun.lastDay; day++) trail.set(day, experts.predict(trained, source, day))
    }
    return trail
  }

  function learnCorrections(view: MarketView, history: History, through: DayNumber, previous?: State<Trained>) {
    if (!isCorrected) return { corrections: [], correctionTrail: new Map() }
    const base = baseRule(view.pun, history)
    const features = curveFeatures(view)
    const corrections = fitCorrections(view.pun, base, features, through)
    const correctionTrail = previous
      ? correctionsThrough(previous, view, through - 1)
      : rollingCorrections(view.pun, base, features, through)
    return { corrections, correctionTrail }
  }

  /** Known corrections at every origin up to `last`. */
  function correctionsThrough(state: State<Trained>, view: MarketView, last: DayNumber): CorrectionTrail {
    const trail = new Map<DayNumber, Float64Array>()
    for (const [day, correction] of state.correctionTrail)
      if (day > last - CORRECTION_TRAIL_DAYS) trail.set(day, correction)
    addCorrections(trail, state.corrections, curveFeatures(view), state.through, last)
    return trail
  }

  function curvePath(state: State<Trained>, view: MarketView, history: History): MedianPath {
    const base = baseRule(view.pun, history)
    return isCorrected ? correctedPath(view.pun, base, correctionsThrough(state, view, view.pun.lastDay)) : base
  }
}

function stateOf<Trained>(model: ForecastModel, artefact: Artefact): State<Trained> {
  assertArtefactOf(model, artefact, model.assets)
  return unpacked<State<Trained>>(artefact)
}

function viewOf(history: History, infoDay: DayNumber | undefined): MarketView {
  const known = enoughKnown(history, 'PUN', infoDay, DAYS_NEEDED)
  return marketView(history, known.lastDay) as MarketView
}

function bandOf({ below, above }: NextDayBand): BandOffsets {
  return widenWithHorizon({ below: Float64Array.of(below), above: Float64Array.of(above) })
}

/** The band of the next day replaces the base's; a longer horizon still never narrows the band. */
function withNextDay({ below, above }: BandOffsets, next: NextDayBand): BandOffsets {
  return widenWithHorizon({ below: below.with(0, next.below), above: above.with(0, next.above) })
}
