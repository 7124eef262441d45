/**
 * Retrains the models of the hours of each zone, tests them, and selects the active one, as `trainForecasts` does for the days: on publishers'
 * prices only, and never twice on the same. Zone by zone, each in a process of its own, so that its memory is free before the next.
 */
import { z } from 'zod'
import { hoursOf } from '../src/market/forecast-scope.ts'
import { marketDayOf } from '../src/market/market-day.ts'
import { STORED_ZONES, type ZoneCode } from '../src/market/zones.ts'
import { forecastTrainingBegun } from '../src/platform/events.ts'
import type { Context } from '../src/service/context.ts'
import { job } from '../src/service/job.ts'
import { beginTraining, endTraining, lastTraining } from '../src/store/forecast-trainings.ts'
import { soundArtefacts } from './forecasts/active-model.ts'
import { firstVersionDay, type LoadedVersions, loadHours, loadVersions } from './forecasts/load-versions.ts'
import { runModels } from './forecasts/run-models.ts'
import { saveTrained } from './forecasts/save-trained.ts'
import { againFromDays, countZoneDays, hourlyTrainingInputsSha256 } from './forecasts/training-inputs.ts'

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
  { versions, holidays, synthetic }: LoadedVersions,
  { again, signal }: { again: boolean; signal: AbortSignal },
): Promise<void> {
  const { sql } = ctx.database
  const now = ctx.clock.now()
  const asset = hoursOf(zone)
  const hours = await loadHours(sql, [zone], firstVersionDay(marketDayOf(now)), synthetic)
  const known = countZoneDays(hours.versions[zone] ?? versions.PUN)
  if (known === 0) return
  const inputsSha256 = hourlyTrainingInputsSha256(versions, hours, zone)
  const last = await lastTraining(sql, asset)
  if (!again && last?.ended && last.inputsSha256 === inputsSha256) return
  await beginTraining(sql, { asset, inputsSha256, againFromDays: againFromDays(known) }, now)
  const artefacts = await soundArtefacts(ctx, asset, synthetic)
  const prices = { versions, holidays, nowMs: now.epochMilliseconds }
  const task = { kind: 'train-hours' as const, zone, ...prices, hours, artefacts }
  const onTraining = (model: string) => forecastTrainingBegun(ctx.log, { asset, model })
  const result = await runModels(task, { signal, onTraining })
  await saveTrained(ctx, asset, result)
  await endTraining(sql, { asset, againFromDays: againFromDays(known, result.missingDays) }, ctx.clock.now())
}
