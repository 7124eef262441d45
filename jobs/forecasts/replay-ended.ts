/**
 * Forecasts where prices have ended, such as those of an imported history: from the last market day, as they would have been issued then. Their
 * days may have passed, so they are a replay and never enter the ledger.
 */

import { HOURLY_LOOK_BACK_DAYS, hoursOf, issueAt } from '../../src/market/forecast-scope.ts'
import { marketDayOf, startOfMarketDay } from '../../src/market/market-day.ts'
import { isBefore } from '../../src/market/time-order.ts'
import { NATIONAL_ZONE } from '../../src/market/zones.ts'
import type { Context } from '../../src/service/context.ts'
import { saveQuarterShape } from '../../src/store/forecast-ledger.ts'
import { findActiveModel } from '../../src/store/forecast-models.ts'
import { lastReplayFrom, saveReplay } from '../../src/store/forecast-replays.ts'
import { activeModel } from './active-model.ts'
import { backfillAccuracy, backfillHourlyAccuracy, type Run } from './backfill-accuracy.ts'
import { codeVersion } from './code-version.ts'
import { type LoadedVersions, loadHours, loadVersions } from './load-versions.ts'
import { replayed } from './replayed.ts'
import { runModels } from './run-models.ts'
import type { IssueResult } from './task.ts'
import { type Ended, subjectOf } from './what-is-due.ts'

export async function replayEnded(ctx: Context, ended: readonly Ended[], { now, signal }: Run): Promise<void> {
  const due = await withoutReplay(ctx, ended)
  if (due.length === 0) return
  const loaded = await loadVersions(ctx.database.sql, marketDayOf(now))
  // A training replays the days of an asset itself.
  if (!ctx.config.forecasts.training || loaded.synthetic)
    await backfillAccuracy(ctx, due.flatMap(assetOf), loaded, { now, signal })
  if (due.some(isPun)) await backfillHourlyAccuracy(ctx, loaded, { now, signal })
  for (const [asOfMs, subjects] of Map.groupBy(due, (one) => asOf(one).epochMilliseconds)) {
    const task = await issueTask(ctx, subjects, loaded, Temporal.Instant.fromEpochMilliseconds(asOfMs))
    await saveReplayed(ctx, await runModels(task, { signal }), loaded, { asOfMs, now })
  }
}

/** Those not replayed since their model was selected; the PUN's days and hours together, so that they agree. */
async function withoutReplay({ database: { sql } }: Context, ended: readonly Ended[]): Promise<Ended[]> {
  const due = new Set<Ended>()
  for (const one of ended) {
    const subject = { asset: subjectOf(one), synthetic: one.synthetic }
    const made = await lastReplayFrom(sql, { ...subject, infoDate: one.lastDay.toString() })
    const active = await findActiveModel(sql, subject.asset, subject.synthetic)
    if (made === undefined || (active !== undefined && !isBefore(active.decidedAt, made))) due.add(one)
  }
  const isPunDue = [...due].some(isPun)
  return ended.filter((one) => due.has(one) || (isPunDue && isPun(one)))
}

function isPun(one: Ended): boolean {
  return 'zone' in one ? one.zone === NATIONAL_ZONE : one.asset === 'PUN'
}

function assetOf(one: Ended) {
  return 'asset' in one ? [one.asset] : []
}

/** When it would have been issued: power in the evening before the last day, gas once that day's price was known. */
function asOf(one: Ended): Temporal.Instant {
  const isPower = 'zone' in one || one.asset === 'PUN'
  return isPower ? issueAt('evening', one.lastDay) : startOfMarketDay(one.lastDay.add({ days: 1 }))
}

async function issueTask(
  ctx: Context,
  subjects: readonly Ended[],
  { versions, holidays, synthetic }: LoadedVersions,
  at: Temporal.Instant,
) {
  const assets = []
  const zones = []
  for (const one of subjects) {
    const active = await activeModel(ctx, subjectOf(one), synthetic)
    if ('asset' in one) assets.push({ asset: one.asset, ...active })
    else zones.push({ zone: one.zone, artefacts: active.artefacts })
  }
  const from = marketDayOf(at).subtract({ days: HOURLY_LOOK_BACK_DAYS })
  const inputs = await loadHours(
    ctx.database.sql,
    zones.map(({ zone }) => zone),
    from,
    synthetic,
  )
  const prices = { versions, holidays, nowMs: at.epochMilliseconds }
  return { kind: 'issue' as const, ...prices, assets, hours: { ...inputs, zones } }
}

async function saveReplayed(
  { database: { sql } }: Context,
  { assets, zones }: IssueResult,
  { synthetic }: LoadedVersions,
  { asOfMs, now }: { asOfMs: number; now: Temporal.Instant },
): Promise<void> {
  const replay = { synthetic, purpose: 'accuracy' as const, codeVersion: codeVersion(), madeAt: now }
  for (const made of assets) {
    if (made.outcome !== 'made') continue
    await saveReplay(sql, { ...replay, asset: made.asset, forecasts: made.forecasts.map(replayed) }, { extend: true })
  }
  const issuedAt = Temporal.Instant.fromEpochMilliseconds(asOfMs)
  for (const made of zones) {
    if (made.outcome !== 'made') continue
    const { zone, infoDate, forecasts, quarterShape } = made
    const days = forecasts.map(({ mean: _, ...day }) => ({ ...day, infoDate, issuedAt }))
    await saveReplay(sql, { ...replay, asset: hoursOf(zone), issue: 'evening', forecasts: days })
    if (quarterShape !== undefined) await saveQuarterShape(sql, { zone, synthetic, shape: quarterShape }, now)
  }
}
