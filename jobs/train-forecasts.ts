/**
 * Retrains the models of each asset, tests them on days that they have not seen, and selects the active one; then requests the same of the
 * hours. A training that diverges is discarded and the last good artefact stays in use. The result for an asset is saved in one transaction.
 * Models are trained on publishers' prices only, and never twice on the same ones.
 */
import { z } from 'zod'
import { FORECAST_ASSETS } from '../src/api/contract/forecasts.ts'
import { marketDayOf } from '../src/market/market-day.ts'
import { forecastTrainingBegun } from '../src/platform/events.ts'
import { job } from '../src/service/job.ts'
import { beginTraining, endTraining, lastTraining } from '../src/store/forecast-trainings.ts'
import { soundArtefacts } from './forecasts/active-model.ts'
import { loadVersions } from './forecasts/load-versions.ts'
import { runModels } from './forecasts/run-models.ts'
import { saveTrained } from './forecasts/save-trained.ts'
import { againFromDays, countDays, trainingInputsSha256 } from './forecasts/training-inputs.ts'
import { trainHours } from './train-hours.ts'

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
      await saveTrained(ctx, asset, result)
      await endTraining(sql, { asset, againFromDays: againFromDays(known, result.missingDays) }, ctx.clock.now())
    }
    await ctx.queue.send(trainHours, payload)
    await ctx.dataVersion.refresh()
  },
})
