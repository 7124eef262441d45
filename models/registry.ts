/**
 * The list of forecast models, best first. The active model of an asset is the first promoted one that is not a baseline; without one
 * it is the base, which needs no training.
 */
import { base } from './base/base.ts'
import { conformalWalk } from './baselines/conformal-walk.ts'
import { exponentialSmoothing } from './baselines/exponential-smoothing.ts'
import { lastDayBaseline } from './baselines/last-day.ts'
import { sameWeekday } from './baselines/same-weekday.ts'
import { hourlyEnsembleModel } from './hourly/ensemble/ensemble.ts'
import { sameHour } from './hourly/same-hour/same-hour.ts'
import { lear } from './lear/lear-model.ts'
import type { ForecastModel, HourlyModel } from './model.ts'
import { punEnsemble } from './pun-ensemble/pun-ensemble.ts'

export const MODELS: readonly ForecastModel[] = [
  punEnsemble,
  base,
  lear,
  conformalWalk,
  exponentialSmoothing,
  sameWeekday,
  lastDayBaseline,
]

/** Hourly models; the last one needs no training and is the fallback for all others. */
export const HOURLY_MODELS: readonly HourlyModel[] = [hourlyEnsembleModel, sameHour]
