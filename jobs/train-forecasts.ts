/**
 * Retrains the models of each asset and of the hours of each zone, tests them on days that they have not seen, and selects the active one. A training that diverges
 * is discarded and the last good artefact stays in use. The result for an asset is saved in one transaction. Models are trained on
 * publishers' prices only, and never twice on the same ones.
 */
import { z } from 'zod'
import { FORECAST_ASSETS } from '../src/api/contract/forecasts.ts'
import { type ForecastSubject, hoursOf } from '../src/market/forecast-scope.ts'
import { marketDayOf } from '../src/market/market-day.ts'
import { STORED_ZONES } from '../src/market/zones.ts'
import { forecastModelChosen, forecastTrainingBegun, forecastTrainingFailed } from '../src/platform/events.ts'
import type { Context } from '../src/service/context.ts'
import { job } from '../src/service/job.ts'
import { saveTraining } from '../src/store/forecast-models.ts'
import { beginTraining, endTraining, lastTraining } from '../src/store/forecast-trainings.ts'
import { soundArtefacts } from './forecasts/active-model.ts'
import { codeVersion } from './forecasts/code-version.ts'
import { firstVersionDay, type LoadedVersions, loadHours, loadVersions } from './forecasts/load-versions.ts'
import { replayed } from './forecasts/replayed.ts'
import { runModels } from './forecasts/run-models.ts'
import type { TrainHoursResult, TrainResult } from './forecasts/task.ts'
import {
  againFromDays,
  countDays,
  countZoneDays,
  hourlyTrainingInputsSha256,
  trainingInputsSha256,
} from './forecasts/training-inputs.ts'

export const trainForecasts = job({
  queue: 'forecast.train',
  /** `again`: even on the same prices, because no artefact trained on them is usable. */
  payload: z.object({ again: z.boolean().default(false) }),
  oneWaiting: true,
  retry: { limit: 2, backoffSeconds: 600 },
  expireSeconds: 3600,
  async run({ payload, ctx, signal }) {
    if (!ctx.config.forecasts.training) return
    const now = ctx.clock.now()
    const { versions, holidays, synthetic } = await loadVersions(ctx.database.sql, marketDayOf(now))
    if (synthetic) {
      ctx.log.info('there are only synthetic prices; no model is trained on them')
      return
    }
    const { sql } = ctx.database
    for (const asset of FORECAST_ASSETS) {
      const known = countDays(versions, asset)
      if (known === 0) continue
      const inputsSha256 = trainingInputsSha256(versions, asset)
      const last = await lastTraining(sql, asset)
      if (!payload.again && last?.ended && last.inputsSha256 === inputsSha256) continue
      await beginTraining(sql, { asset, inputsSha256, againFromDays: againFromDays(known) }, now)
      const artefacts = await soundArtefacts(ctx, asset, synthetic)
      const task = { kind: 'train' as const, asset, versions, holidays, nowMs: now.epochMilliseconds, artefacts }
      const onTraining = (model: string) => forecastTrainingBegun(ctx.log, { asset, model })
      const result = await runModels(task, { signal, onTraining })
      await save(ctx, asset, result)
      await endTraining(sql, { asset, againFromDays: againFromDays(known, result.missingDays) }, ctx.clock.now())
    }
    await trainHours(ctx, payload, { versions, holidays, synthetic }, signal)
    await ctx.dataVersion.refresh()
  },
})

/** Zone by zone, each in a process of its own, so that its memory is free before the next. */
async function trainHours(
  ctx: Context,
  { again }: { again: boolean },
  { versions, holidays, synthetic }: LoadedVersions,
  signal: AbortSignal,
): Promise<void> {
  const { sql } = ctx.database
  const now = ctx.clock.now()
  for (const zone of STORED_ZONES) {
    const asset = hoursOf(zone)
    const hours = await loadHours(sql, [zone], firstVersionDay(marketDayOf(now)), synthetic)
    const known = countZoneDays(hours.versions[zone] ?? versions.PUN)
    if (known === 0) continue
    const inputsSha256 = hourlyTrainingInputsSha256(versions, hours, zone)
    const last = await lastTraining(sql, asset)
    if (!again && last?.ended && last.inputsSha256 === inputsSha256) continue
    await beginTraining(sql, { asset, inputsSha256, againFromDays: againFromDays(known) }, now)
    const artefacts = await soundArtefacts(ctx, asset, synthetic)
    const task = {
      kind: 'train-hours' as const,
      zone,
      versions,
      holidays,
      hours,
      nowMs: now.epochMilliseconds,
      artefacts,
    }
    const onTraining = (model: string) => forecastTrainingBegun(ctx.log, { asset, model })
    const result = await runModels(task, { signal, onTraining })
    await save(ctx, asset, result)
    await endTraining(sql, { asset, againFromDays: againFromDays(known, result.missingDays) }, ctx.clock.now())
  }
}

async function save(ctx: Context, asset: ForecastSubject, result: TrainResult | TrainHoursResult): Promise<void> {
  const [at, synthetic] = [ctx.clock.now(), false]
  const { activeModel, reason, errors, trained, failed } = result
  for (const { model, outcome, reason: why } of failed)
    forecastTrainingFailed(ctx.log, { asset, model, outcome, reason: why })
  const replay = { asset, synthetic, purpose: 'accuracy' as const, codeVersion: codeVersion(), madeAt: at }
  await saveTraining(ctx.database.sql, {
    artefacts: trained.map((one) => ({ ...one, asset, trainedAt: at, synthetic, codeVersion: codeVersion() })),
    decision: { asset, synthetic, model: activeModel, decidedAt: at, reason, metrics: errors },
    ...(result.kind === 'train' && { test: { ...replay, forecasts: result.test.map(replayed) } }),
  })
  forecastModelChosen(ctx.log, { asset, model: activeModel, reason })
}
