/**
 * Retrains the models of each asset and of each zone's hours, tests them on days that they have not seen, and selects the active one. A
 * training that diverges is discarded, and the last good artefact stays in use. The result for a subject is saved in one transaction.
 * Models are trained on publishers' prices only, and never twice on the same ones. Each subject has its own process, so that its memory is
 * freed before the next.
 */
import { z } from 'zod'
import { FORECAST_ASSETS, type ForecastSubject, hoursOf, zoneOf } from '../src/market/forecast-scope.ts'
import { marketDayOf } from '../src/market/market-day.ts'
import { STORED_ZONES } from '../src/market/zones.ts'
import type { QueueDefinition } from '../src/platform/queue/job.ts'
import { job } from '../src/service/job.ts'
import { firstVersionDay, inputsAt, loadVersions } from './forecasts/load-versions.ts'
import { versionsFrom } from './forecasts/task.ts'
import { CONCURRENT_TRAININGS, trainSubject } from './forecasts/train-subject.ts'

type TrainingQueue = QueueDefinition<{ again: boolean }>

/** `alsoQueue`: another training that is requested with this one. */
function trainingJob(
  queue: string,
  {
    subjects,
    concurrency,
    alsoQueue,
  }: { subjects: readonly ForecastSubject[]; concurrency: number; alsoQueue?: TrainingQueue },
) {
  return job({
    queue,
    /** `again`: train even on the same prices, for example because no artefact trained on them is usable. */
    payload: z.object({ again: z.boolean().default(false) }),
    isDeduplicated: true,
    retry: { limit: 2, backoffSeconds: 600 },
    expireSeconds: 3600,
    async run({ payload, ctx, signal }) {
      if (!ctx.config.forecasts.training) return
      const { sql } = ctx.database
      const now = ctx.clock.now()
      const from = firstVersionDay(marketDayOf(now))
      const loaded = await loadVersions(sql, marketDayOf(now))
      if (loaded.synthetic) {
        ctx.log.info('there are only synthetic prices; no model is trained on them')
        return
      }
      if (alsoQueue !== undefined) await ctx.queue.send(alsoQueue, payload)
      const recent = { ...loaded, versions: versionsFrom(loaded.versions, from) }
      const waiting = [...subjects]
      // Inputs are loaded only for subjects that are trained at once.
      const trainNext = async () => {
        for (let subject = waiting.shift(); subject !== undefined; subject = waiting.shift()) {
          const inputs = await inputsAt(sql, now, [subject], zoneOf(subject) ? recent : loaded, from)
          await trainSubject(ctx, subject, inputs, { force: payload.again, signal })
        }
      }
      const ended = await Promise.allSettled(Array.from({ length: concurrency }, trainNext))
      await ctx.dataVersion.refresh()
      for (const one of ended) if (one.status === 'rejected') throw one.reason
    },
  })
}

export const trainHours = trainingJob('forecast.train-hours', {
  subjects: STORED_ZONES.map(hoursOf),
  concurrency: CONCURRENT_TRAININGS,
})

/** One after another: the status counts how many are done. */
export const trainForecasts = trainingJob('forecast.train', {
  subjects: FORECAST_ASSETS,
  concurrency: 1,
  alsoQueue: trainHours,
})
