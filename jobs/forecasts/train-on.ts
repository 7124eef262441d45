/** One training of the models of an asset, or of the hours of a zone: on publishers' prices, and never twice on the same. */
import os from 'node:os'
import type { ForecastSubject } from '../../src/market/forecast-scope.ts'
import { forecastModelChosen, forecastTrainingBegun, forecastTrainingFailed } from '../../src/platform/events.ts'
import type { Context } from '../../src/service/context.ts'
import { type StoredArtefact, saveTraining } from '../../src/store/forecast-models.ts'
import { beginTraining, endTraining, lastTraining } from '../../src/store/forecast-trainings.ts'
import { soundArtefacts } from './active-model.ts'
import { codeVersion } from './code-version.ts'
import { ISSUE_QUEUE } from './issue-queue.ts'
import { replayed } from './replayed.ts'
import { runModels } from './run-models.ts'
import type { TrainHoursResult, TrainHoursTask, TrainResult, TrainTask } from './task.ts'
import { againFromDays } from './training-inputs.ts'

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
    await save(ctx, asset, result)
    await endTraining(sql, { asset, againFromDays: againFromDays(known, result.missingDays) }, ctx.clock.now())
    await ctx.queue.send(ISSUE_QUEUE, {}) // with the model just trained
  })
}

/** The artefacts, the selected model and, of days, the replay, in one transaction. */
async function save(ctx: Context, asset: ForecastSubject, result: TrainResult | TrainHoursResult): Promise<void> {
  const { activeModel, reason, errors, trained, failed } = result
  for (const { model, outcome, reason: why } of failed)
    forecastTrainingFailed(ctx.log, { asset, model, outcome, reason: why })
  const [at, about] = [ctx.clock.now(), { asset, synthetic: false, codeVersion: codeVersion() }]
  const replay = { ...about, purpose: 'accuracy' as const, madeAt: at }
  await saveTraining(ctx.database.sql, {
    artefacts: trained.map((one) => ({ ...one, ...about, trainedAt: at })),
    decision: { asset, synthetic: false, model: activeModel, decidedAt: at, reason, metrics: errors },
    ...(result.kind === 'train' && {
      replay: { ...replay, asset: result.asset, forecasts: result.replay.map(replayed) },
    }),
  })
  forecastModelChosen(ctx.log, { asset, model: activeModel, reason })
}

/** Of days and of hours together: each training needs a core and some 300 MB. */
export const TRAININGS_AT_ONCE = 2

let free = Math.min(TRAININGS_AT_ONCE, os.availableParallelism())
const waiting: (() => void)[] = []

/** Runs when a place is free, in the order of the calls. */
export async function withTrainingSlot<Result>(run: () => Promise<Result>): Promise<Result> {
  if (free > 0) free--
  else await new Promise<void>((resolve) => waiting.push(resolve))
  try {
    return await run()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else free++
  }
}
