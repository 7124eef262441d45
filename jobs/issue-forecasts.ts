/**
 * Scores forecasts whose prices have become known. Issues forecasts for each asset and each zone's hours that have none from their last
 * price yet: after the day-ahead result of D for D+1 on; in the evening, once the gas prices that the models use are in; for power, before
 * the next auction; and after a training has changed the active model. Published days are never forecast. Requests a training once there
 * are many more prices than at the last one. If prices have ended, replays the days after them. Models run in a separate process; their
 * forecasts are stored in one transaction, so a kill leaves all of an issue or nothing.
 */
import { FORECAST_ASSETS } from '../src/api/contract/forecasts.ts'
import { saveLedgerHeads } from '../src/delivery/bulk/ledger-heads.ts'
import type { ForecastSubject } from '../src/market/forecast-scope.ts'
import { marketDayOf } from '../src/market/market-day.ts'
import type { Context } from '../src/service/context.ts'
import { job } from '../src/service/job.ts'
import { isStillRejected, scoreForecasts } from '../src/store/forecast-ledger.ts'
import { requestOf } from './forecasts/active-model.ts'
import { backfillAccuracy } from './forecasts/backfill-accuracy.ts'
import { findDueForecasts } from './forecasts/due-forecasts.ts'
import { ISSUE_QUEUE } from './forecasts/issue-queue.ts'
import { inputsAt, loadVersions } from './forecasts/load-versions.ts'
import { replayEnded } from './forecasts/replay-ended.ts'
import { runModels } from './forecasts/run-models.ts'
import { saveIssue } from './forecasts/save-issue.ts'
import { ownVersions } from './forecasts/task.ts'
import { isTrainingDue } from './forecasts/training-inputs.ts'
import { watchDrift } from './forecasts/watch-drift.ts'
import { planExports } from './plan-exports.ts'
import { trainForecasts } from './train-forecasts.ts'

/** Raised by `hold_sample_data`. */
const NOT_IN_PREREQUISITE_STATE = '55000'

export const issueForecasts = job({
  ...ISSUE_QUEUE,
  async run({ ctx, signal }) {
    const now = ctx.clock.now()
    const { sql } = ctx.database
    for (const asset of FORECAST_ASSETS) await scoreForecasts(sql, asset, now)
    await scoreForecasts(sql, 'hours', now)
    const due = await findDueForecasts(ctx, now)
    if (due.subjects.length > 0) {
      await issue(ctx, due.subjects, now, signal).catch((err: unknown) => throwUnlessSampleEnded(ctx, err))
    } else await keepHeads(ctx, signal) // a store that did not answer before may do so now
    if (ctx.config.forecasts.training) {
      if (await watchDrift(ctx, now)) await ctx.queue.send(trainForecasts, { again: true })
      else if (await isTrainingDue(sql, marketDayOf(now))) await ctx.queue.send(trainForecasts, { again: false })
    }
    await replayEnded(ctx, due.ended, { now, signal })
    await ctx.dataVersion.refresh()
    await ctx.queue.send(planExports, { missing: true }) // these may be the first forecasts
  },
})

async function issue(ctx: Context, due: readonly ForecastSubject[], now: Temporal.Instant, signal: AbortSignal) {
  const { sql } = ctx.database
  const loaded = await loadVersions(sql, marketDayOf(now))
  const inputs = await inputsAt(sql, now, due, loaded)
  const requests = []
  for (const subject of due) {
    // Skip subjects that the models rejected for lack of history, while that history is unchanged.
    if (await isStillRejected(sql, subject, ownVersions(inputs, subject).length)) continue
    requests.push(await requestOf(ctx, subject, loaded.synthetic))
  }
  if (requests.length === 0) return
  const result = await runModels({ kind: 'issue', ...inputs, requests }, { signal })
  await saveIssue(ctx, result, inputs, loaded.synthetic)
  await keepHeads(ctx, signal)
  await backfillAccuracy(ctx, due, loaded, { now, signal })
  // After a version change no stored artefact is usable; without this the base model would be used until Sunday.
  const isUnusable = result.issues.some((made) => made.outcome === 'made' && made.artefactProblems.length > 0)
  if (ctx.config.forecasts.training && isUnusable) await ctx.queue.send(trainForecasts, { again: true })
}

function keepHeads({ database: { sql }, files: store, config, log }: Context, signal: AbortSignal): Promise<void> {
  return saveLedgerHeads({ sql, store, folder: config.bulk.folder, log, signal })
}

/** The database refuses sample forecasts if a publisher's first price was stored meanwhile; its refresh queues the next issue. */
export async function throwUnlessSampleEnded({ sampleData, log }: Context, err: unknown): Promise<void> {
  const isRefused = err instanceof Error && 'code' in err && err.code === NOT_IN_PREREQUISITE_STATE
  if (!isRefused || (await sampleData.end()) === undefined) throw err
  log.info('a publisher has delivered: the forecasts of sample data are not stored')
}
