/**
 * Scores what has become known and issues forecasts for each asset that has no forecast from its last price yet: after the day-ahead
 * result of D for D+1 on, again in the evening once the gas prices that the models use are in, and after a training has changed the
 * active model; never for a day that has been published. Requests a training once there are many more prices than at the last one.
 * Models run in a separate process; their forecasts are stored in one transaction, so a kill leaves all of an issue or nothing.
 */
import { z } from 'zod'
import { FORECAST_ASSETS, type ForecastAsset, type ForecastChain } from '../src/api/contract/forecasts.ts'
import { DAYS_AHEAD_MAX, forecastInputs, INFO_AGE_DAYS_MAX } from '../src/market/forecast-scope.ts'
import { marketDayOf } from '../src/market/market-day.ts'
import { areSynthetic } from '../src/publishers/sources.ts'
import type { Context } from '../src/service/context.ts'
import { job } from '../src/service/job.ts'
import { hasNewInputsSince, isRefused, lastIssue, recordStatus, scoreForecasts } from '../src/store/forecast-ledger.ts'
import { findActiveModel } from '../src/store/forecast-models.ts'
import { activeModel } from './forecasts/active-model.ts'
import { backfillAccuracy } from './forecasts/backfill-accuracy.ts'
import { type LoadedVersions, loadVersions } from './forecasts/load-versions.ts'
import { runModels } from './forecasts/run-models.ts'
import { saveIssue, saveRejection } from './forecasts/save-issue.ts'
import type { IssueTask } from './forecasts/task.ts'
import { isTrainingDue } from './forecasts/training-inputs.ts'
import { planExports } from './plan-exports.ts'
import { trainForecasts } from './train-forecasts.ts'

const FIRST_DAY = Temporal.PlainDate.from('1900-01-01')

export const issueForecasts = job({
  queue: 'forecast.issue',
  payload: z.object({}),
  oneWaiting: true,
  retry: { limit: 5, backoffSeconds: 30 },
  expireSeconds: 600,
  async run({ ctx, signal }) {
    const now = ctx.clock.now()
    for (const asset of FORECAST_ASSETS) await scoreForecasts(ctx.database.sql, asset, now)
    const due: ForecastAsset[] = []
    for (const asset of FORECAST_ASSETS) if (await isDue(ctx, asset, now)) due.push(asset)
    if (due.length > 0) await issue(ctx, due, now, signal)
    if (ctx.config.forecasts.training && (await isTrainingDue(ctx.database.sql, marketDayOf(now))))
      await ctx.queue.send(trainForecasts, { again: false })
    await ctx.dataVersion.refresh()
    await ctx.queue.send(planExports, { missing: true }) // these may be the first forecasts
  },
})

/** Whether the asset's last price is recent, and has no forecast made since the models' inputs were known and the active model was chosen. */
async function isDue(ctx: Context, asset: ForecastAsset, now: Temporal.Instant): Promise<boolean> {
  const today = marketDayOf(now)
  const { sql } = ctx.database
  const last = await ctx.prices.latest(asset, { notBefore: FIRST_DAY, notAfter: today.add({ days: DAYS_AHEAD_MAX }) })
  const about = `There is no forecast of ${asset}`
  if (last === undefined) {
    const detail = `${about}: no price of it is known.`
    await recordStatus(sql, { asset, outcome: 'too_little_history', detail, daysKnown: 0 }, now)
    return false
  }
  if (last.day < today.subtract({ days: INFO_AGE_DAYS_MAX }).toString()) {
    const detail = `${about}: its last known price is of ${last.day}, more than ${INFO_AGE_DAYS_MAX} days ago.`
    await recordStatus(sql, { asset, outcome: 'history_ended', detail, daysKnown: 0 }, now)
    return false
  }
  const chain = areSynthetic(last.sourceIds) ? 'sample' : 'issued'
  const issued = await lastIssue(sql, chain, asset, last.day)
  if (issued === undefined) return true
  const active = await findActiveModel(sql, asset, chain === 'sample')
  if (active?.artefactId === undefined) return false
  if (active.model !== issued.model && Temporal.Instant.compare(active.decidedAt, issued.attemptedAt) > 0) return true
  const looksAt = forecastInputs(asset)
  const infoDate = Temporal.PlainDate.from(last.day)
  const days = looksAt.map((input) => ({
    asset: input.asset,
    day: infoDate.subtract({ days: input.delayDays }).toString(),
  }))
  return hasNewInputsSince(sql, days, issued.at)
}

async function issue(
  ctx: Context,
  due: readonly ForecastAsset[],
  now: Temporal.Instant,
  signal: AbortSignal,
): Promise<void> {
  const loaded = await loadVersions(ctx.database.sql, marketDayOf(now))
  const { versions, holidays, synthetic } = loaded
  const assets = await asked(ctx, due, loaded)
  if (assets.length === 0) return
  const result = await runModels(
    { kind: 'issue', versions, holidays, nowMs: now.epochMilliseconds, assets },
    { signal },
  )
  const chain: ForecastChain = synthetic ? 'sample' : 'issued'
  for (const made of result.assets) {
    if (made.outcome === 'rejected') await saveRejection(ctx, made, versions[made.asset].length)
    else await saveIssue(ctx, made, chain)
  }
  await backfillAccuracy(ctx, due, loaded, { now, signal })
  // After a version change no stored artefact is usable; without this the base model would be used until Sunday.
  const isUnusable = result.assets.some((made) => made.outcome === 'made' && made.artefactProblems.length > 0)
  if (ctx.config.forecasts.training && isUnusable) await ctx.queue.send(trainForecasts, { again: true })
}

/** What to request of the models; not what they rejected for lack of history, while that history is unchanged. */
async function asked(
  ctx: Context,
  due: readonly ForecastAsset[],
  { versions, synthetic }: LoadedVersions,
): Promise<IssueTask['assets']> {
  const { sql } = ctx.database
  const assets: IssueTask['assets'] = []
  for (const asset of due) {
    if (await isRefused(sql, asset, versions[asset].length)) continue
    assets.push({ asset, ...(await activeModel(ctx, asset, synthetic)) })
  }
  return assets
}
