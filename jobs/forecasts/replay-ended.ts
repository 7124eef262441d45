/**
 * Forecasts where prices have ended, such as those of an imported history: from the last market day, as they would have been made then. Their days
 * may have passed, so they are a replay and never enter the ledger.
 */

import { marketDayOf } from '../../src/market/market-day.ts'
import type { Context } from '../../src/service/context.ts'
import { hasReplayFrom, saveReplay } from '../../src/store/forecast-models.ts'
import { activeModel } from './active-model.ts'
import { BASE_MODEL, backfillAccuracy, type Run } from './backfill-accuracy.ts'
import { codeVersion } from './code-version.ts'
import { loadVersions } from './load-versions.ts'
import { replayed } from './replayed.ts'
import { runModels } from './run-models.ts'
import type { EndedAsset } from './what-is-due.ts'

export async function replayEnded(ctx: Context, ended: readonly EndedAsset[], { now, signal }: Run): Promise<void> {
  const { sql } = ctx.database
  const loaded = await loadVersions(sql, marketDayOf(now))
  const { versions, holidays, synthetic } = loaded
  for (const { asset, lastDay } of ended) {
    const from = lastDay.toString()
    const active = await activeModel(ctx, asset, synthetic)
    const model = active.model ?? BASE_MODEL
    if (await hasReplayFrom(sql, { asset, synthetic, infoDate: from, model })) continue
    await backfillAccuracy(ctx, [asset], loaded, { now, signal })
    const prices = { versions, holidays, nowMs: now.epochMilliseconds }
    const { forecasts } = await runModels(
      { kind: 'replay', asset, from, to: from, model, artefacts: active.artefacts, ...prices },
      { signal },
    )
    const replay = { asset, synthetic, purpose: 'accuracy' as const, codeVersion: codeVersion(), madeAt: now }
    await saveReplay(sql, { ...replay, forecasts: forecasts.map(replayed) }, { extend: true })
  }
}
