/** Saves the models' forecasts to the ledgers, or the reasons why there are none: all of an issue or nothing. */

import type { ForecastChain } from '../../src/api/contract/forecasts.ts'
import { type ForecastSubject, hoursOf, issueKindAt, zoneOf } from '../../src/market/forecast-scope.ts'
import { forecastArtefactUnusable, forecastsIssued, hoursIssued } from '../../src/platform/events.ts'
import type { Context } from '../../src/service/context.ts'
import type { Transaction } from '../../src/store/database.ts'
import { issueForecasts, recordStatus, saveQuarterShape } from '../../src/store/forecast-ledger.ts'
import type { LoadedVersions } from './load-versions.ts'
import type { AssetIssue, HourlyInputs, IssueResult, MadeForecast, ZoneIssue } from './task.ts'

type Made<Issue> = Extract<Issue, { outcome: 'made' }>

export async function saveIssue(
  ctx: Context,
  result: IssueResult,
  { versions, synthetic }: LoadedVersions,
  hours: HourlyInputs,
): Promise<void> {
  const issuedAt = ctx.clock.now()
  const chain: ForecastChain = synthetic ? 'sample' : 'issued'
  const daysOf = ({ zone }: ZoneIssue) => (hours.versions[zone] ?? versions.PUN).length
  const logged: (() => void)[] = []
  await ctx.database.sql.begin(async (tx: Transaction) => {
    const saving = { ctx, tx, chain, issuedAt }
    for (const made of result.assets) {
      if (made.outcome === 'made') logged.push(await saveDays(saving, made))
      else await saveRejection(saving, made.asset, made.reason, versions[made.asset].length)
    }
    for (const made of result.zones) {
      if (made.outcome === 'made') logged.push(await saveHours(saving, made))
      else await saveRejection(saving, hoursOf(made.zone), made.reason, daysOf(made))
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

/** Returns what to log once it is saved. */
async function saveDays({ ctx, tx, chain, issuedAt }: Saving, made: Made<AssetIssue>): Promise<() => void> {
  const { asset, infoDate, inputsSha256, forecasts, artefactProblems } = made
  const count = await issueForecasts(tx, { chain, subject: asset, issuedAt, infoDate, inputsSha256, forecasts })
  await recordIssued(tx, asset, infoDate, issuedAt)
  return () => {
    for (const problem of artefactProblems) forecastArtefactUnusable(ctx.log, { asset, problem })
    const { model } = forecasts[0] as MadeForecast
    if (count > 0) forecastsIssued(ctx.log, { asset, model, chain, infoDate, count })
  }
}

async function saveHours({ ctx, tx, chain, issuedAt }: Saving, made: Made<ZoneIssue>): Promise<() => void> {
  const { zone, infoDate, inputsSha256, forecasts, quarterShape, artefactProblems } = made
  const issue = issueKindAt(issuedAt, Temporal.PlainDate.from(infoDate))
  const days = forecasts.map(({ mean: _, ...day }) => day)
  const subject = hoursOf(zone)
  const issued = { chain, subject, issue, issuedAt, infoDate, inputsSha256, forecasts: days }
  const count = await issueForecasts(tx, issued)
  if (quarterShape !== undefined)
    await saveQuarterShape(tx, { zone, synthetic: chain === 'sample', shape: quarterShape }, issuedAt)
  await recordIssued(tx, subject, infoDate, issuedAt)
  const { model, inputs } = forecasts[0] as (typeof forecasts)[number]
  return () => {
    for (const problem of artefactProblems) forecastArtefactUnusable(ctx.log, { asset: subject, problem })
    if (count > 0) hoursIssued(ctx.log, { zone, issue, model, inputs, chain, infoDate, count })
  }
}

function recordIssued(
  tx: Transaction,
  subject: ForecastSubject,
  infoDate: string,
  at: Temporal.Instant,
): Promise<void> {
  return recordStatus(tx, { subject, outcome: 'issued', detail: `Issued from ${infoDate}.`, daysKnown: 0 }, at)
}

function saveRejection(
  { tx, issuedAt }: Saving,
  subject: ForecastSubject,
  reason: string,
  daysKnown: number,
): Promise<void> {
  const zone = zoneOf(subject)
  const what = zone === undefined ? `forecast of ${subject}` : `hourly forecast of ${zone}`
  const detail = `There is no ${what}: ${reason}.`
  return recordStatus(tx, { subject, outcome: 'too_little_history', detail, daysKnown }, issuedAt)
}
