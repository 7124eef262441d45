/**
 * Retrains the models of the hours of each zone, tests them, and selects the active one, as `trainForecasts` does for the days: on publishers'
 * prices only, and never twice on the same. Each zone in a process of its own, so that its memory is free before the next.
 */
import { z } from 'zod'
import { hoursOf } from '../src/market/forecast-scope.ts'
import { type MarketDay, marketDayOf } from '../src/market/market-day.ts'
import { STORED_ZONES, type ZoneCode } from '../src/market/zones.ts'
import type { Context } from '../src/service/context.ts'
import { job } from '../src/service/job.ts'
import type { StoredArtefact } from '../src/store/forecast-models.ts'
import { firstVersionDay, type LoadedVersions, loadHours, loadVersions } from './forecasts/load-versions.ts'
import { TEST_DAYS, versionsFrom } from './forecasts/task.ts'
import { trainOn } from './forecasts/train-on.ts'
import { countZoneDays, hourlyTrainingInputsSha256 } from './forecasts/training-inputs.ts'

/** As many as there are places for trainings, so that no more are read than can be trained. */
const AT_ONCE = 2

export const trainHours = job({
  queue: 'forecast.train-hours',
  /** `again`: even on the same prices, because no artefact trained on them is usable. */
  payload: z.object({ again: z.boolean().default(false) }),
  oneWaiting: true,
  retry: { limit: 2, backoffSeconds: 600 },
  expireSeconds: 3600,
  async run({ payload, ctx, signal }) {
    if (!ctx.config.forecasts.training) return
    const today = marketDayOf(ctx.clock.now())
    const all = await loadVersions(ctx.database.sql, today)
    if (all.synthetic) return
    const loaded = { ...all, versions: versionsFrom(all.versions, firstVersionDay(today)) }
    const waiting = [...STORED_ZONES]
    const trainNext = async () => {
      for (let zone = waiting.shift(); zone !== undefined; zone = waiting.shift())
        await trainZone(ctx, zone, loaded, { ...payload, signal })
    }
    const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, trainNext))
    await ctx.dataVersion.refresh()
    for (const one of ended) if (one.status === 'rejected') throw one.reason
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
    taskWith: (artefacts) => ({
      kind: 'train-hours',
      zone,
      ...prices,
      hours,
      artefacts: needed(artefacts, marketDayOf(now)),
    }),
  })
}

/** The newest, and those that have not seen the days of the test. */
function needed(artefacts: readonly StoredArtefact[], today: MarketDay): StoredArtefact[] {
  const beforeTest = today.subtract({ days: TEST_DAYS }).toString()
  return artefacts.filter(({ dataTo }, i) => i === 0 || dataTo < beforeTest)
}
