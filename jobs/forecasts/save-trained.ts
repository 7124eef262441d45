/** Saves what a training has made, and which model it has selected, in one transaction. */

import type { ForecastSubject } from '../../src/market/forecast-scope.ts'
import { forecastModelChosen, forecastTrainingFailed } from '../../src/platform/events.ts'
import type { Context } from '../../src/service/context.ts'
import { saveTraining } from '../../src/store/forecast-models.ts'
import { codeVersion } from './code-version.ts'
import { replayed } from './replayed.ts'
import type { TrainHoursResult, TrainResult } from './task.ts'

export async function saveTrained(
  ctx: Context,
  asset: ForecastSubject,
  result: TrainResult | TrainHoursResult,
): Promise<void> {
  const [at, synthetic] = [ctx.clock.now(), false]
  const { activeModel, reason, errors, trained, failed } = result
  for (const { model, outcome, reason: why } of failed)
    forecastTrainingFailed(ctx.log, { asset, model, outcome, reason: why })
  const replay = { asset, synthetic, purpose: 'accuracy' as const, codeVersion: codeVersion(), madeAt: at }
  await saveTraining(ctx.database.sql, {
    artefacts: trained.map((one) => ({ ...one, asset, trainedAt: at, synthetic, codeVersion: codeVersion() })),
    decision: { asset, synthetic, model: activeModel, decidedAt: at, reason, metrics: errors },
    ...(result.kind === 'train' && { replay: { ...replay, forecasts: result.replay.map(replayed) } }),
  })
  forecastModelChosen(ctx.log, { asset, model: activeModel, reason })
}
