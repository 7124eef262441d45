/**
 * Retrains the models of the hours of each zone, tests them, and selects the active one, as `trainForecasts` does for the days: on publishers'
 * prices only, and never twice on the same. Zone by zone, each in a process of its own, so that its memory is free before the next.
 */
import { z } from 'zod'
import { hoursOf } from '../src/market/forecast-scope.ts'
import { marketDayOf } from '../src/market/market-day.ts'
import { STORED_ZONES, type ZoneCode } from '../src/market/zones.ts'
import type { Context } from '../src/service/context.ts'
import { job } from '../src/service/job.ts'
import { firstVersionDay, type LoadedVersions, loadHours, loadVersions } from './forecasts/load-versions.ts'
import { trainOn } from './forecasts/train-on.ts'
import { countZoneDays, hourlyTrainingInputsSha256 } from './forecasts/training-inputs.ts'

export const trainHours = job({
  queue: 'forecast.train-hours',
  /** `again`: even on the same prices, because no artefact trained on them is usable. */
  payload: z.object({ again: z.boolean().default(false) }),
  oneWaiting: true,
  retry: { limit: 2, backoffSeconds: 600 },
  expireSeconds: 3600,
  async run({ payload, ctx, signal }) {
    if (!ctx.config.forecasts.training) return
    const loaded = await loadVersions(ctx.database.sql, marketDayOf(ctx.clock.now()))
    if (loaded.synthetic) return
    for (const zone of STORED_ZONES) await trainZone(ctx, zone, loaded, { ...payload, signal })
    await ctx.dataVersion.refresh()
  },
})

async function trainZone(
  ctx: Context,
  zone: ZoneCode,
  { versions, holidays }: LoadedVersions,
  options: { again: boolean; signal: AbortSignal },
): Promise<void> {
  const now = ctx.clock.now()
  const hours = await loadHours(ctx.database.sql, [zone], firstVersionDay(marketDayOf(now)), false)
  const prices = { versions, holidays, nowMs: now.epochMilliseconds }
  await trainOn(ctx, {
    asset: hoursOf(zone),
    known: countZoneDays(hours.versions[zone] ?? versions.PUN),
    inputsSha256: hourlyTrainingInputsSha256(versions, hours, zone),
    ...options,
    taskWith: (artefacts) => ({ kind: 'train-hours', zone, ...prices, hours, artefacts }),
  })
}
