/**
 * Forecasts for subjects whose prices have ended, such as an imported history: from the last market day, as they would have been issued
 * then. Their days may have passed, so they are a replay and never enter the ledger.
 */

import { usualIssueTime, zoneOf } from '../../src/market/forecast-scope.ts'
import { marketDayOf, startOfMarketDay } from '../../src/market/market-day.ts'
import { isBefore } from '../../src/market/time-order.ts'
import type { Context } from '../../src/service/context.ts'
import { saveQuarterShape } from '../../src/store/forecast-ledger.ts'
import { findActiveModel } from '../../src/store/forecast-models.ts'
import { lastReplayFrom, saveReplay } from '../../src/store/forecast-replays.ts'
import { requestOf } from './active-model.ts'
import { backfillAccuracy, type Run } from './backfill-accuracy.ts'
import { type EndedSubject, HOURS_OF_PUN } from './due-forecasts.ts'
import { inputsAt, loadVersions } from './load-versions.ts'
import { newReplay } from './replay.ts'
import { runModels } from './run-models.ts'
import type { IssueResult } from './task.ts'

export async function replayEnded(ctx: Context, ended: readonly EndedSubject[], { now, signal }: Run): Promise<void> {
  const due = await withoutReplay(ctx, ended)
  if (due.length === 0) return
  const loaded = await loadVersions(ctx.database.sql, marketDayOf(now))
  const { synthetic } = loaded
  // A training replays the days of an asset itself.
  const backfilled = due.filter(({ subject }) => zoneOf(subject) || synthetic || !ctx.config.forecasts.training)
  await backfillAccuracy(ctx, subjectsOf(backfilled), loaded, { now, signal })
  for (const [asOfMs, some] of Map.groupBy(due, (one) => asOf(one).epochMilliseconds)) {
    const subjects = subjectsOf(some)
    const inputs = await inputsAt(ctx.database.sql, Temporal.Instant.fromEpochMilliseconds(asOfMs), subjects, loaded)
    const requests = []
    for (const subject of subjects) requests.push(await requestOf(ctx, subject, synthetic))
    await saveReplayed(ctx, await runModels({ kind: 'issue', ...inputs, requests }, { signal }), synthetic, now)
  }
}

/** Returns the subjects not replayed since their model was selected; the PUN's days and hours together, so that they agree. */
async function withoutReplay({ database: { sql } }: Context, ended: readonly EndedSubject[]): Promise<EndedSubject[]> {
  const due = new Set<EndedSubject>()
  for (const one of ended) {
    const { subject, synthetic } = one
    const made = await lastReplayFrom(sql, { asset: subject, synthetic, infoDate: one.lastDay.toString() })
    const active = await findActiveModel(sql, subject, synthetic)
    if (made === undefined || (active !== undefined && !isBefore(active.decidedAt, made))) due.add(one)
  }
  const isPunDue = [...due].some(isPun)
  return ended.filter((one) => due.has(one) || (isPunDue && isPun(one)))
}

function isPun({ subject }: EndedSubject): boolean {
  return subject === 'PUN' || subject === HOURS_OF_PUN
}

function subjectsOf(ended: readonly EndedSubject[]) {
  return ended.map(({ subject }) => subject)
}

/** Returns when it would have been issued: power in the evening before the last day, gas once that day's price was known. */
function asOf({ subject, lastDay }: EndedSubject): Temporal.Instant {
  const isGas = subject === 'PSV' || subject === 'TTF'
  return isGas ? startOfMarketDay(lastDay.add({ days: 1 })) : usualIssueTime('evening', lastDay)
}

async function saveReplayed(
  { database: { sql } }: Context,
  { issues }: IssueResult,
  synthetic: boolean,
  madeAt: Temporal.Instant,
): Promise<void> {
  for (const made of issues) {
    if (made.outcome !== 'made') continue
    const { subject, forecasts, quarterShape: shape } = made
    const replay = newReplay(subject, { synthetic, purpose: 'accuracy', madeAt, forecasts })
    await saveReplay(sql, replay, { extend: true })
    const zone = zoneOf(subject)
    if (zone !== undefined && shape !== undefined) await saveQuarterShape(sql, { zone, synthetic, shape }, madeAt)
  }
}
