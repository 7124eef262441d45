/** The list of hourly models, best first; the last one needs no training and forecasts where no other can. */
import { hourlyEnsembleModel } from './ensemble/ensemble.ts'
import type { HourlyModel } from './model.ts'
import { sameHour } from './same-hour/same-hour.ts'

export const HOURLY_MODELS: readonly HourlyModel[] = [hourlyEnsembleModel, sameHour]
