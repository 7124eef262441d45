/** One training of the models of an asset or of a zone's hours: on publishers' prices, and never twice on the same prices. */
import os from 'node:os'
import { type ForecastSubject, zoneOf } from '../../src/market/forecast-scope.ts'
import { marketDayOf } from '../../src/market/market-day.ts'
import { forecastModelChosen, forecastTrainingBegun, forecastTrainingFailed } from '../../src/platform/events.ts'
import type { Context } from '../../src/service/context.ts'
import { type StoredArtefact, saveTraining } from '../../src/store/forecast-models.ts'
import { beginTraining, endTraining, lastTraining } from '../../src/store/forecast-trainings.ts'
import { listIntactArtefacts } from './active-model.ts'
import { ISSUE_QUEUE } from './issue-queue.ts'
import { codeVersion, newReplay } from './replay.ts'
import { runModels } from './run-models.ts'
import { type Inputs, SPARE_DAYS, TEST_DAYS, type TrainResult } from './task.ts'
import { countDays, retrainFromDays, trainingInputsSha256 } from './training-inputs.ts'

interface TrainingOptions {
  /** Trains even on the same prices. */
  force: boolean
  signal: AbortSignal
}

/** Trains a subject; does nothing while it has no prices. */
export async function trainSubject(
  ctx: Context,
  subject: ForecastSubject,
  inputs: Inputs,
  { force, signal }: TrainingOptions,
): Promise<void> {
  const { sql } = ctx.database
  const known = countDays(inputs, subject)
  if (known === 0) return
  const inputsSha256 = trainingInputsSha256(inputs, subject)
  const last = await lastTraining(sql, subject)
  if (!force && last?.ended && last.inputsSha256 === inputsSha256) return
  await withTrainingSlot(async () => {
    const training = { asset: subject, againFromDays: retrainFromDays(known) }
    await beginTraining(sql, { ...training, inputsSha256 }, ctx.clock.now())
    const onTraining = (model: string) => forecastTrainingBegun(ctx.log, { asset: subject, model })
    const artefacts = artefactsForTraining(await listIntactArtefacts(ctx, subject, false), subject, ctx.clock.now())
    const result = await runModels({ kind: 'train', subject, ...inputs, artefacts }, { signal, onTraining })
    await save(ctx, subject, result)
    await endTraining(sql, { ...training, againFromDays: retrainFromDays(known, result.missingDays) }, ctx.clock.now())
    await ctx.queue.send(ISSUE_QUEUE, {}) // with the model just trained
  })
}

/** Hourly artefacts are large: keeps only the newest, and those trained before the test days. */
function artefactsForTraining(
  artefacts: StoredArtefact[],
  subject: ForecastSubject,
  now: Temporal.Instant,
): StoredArtefact[] {
  if (zoneOf(subject) === undefined) return artefacts
  const beforeTest = marketDayOf(now)
    .subtract({ days: TEST_DAYS + SPARE_DAYS })
    .toString()
  return artefacts.filter(({ dataTo }, i) => i === 0 || dataTo < beforeTest)
}

/** Saves the artefacts, the selected model and, for days, the replay in one transaction. */
async function save(ctx: Context, asset: ForecastSubject, result: TrainResult): Promise<void> {
  const { activeModel, reason, errors, trained, failed, replay } = result
  for (const { model, outcome, reason: why } of failed)
    forecastTrainingFailed(ctx.log, { asset, model, outcome, reason: why })
  const [at, about] = [ctx.clock.now(), { asset, synthetic: false }]
  await saveTraining(ctx.database.sql, {
    artefacts: trained.map((one) => ({ ...one, ...about, codeVersion: codeVersion(), trainedAt: at })),
    decision: { ...about, model: activeModel, decidedAt: at, reason, metrics: errors },
    ...(zoneOf(asset) === undefined && {
      replay: newReplay(asset, { synthetic: false, purpose: 'accuracy', madeAt: at, forecasts: replay }),
    }),
  })
  forecastModelChosen(ctx.log, { asset, model: activeModel, reason })
}

/** Limit for days and hours together: each training needs a core and some 250 MB. */
export const CONCURRENT_TRAININGS = 2

let freeSlots = Math.min(CONCURRENT_TRAININGS, os.availableParallelism())
const slotQueue: (() => void)[] = []

/** Runs when a training slot is free, in the order of the calls. */
export async function withTrainingSlot<Result>(run: () => Promise<Result>): Promise<Result> {
  if (freeSlots > 0) freeSlots--
  else await new Promise<void>((resolve) => slotQueue.push(resolve))
  try {
    return await run()
  } finally {
    const next = slotQueue.shift()
    if (next) next()
    else freeSlots++
  }
}
