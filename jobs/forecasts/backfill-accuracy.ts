/**
 * Provides accuracy for the forecast pages until enough forecasts are scored: a replay of the last half-year by models that need no
 * training, stored apart from issued forecasts. It ends the day before the first issued forecast, and is extended if it ends earlier.
 */
import type { ForecastAsset } from '../../src/api/contract/forecasts.ts'
import { type ForecastSubject, hoursOf, zoneOf } from '../../src/market/forecast-scope.ts'
import { isBefore, laterOf } from '../../src/market/time-order.ts'
import { NATIONAL_ZONE } from '../../src/market/zones.ts'
import type { Context } from '../../src/service/context.ts'
import { firstIssuedFrom } from '../../src/store/forecast-ledger.ts'
import { accuracyReplayEnd, saveReplay } from '../../src/store/forecast-replays.ts'
import type { LoadedVersions } from './load-versions.ts'
import { newReplay } from './replay.ts'
import { runModels } from './run-models.ts'
import { type MadeDay, plainModels } from './task.ts'

/** Days of issue, enough for six whole months. */
const DAYS = 190
/** Number of the last days of issue whose curve of `CURVE_DAYS` days is stored. */
const CURVES = 60
const CURVE_DAYS = 30
const NO_HOURS = { versions: {}, fundamentals: [] }

export interface Run {
  now: Temporal.Instant
  signal: AbortSignal
}

/**
 * Replays the days of each asset and of the PUN's hours that neither a replay nor an issued forecast covers; after the first run there is
 * nothing to do.
 */
export async function backfillAccuracy(
  ctx: Context,
  subjects: readonly ForecastSubject[],
  loaded: LoadedVersions,
  { now, signal }: Run,
): Promise<void> {
  const { versions, holidays, synthetic } = loaded
  for (const subject of subjects) {
    const isHourly = subject === hoursOf(NATIONAL_ZONE)
    if (zoneOf(subject) !== undefined && !isHourly) continue
    const asset = isHourly ? 'PUN' : (subject as ForecastAsset)
    const span = await spanOf(ctx, subject, asset, loaded)
    if (span === undefined) continue
    const task = { kind: 'replay' as const, subject, ...span, model: plainModels(subject).base }
    const inputs = { versions, holidays, nowMs: now.epochMilliseconds, hours: NO_HOURS }
    const { forecasts } = await runModels({ ...task, ...inputs }, { signal })
    const kept = forecasts.filter(isKept(forecasts, span.to, isHourly ? 0 : CURVES))
    const replay = newReplay(subject, { synthetic, purpose: 'accuracy', madeAt: now, forecasts: kept })
    await saveReplay(ctx.database.sql, replay, { extend: true })
  }
}

/** Returns the first and last day to replay; undefined if there are none. */
async function spanOf(
  ctx: Context,
  subject: ForecastSubject,
  asset: ForecastAsset,
  { versions, synthetic }: LoadedVersions,
) {
  const { sql } = ctx.database
  const known = versions[asset].at(-1)?.day
  if (known === undefined) return undefined
  const issued = await firstIssuedFrom(sql, synthetic ? 'sample' : 'issued', asset)
  const last = Temporal.PlainDate.from(known)
  const to = issued === undefined || issued > known ? last : Temporal.PlainDate.from(issued).subtract({ days: 1 })
  const done = await accuracyReplayEnd(sql, subject, synthetic)
  const earliest = last.subtract({ days: DAYS })
  const next = done === undefined ? earliest : Temporal.PlainDate.from(done).add({ days: 1 })
  const from = laterOf(next, earliest)
  return isBefore(to, from) ? undefined : { from: from.toString(), to: to.toString() }
}

/** Keeps the next day of each issue, if its price is known, and the curves of the last issues. */
function isKept(forecasts: readonly MadeDay[], to: string, curves: number): (made: MadeDay, i: number) => boolean {
  const curvesFrom = Temporal.PlainDate.from(to).subtract({ days: curves }).toString()
  return ({ infoDate, role, actual, horizonDays }, i) => {
    const isNext = forecasts[i - 1]?.infoDate !== infoDate || forecasts[i - 1]?.role !== role
    if (isNext && actual !== undefined) return true
    return role === 'published' && infoDate > curvesFrom && horizonDays <= CURVE_DAYS
  }
}
