/**
 * A model that performs worse than its test promised is retrained at once. If it stays worse for two weeks, it is replaced by the model
 * that needs no training, until a training selects it again.
 */

import {
  ACCURACY_LOOK_BACK_DAYS,
  FORECAST_SUBJECTS,
  type ForecastAsset,
  type ForecastSubject,
  zoneOf,
} from '../../src/market/forecast-scope.ts'
import { marketDayOf } from '../../src/market/market-day.ts'
import { forecastModelChosen, forecastModelDrifts } from '../../src/platform/events.ts'
import type { Context } from '../../src/service/context.ts'
import { clearDrift, findTestRmae, recordDrift, replaceActiveModel } from '../../src/store/forecast-drift.ts'
import { plainModels } from './task.ts'

/** Thirty days vary by chance: only errors clearly above the promised one count as drift. */
const DRIFT_MARGIN = 1.15
const SCORED_DAYS = 30
const GRACE_PERIOD = { hours: 14 * 24 }

/** Returns whether a model has just begun to drift, so that a training is due. */
export async function watchDrift(ctx: Context, now: Temporal.Instant): Promise<boolean> {
  let hasNewDrift = false
  for (const subject of FORECAST_SUBJECTS) {
    if ((await checkDrift(ctx, subject, now)) === 'begins') hasNewDrift = true
  }
  return hasNewDrift
}

async function checkDrift(
  ctx: Context,
  subject: ForecastSubject,
  now: Temporal.Instant,
): Promise<'begins' | undefined> {
  const { sql } = ctx.database
  const { benchmark, base } = plainModels(subject)
  const promised = await findTestRmae(sql, subject, benchmark)
  const rmae = promised === undefined ? undefined : await recentRmae(ctx, subject, now)
  if (promised === undefined || rmae === undefined || rmae <= promised * DRIFT_MARGIN) {
    await clearDrift(sql, subject)
    return undefined
  }
  const { since, isNew } = await recordDrift(sql, subject, now)
  if (isNew) {
    forecastModelDrifts(ctx.log, { subject, rmae, promised })
    return 'begins'
  }
  if (Temporal.Instant.compare(since.add(GRACE_PERIOD), now) > 0) return undefined
  const reason = `rMAE of ${SCORED_DAYS} days ${rmae.toFixed(2)} against ${promised.toFixed(2)} in its test, since ${since}`
  await replaceActiveModel(sql, { subject, model: base, reason }, now)
  await clearDrift(sql, subject)
  forecastModelChosen(ctx.log, { asset: subject, model: base, reason })
  return undefined
}

/** Returns the rMAE of the last 30 scored next-day forecasts; undefined until there are that many. */
async function recentRmae(ctx: Context, subject: ForecastSubject, now: Temporal.Instant): Promise<number | undefined> {
  const today = marketDayOf(now)
  const span = { from: today.subtract({ days: ACCURACY_LOOK_BACK_DAYS }), to: today, horizonDays: undefined }
  const recent = { basis: 'issued', days: SCORED_DAYS } as const
  const zone = zoneOf(subject)
  const errors =
    zone === undefined
      ? await ctx.forecasts.errors('issued', subject as ForecastAsset, span, recent)
      : await ctx.hourlyForecasts.errors('issued', zone, { ...span, issue: undefined }, recent)
  return errors !== undefined && errors.days >= SCORED_DAYS ? errors.rmae : undefined
}
