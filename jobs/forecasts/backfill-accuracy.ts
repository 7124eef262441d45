/** Accuracy figures for as long as nothing is scored: a replay of the last days by the base model, stored apart from issued forecasts. */

import type { ForecastAsset } from '../../src/api/contract/forecasts.ts'
import type { Context } from '../../src/service/context.ts'
import { hasAccuracyReplay, saveReplay } from '../../src/store/forecast-models.ts'
import { codeVersion } from './code-version.ts'
import type { LoadedVersions } from './load-versions.ts'
import { replayed } from './replayed.ts'
import { runModels } from './run-models.ts'

/** Calendar days that hold 30 trading days, with some to spare. */
const DAYS = 50
const BASE_MODEL = 'base'

/** Replays each asset that has no such replay; after the first run there is nothing to do. */
export async function backfillAccuracy(
  ctx: Context,
  assets: readonly ForecastAsset[],
  { versions, holidays, synthetic }: LoadedVersions,
  { now, signal }: { now: Temporal.Instant; signal: AbortSignal },
): Promise<void> {
  const { sql } = ctx.database
  for (const asset of assets) {
    const last = versions[asset].at(-1)?.day
    if (last === undefined || (await hasAccuracyReplay(sql, asset, synthetic))) continue
    const from = Temporal.PlainDate.from(last).subtract({ days: DAYS }).toString()
    const { forecasts } = await runModels(
      { kind: 'replay', asset, from, to: last, model: BASE_MODEL, versions, holidays, nowMs: now.epochMilliseconds },
      { signal },
    )
    const nextDays = forecasts.filter(
      ({ infoDate, role, actual }, i) =>
        actual !== undefined && (forecasts[i - 1]?.infoDate !== infoDate || forecasts[i - 1]?.role !== role),
    )
    await saveReplay(sql, {
      asset,
      synthetic,
      purpose: 'accuracy',
      codeVersion: codeVersion(),
      madeAt: now,
      forecasts: nextDays.map(replayed),
    })
  }
}
