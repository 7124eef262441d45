/** Saves the models' forecasts to the ledger, or the reason why there are none. */

import type { ForecastChain } from '../../src/api/contract/forecasts.ts'
import { forecastArtefactUnusable, forecastsIssued } from '../../src/platform/events.ts'
import type { Context } from '../../src/service/context.ts'
import { issueForecasts, recordStatus } from '../../src/store/forecast-ledger.ts'
import type { AssetIssue, MadeForecast, Rejection } from './task.ts'

export async function saveIssue(ctx: Context, made: AssetIssue, chain: ForecastChain): Promise<void> {
  const { asset, infoDate, inputsSha256, forecasts, artefactProblems } = made
  const { sql } = ctx.database
  const issuedAt = ctx.clock.now()
  for (const problem of artefactProblems) forecastArtefactUnusable(ctx.log, { asset, problem })
  const count = await issueForecasts(sql, { chain, asset, issuedAt, infoDate, inputsSha256, forecasts })
  const detail = `Issued from ${infoDate}.`
  await recordStatus(sql, { asset, outcome: 'issued', detail, daysKnown: 0 }, issuedAt)
  const { model } = forecasts[0] as MadeForecast
  if (count > 0) forecastsIssued(ctx.log, { asset, model, chain, infoDate, count })
}

export async function saveRejection(ctx: Context, { asset, reason }: Rejection, daysKnown: number): Promise<void> {
  const detail = `There is no forecast of ${asset}: ${reason}.`
  await recordStatus(ctx.database.sql, { asset, outcome: 'too_little_history', detail, daysKnown }, ctx.clock.now())
}
