/** One training of the models of an asset, or of the hours of a zone: on publishers' prices, and never twice on the same. */
import type { ForecastSubject } from '../../src/market/forecast-scope.ts'
import { forecastTrainingBegun } from '../../src/platform/events.ts'
import type { Context } from '../../src/service/context.ts'
import type { StoredArtefact } from '../../src/store/forecast-models.ts'
import { beginTraining, endTraining, lastTraining } from '../../src/store/forecast-trainings.ts'
import { soundArtefacts } from './active-model.ts'
import { ISSUE_QUEUE } from './issue-queue.ts'
import { runModels } from './run-models.ts'
import { saveTrained } from './save-trained.ts'
import type { TrainHoursTask, TrainTask } from './task.ts'
import { againFromDays } from './training-inputs.ts'
import { withTrainingSlot } from './training-slots.ts'

interface Training {
  asset: ForecastSubject
  /** Days of prices; without any nothing happens. */
  known: number
  inputsSha256: string
  /** Even on the same prices. */
  again: boolean
  signal: AbortSignal
  taskWith(artefacts: StoredArtefact[]): TrainTask | TrainHoursTask
}

export async function trainOn(ctx: Context, training: Training): Promise<void> {
  const { asset, known, inputsSha256, again, signal, taskWith } = training
  const { sql } = ctx.database
  if (known === 0) return
  const last = await lastTraining(sql, asset)
  if (!again && last?.ended && last.inputsSha256 === inputsSha256) return
  await withTrainingSlot(async () => {
    await beginTraining(sql, { asset, inputsSha256, againFromDays: againFromDays(known) }, ctx.clock.now())
    const onTraining = (model: string) => forecastTrainingBegun(ctx.log, { asset, model })
    const result = await runModels(taskWith(await soundArtefacts(ctx, asset, false)), { signal, onTraining })
    await saveTrained(ctx, asset, result)
    await endTraining(sql, { asset, againFromDays: againFromDays(known, result.missingDays) }, ctx.clock.now())
    await ctx.queue.send(ISSUE_QUEUE, {}) // with the model just trained
  })
}
