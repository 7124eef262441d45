/**
 * What the forecast pages show for as long as little is scored: a replay of the last half-year by the models that need no training, stored apart
 * from issued forecasts. It ends the day before the first forecast that was issued, and is continued where it ends earlier.
 */
import type { ForecastAsset } from '../../src/api/contract/forecasts.ts'
import { type ForecastSubject, hoursOf } from '../../src/market/forecast-scope.ts'
import { isBefore, laterOf } from '../../src/market/time-order.ts'
import { NATIONAL_ZONE } from '../../src/market/zones.ts'
import type { Context } from '../../src/service/context.ts'
import { firstIssuedFrom } from '../../src/store/forecast-ledger.ts'
import { accuracyReplayEnd, saveReplay } from '../../src/store/forecast-replays.ts'
import { codeVersion } from './code-version.ts'
import type { LoadedVersions } from './load-versions.ts'
import { replayed } from './replayed.ts'
import { runModels } from './run-models.ts'
import type { MadeForecast } from './task.ts'

/** Days of issue: six whole months. */
const DAYS = 190
/** Of the last of them the curve is kept too, this far. */
const CURVES = 60
const CURVE_DAYS = 30
export const BASE_MODEL = 'base'
const BASE_HOURLY_MODEL = 'same-hour'

export interface Run {
  now: Temporal.Instant
  signal: AbortSignal
}

/** Replays the days of each asset that no replay and no issued forecast covers; after the first run there is nothing to do. */
export async function backfillAccuracy(
  ctx: Context,
  assets: readonly ForecastAsset[],
  loaded: LoadedVersions,
  { now, signal }: Run,
): Promise<void> {
  const { versions, holidays, synthetic } = loaded
  for (const asset of assets) {
    const span = await spanOf(ctx, asset, asset, loaded)
    if (span === undefined) continue
    const { forecasts } = await runModels(
      { kind: 'replay', asset, ...span, model: BASE_MODEL, versions, holidays, nowMs: now.epochMilliseconds },
      { signal },
    )
    await saveReplay(
      ctx.database.sql,
      {
        ...{ asset, synthetic, purpose: 'accuracy', codeVersion: codeVersion(), madeAt: now },
        forecasts: forecasts.filter(keptOf(forecasts, span.to)).map(replayed),
      },
      { extend: true },
    )
  }
}

/** The same of the hours of the PUN: the next day of each. */
export async function backfillHourlyAccuracy(
  ctx: Context,
  loaded: LoadedVersions,
  { now, signal }: Run,
): Promise<void> {
  const { versions, holidays, synthetic } = loaded
  const span = await spanOf(ctx, hoursOf(NATIONAL_ZONE), 'PUN', loaded)
  if (span === undefined) return
  const { forecasts } = await runModels(
    {
      kind: 'replay-hours',
      zone: NATIONAL_ZONE,
      issue: 'evening',
      inputs: 'prices-only',
      ...span,
      model: BASE_HOURLY_MODEL,
      hours: { versions: {}, fundamentals: [] },
      versions,
      holidays,
      nowMs: now.epochMilliseconds,
    },
    { signal },
  )
  await saveReplay(ctx.database.sql, {
    ...{
      asset: hoursOf(NATIONAL_ZONE),
      synthetic,
      issue: 'evening',
      purpose: 'accuracy',
      codeVersion: codeVersion(),
      madeAt: now,
    },
    forecasts: forecasts
      .filter(({ infoDate, targetDate, actual }) => actual !== undefined && isNextDay(infoDate, targetDate))
      .map(({ issuedAtMs, ...day }) => ({ ...day, issuedAt: Temporal.Instant.fromEpochMilliseconds(issuedAtMs) })),
  })
}

/** The days to replay, both included; undefined where there is none. */
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

/** The next day of each issue, once its price is known, and the curves of the last issues. */
function keptOf(forecasts: readonly MadeForecast[], to: string): (made: MadeForecast, i: number) => boolean {
  const curvesFrom = Temporal.PlainDate.from(to).subtract({ days: CURVES }).toString()
  return ({ infoDate, role, actual, horizonDays }, i) => {
    const isNext = forecasts[i - 1]?.infoDate !== infoDate || forecasts[i - 1]?.role !== role
    if (isNext && actual !== undefined) return true
    return role === 'published' && infoDate > curvesFrom && horizonDays <= CURVE_DAYS
  }
}

function isNextDay(infoDate: string, targetDate: string): boolean {
  return Temporal.PlainDate.from(infoDate).add({ days: 1 }).toString() === targetDate
}
