/**
 * Trains the models of each asset anew, tests them on days that they have not seen, and decides which one speaks. A training that
 * diverges is kept out and the last good artefact goes on speaking. What an asset's training gives is kept in one transaction.
 */
import { z } from 'zod'
import { FORECAST_ASSETS } from '../src/api/contract/forecasts.ts'
import { marketDayOf } from '../src/market/market-day.ts'
import { forecastModelChosen, forecastTrainingBegun, forecastTrainingFailed } from '../src/platform/events.ts'
import type { Context } from '../src/service/context.ts'
import { job } from '../src/service/job.ts'
import { keepTraining } from '../src/store/forecast-models.ts'
import { soundArtefacts } from './forecasts/chosen-model.ts'
import { codeVersion } from './forecasts/code-version.ts'
import { loadVersions } from './forecasts/load-versions.ts'
import { replayed } from './forecasts/replayed.ts'
import { runModels } from './forecasts/run-models.ts'
import type { TrainResult } from './forecasts/task.ts'

export const trainForecasts = job({
  queue: 'forecast.train',
  payload: z.object({}),
  oneWaiting: true,
  retry: { limit: 2, backoffSeconds: 600 },
  expireSeconds: 3600,
  async run({ ctx, signal }) {
    if (!ctx.config.forecasts.training) return
    const now = ctx.clock.now()
    const { versions, synthetic } = await loadVersions(ctx.database.sql, marketDayOf(now))
    for (const asset of FORECAST_ASSETS) {
      if (versions[asset].length === 0) continue
      const artefacts = await soundArtefacts(ctx, asset, synthetic)
      const task = { kind: 'train' as const, asset, versions, nowMs: now.epochMilliseconds, artefacts }
      const onTraining = (model: string) => forecastTrainingBegun(ctx.log, { asset, model })
      await keep(ctx, await runModels(task, { signal, onTraining }), { at: now, synthetic })
    }
    await ctx.dataVersion.refresh()
  },
})

async function keep(
  ctx: Context,
  result: TrainResult,
  { at, synthetic }: { at: Temporal.Instant; synthetic: boolean },
): Promise<void> {
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
