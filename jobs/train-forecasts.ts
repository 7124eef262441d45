/**
 * Retrains the models of each asset, and of the hours of each zone, tests them on days that they have not seen, and selects the active one. A
 * training that diverges is discarded and the last good artefact stays in use. The result for a subject is saved in one transaction. Models
 * are trained on publishers' prices only, and never twice on the same ones; each subject in a process of its own, so that its memory is free
 * before the next.
 */
import { z } from 'zod'
import { FORECAST_ASSETS } from '../src/api/contract/forecasts.ts'
import { hoursOf } from '../src/market/forecast-scope.ts'
import { marketDayOf } from '../src/market/market-day.ts'
import { STORED_ZONES } from '../src/market/zones.ts'
import { job } from '../src/service/job.ts'
import { firstVersionDay, loadHours, loadVersions } from './forecasts/load-versions.ts'
import { SPARE_DAYS, TEST_DAYS, versionsFrom } from './forecasts/task.ts'
import { TRAININGS_AT_ONCE, trainOn } from './forecasts/train-on.ts'
import {
  countDays,
  countZoneDays,
  hourlyTrainingInputsSha256,
  trainingInputsSha256,
} from './forecasts/training-inputs.ts'

const TRAINING = {
  /** `again`: even on the same prices, because no artefact trained on them is usable. */
  payload: z.object({ again: z.boolean().default(false) }),
  oneWaiting: true,
  retry: { limit: 2, backoffSeconds: 600 },
  expireSeconds: 3600,
}

export const trainHours = job({
  ...TRAINING,
  queue: 'forecast.train-hours',
  async run({ payload, ctx, signal }) {
    if (!ctx.config.forecasts.training) return
    const { sql } = ctx.database
    const today = marketDayOf(ctx.clock.now())
    const { synthetic, holidays, ...all } = await loadVersions(sql, today)
    if (synthetic) return
    const versions = versionsFrom(all.versions, firstVersionDay(today))
    const beforeTest = today.subtract({ days: TEST_DAYS + SPARE_DAYS }).toString()
    const waiting = [...STORED_ZONES]
    // No more are read than can be trained.
    const trainNext = async () => {
      for (let zone = waiting.shift(); zone !== undefined; zone = waiting.shift()) {
        const [own, nowMs] = [zone, ctx.clock.now().epochMilliseconds]
        const hours = await loadHours(sql, [zone], firstVersionDay(today), false)
        await trainOn(ctx, {
          ...{ asset: hoursOf(zone), again: payload.again, signal },
          known: countZoneDays(hours.versions[zone] ?? versions.PUN),
          inputsSha256: hourlyTrainingInputsSha256(versions, hours, zone),
          taskWith(artefacts) {
            // The newest, and those that have not seen the days of the test: they are large.
            const needed = artefacts.filter(({ dataTo }, i) => i === 0 || dataTo < beforeTest)
            return { kind: 'train-hours', zone: own, versions, holidays, nowMs, hours, artefacts: needed }
          },
        })
      }
    }
    const ended = await Promise.allSettled(Array.from({ length: TRAININGS_AT_ONCE }, trainNext))
    await ctx.dataVersion.refresh()
    for (const one of ended) if (one.status === 'rejected') throw one.reason
  },
})

export const trainForecasts = job({
  ...TRAINING,
  queue: 'forecast.train',
  async run({ payload, ctx, signal }) {
    if (!ctx.config.forecasts.training) return
    const now = ctx.clock.now()
    const { versions, holidays, synthetic } = await loadVersions(ctx.database.sql, marketDayOf(now))
    if (synthetic) {
      ctx.log.info('there are only synthetic prices; no model is trained on them')
      return
    }
    await ctx.queue.send(trainHours, payload) // beside these
    const prices = { versions, holidays, nowMs: now.epochMilliseconds }
    for (const asset of FORECAST_ASSETS) {
      await trainOn(ctx, {
        ...{ asset, again: payload.again, signal },
        known: countDays(versions, asset),
        inputsSha256: trainingInputsSha256(versions, asset),
        taskWith: (artefacts) => ({ kind: 'train', asset, ...prices, artefacts }),
      })
    }
    await ctx.dataVersion.refresh()
  },
})
