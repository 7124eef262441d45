/**
 * Retrains the models of each asset, tests them on days that they have not seen, and selects the active one; the same of the hours is
 * requested first. A training that diverges is discarded and the last good artefact stays in use. The result for an asset is saved in one transaction.
 * Models are trained on publishers' prices only, and never twice on the same ones.
 */
import { z } from 'zod'
import { FORECAST_ASSETS } from '../src/api/contract/forecasts.ts'
import { marketDayOf } from '../src/market/market-day.ts'
import { job } from '../src/service/job.ts'
import { loadVersions } from './forecasts/load-versions.ts'
import { trainOn } from './forecasts/train-on.ts'
import { countDays, trainingInputsSha256 } from './forecasts/training-inputs.ts'
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
    await ctx.queue.send(trainHours, payload) // beside these
    for (const asset of FORECAST_ASSETS) {
      await trainOn(ctx, {
        asset,
        known: countDays(versions, asset),
        inputsSha256: trainingInputsSha256(versions, asset),
        again: payload.again,
        signal,
        taskWith: (artefacts) => ({
          kind: 'train',
          asset,
          versions,
          holidays,
          nowMs: now.epochMilliseconds,
          artefacts,
        }),
      })
    }
    await ctx.dataVersion.refresh()
  },
})
