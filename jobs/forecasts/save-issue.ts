/** Saves the models' forecasts to the ledgers, or the reasons why there are none; an issue is saved as a whole or not at all. */

import type { ForecastChain } from '../../src/api/contract/forecasts.ts'
import { issueKindAt, zoneOf } from '../../src/market/forecast-scope.ts'
import { forecastArtefactUnusable, forecastsIssued } from '../../src/platform/events.ts'
import type { Context } from '../../src/service/context.ts'
import type { Transaction } from '../../src/store/database.ts'
import { issueForecasts, recordStatus, saveQuarterShape } from '../../src/store/forecast-ledger.ts'
import { type Inputs, type IssueResult, type MadeHours, ownVersions, type SubjectIssue } from './task.ts'

export async function saveIssue(
  ctx: Context,
  { issues }: IssueResult,
  inputs: Inputs,
  synthetic: boolean,
): Promise<void> {
  const issuedAt = ctx.clock.now()
  const chain: ForecastChain = synthetic ? 'sample' : 'issued'
  const logged: (() => void)[] = []
  await ctx.database.sql.begin(async (tx: Transaction) => {
    for (const made of issues) {
      const { subject } = made
      if (made.outcome === 'made') {
        logged.push(await saveForecasts({ ctx, tx, chain, issuedAt }, made))
        const detail = `Issued from ${made.infoDate}.`
        await recordStatus(tx, { subject, outcome: 'issued', detail, daysKnown: 0 }, issuedAt)
      } else {
        const zone = zoneOf(subject)
        const what = zone === undefined ? `forecast of ${subject}` : `hourly forecast of ${zone}`
        const detail = `There is no ${what}: ${made.reason}.`
        const daysKnown = ownVersions(inputs, subject).length
        await recordStatus(tx, { subject, outcome: 'too_little_history', detail, daysKnown }, issuedAt)
      }
    }
  })
  for (const log of logged) log()
}

interface Saving {
  ctx: Context
  tx: Transaction
  chain: ForecastChain
  issuedAt: Temporal.Instant
}

/** Returns a function that logs the result, to be called after the commit. */
async function saveForecasts(
  { ctx, tx, chain, issuedAt }: Saving,
  { subject, quarterShape, ...made }: Extract<SubjectIssue, { outcome: 'made' }>,
): Promise<() => void> {
  const { infoDate, inputsSha256, artefactProblems, forecasts } = made
  const zone = zoneOf(subject)
  const issue = zone && issueKindAt(issuedAt, Temporal.PlainDate.from(infoDate))
  const count = await issueForecasts(tx, { chain, subject, issue, issuedAt, infoDate, inputsSha256, forecasts })
  if (zone !== undefined && quarterShape !== undefined)
    await saveQuarterShape(tx, { zone, synthetic: chain === 'sample', shape: quarterShape }, issuedAt)
  const { model, inputs } = forecasts[0] as MadeHours
  return () => {
    for (const problem of artefactProblems) forecastArtefactUnusable(ctx.log, { asset: subject, problem })
    if (count > 0)
      forecastsIssued(ctx.log, { asset: subject, model, chain, infoDate, count, ...(zone && { issue, inputs }) })
  }
}
