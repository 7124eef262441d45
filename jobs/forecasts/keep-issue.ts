/** Enters what the models said into the ledger, or keeps why they said nothing. */
import type { Context } from '../../src/context.ts'
import type { ForecastChain } from '../../src/contract/forecasts.ts'
import { forecastArtefactUnusable, forecastsIssued } from '../../src/events.ts'
import { issueForecasts, recordStatus } from '../../src/store/forecast-ledger.ts'
import { keepReplay } from '../../src/store/forecast-models.ts'
import { codeVersion } from './code-version.ts'
import { replayed } from './replayed.ts'
import type { AssetIssue, MadeForecast, Refusal } from './task.ts'

export async function keepIssue(ctx: Context, made: AssetIssue, chain: ForecastChain): Promise<void> {
  const { asset, infoDate, inputsSha256, forecasts, replay, artefactProblem } = made
  const { sql } = ctx.database
  const issuedAt = ctx.clock.now()
  if (artefactProblem !== undefined) forecastArtefactUnusable(ctx.log, { asset, problem: artefactProblem })
  const count = await issueForecasts(sql, { chain, asset, issuedAt, infoDate, inputsSha256, forecasts })
  if (replay.length > 0)
    await keepReplay(sql, {
      asset,
      synthetic: chain === 'sample',
      purpose: 'accuracy',
      codeVersion: codeVersion(),
      madeAt: issuedAt,
      forecasts: replay.map(replayed),
    })
  const detail = `Issued from ${infoDate}.`
  await recordStatus(sql, { asset, outcome: 'issued', detail, daysKnown: 0 }, issuedAt)
  const { model } = forecasts[0] as MadeForecast
  if (count > 0) forecastsIssued(ctx.log, { asset, model, chain, infoDate, count })
}

export async function keepRefusal(ctx: Context, { asset, reason }: Refusal, daysKnown: number): Promise<void> {
  const detail = `There is no forecast of ${asset}: ${reason}.`
  await recordStatus(ctx.database.sql, { asset, outcome: 'too_little_history', detail, daysKnown }, ctx.clock.now())
}
