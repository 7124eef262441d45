/**
 * Trains the models of each asset anew, tests them on days that they have not seen, and decides which one speaks. A training that
 * diverges is kept out and the last good artefact goes on speaking. What an asset's training gives is kept in one transaction. Only
 * publishers' prices are trained on, and not twice on the same.
 */
import { z } from 'zod'
import { FORECAST_ASSETS } from '../src/api/contract/forecasts.ts'
import { marketDayOf } from '../src/market/market-day.ts'
import { forecastModelChosen, forecastTrainingBegun, forecastTrainingFailed } from '../src/platform/events.ts'
import type { Context } from '../src/service/context.ts'
import { job } from '../src/service/job.ts'
import { keepTraining } from '../src/store/forecast-models.ts'
import { beginTraining, endTraining, lastTraining } from '../src/store/forecast-trainings.ts'
import { soundArtefacts } from './forecasts/chosen-model.ts'
import { codeVersion } from './forecasts/code-version.ts'
import { loadVersions } from './forecasts/load-versions.ts'
import { replayed } from './forecasts/replayed.ts'
import { runModels } from './forecasts/run-models.ts'
import type { TrainResult } from './forecasts/task.ts'
import { againFromDays, countDays, trainingInputsSha256 } from './forecasts/training-inputs.ts'

export const trainForecasts = job({
  queue: 'forecast.train',
  /** `again`: on the same prices too, because nothing that was learned from them can be used. */
  payload: z.object({ again: z.boolean().default(false) }),
  oneWaiting: true,
  retry: { limit: 2, backoffSeconds: 600 },
  expireSeconds: 3600,
  async run({ payload, ctx, signal }) {
    if (!ctx.config.forecasts.training) return
    const now = ctx.clock.now()
    const { versions, synthetic } = await loadVersions(ctx.database.sql, marketDayOf(now))
    if (synthetic) {
      ctx.log.info('there are only synthetic prices, which no model is trained on')
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
      const task = { kind: 'train' as const, asset, versions, nowMs: now.epochMilliseconds, artefacts }
      const onTraining = (model: string) => forecastTrainingBegun(ctx.log, { asset, model })
      const result = await runModels(task, { signal, onTraining })
      await keep(ctx, result)
      await endTraining(sql, { asset, againFromDays: againFromDays(known, result.missingDays) }, ctx.clock.now())
    }
    await ctx.dataVersion.refresh()
  },
})

async function keep(ctx: Context, result: TrainResult): Promise<void> {
  const [at, synthetic] = [ctx.clock.now(), false]
  const { asset, speaks, reason, errors, trained, failed, test } = result
  for (const { model, outcome, reason: why } of failed)
    forecastTrainingFailed(ctx.log, { asset, model, outcome, reason: why })
  await keepTraining(ctx.database.sql, {
    artefacts: trained.map((one) => ({ ...one, asset, trainedAt: at, synthetic, codeVersion: codeVersion() })),
    decision: { asset, synthetic, model: speaks, decidedAt: at, reason, metrics: errors },
    test: {
      asset,
      synthetic,
      purpose: 'accuracy',
      codeVersion: codeVersion(),
      madeAt: at,
      forecasts: test.map(replayed),
    },
  })
  forecastModelChosen(ctx.log, { asset, model: speaks, reason })
}
