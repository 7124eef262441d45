/** Saves the models' forecasts to the ledgers, or the reasons why there are none: all of an issue or nothing. */

import type { ForecastChain } from '../../src/api/contract/forecasts.ts'
import { issueKindAt } from '../../src/market/forecast-scope.ts'
import { forecastArtefactUnusable, forecastsIssued, hoursIssued } from '../../src/platform/events.ts'
import type { Context } from '../../src/service/context.ts'
import type { Transaction } from '../../src/store/database.ts'
import { issueForecasts, recordStatus } from '../../src/store/forecast-ledger.ts'
import { issueHourlyForecasts, recordHourlyStatus, saveQuarterShape } from '../../src/store/hourly-ledger.ts'
import type { LoadedVersions } from './load-versions.ts'
import type { AssetIssue, HourlyInputs, IssueResult, MadeForecast, ZoneIssue } from './task.ts'

type Made<Issue> = Extract<Issue, { outcome: 'made' }>
type Rejected<Issue> = Extract<Issue, { outcome: 'rejected' }>

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
      else await saveRejection(saving, made, versions[made.asset].length)
    }
    for (const made of result.zones) {
      if (made.outcome === 'made') logged.push(await saveHours(saving, made))
      else await saveZoneRejection(saving, made, daysOf(made))
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
  const count = await issueForecasts(tx, { chain, asset, issuedAt, infoDate, inputsSha256, forecasts })
  await recordStatus(tx, { asset, outcome: 'issued', detail: `Issued from ${infoDate}.`, daysKnown: 0 }, issuedAt)
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
  const issued = { chain, zone, issue, issuedAt, infoDate, inputsSha256, forecasts: days }
  const count = await issueHourlyForecasts(tx, issued)
  if (quarterShape !== undefined)
    await saveQuarterShape(tx, { zone, synthetic: chain === 'sample', shape: quarterShape }, issuedAt)
  const detail = `Issued from ${infoDate}.`
  await recordHourlyStatus(tx, { zone, outcome: 'issued', detail, daysKnown: 0 }, issuedAt)
  const { model, inputs } = forecasts[0] as (typeof forecasts)[number]
  return () => {
    for (const problem of artefactProblems) forecastArtefactUnusable(ctx.log, { asset: `hours:${zone}`, problem })
    if (count > 0) hoursIssued(ctx.log, { zone, issue, model, inputs, chain, infoDate, count })
  }
}

async function saveRejection(
  { tx, issuedAt }: Saving,
  { asset, reason }: Rejected<AssetIssue>,
  daysKnown: number,
): Promise<void> {
  const detail = `There is no forecast of ${asset}: ${reason}.`
  await recordStatus(tx, { asset, outcome: 'too_little_history', detail, daysKnown }, issuedAt)
}

async function saveZoneRejection(
  { tx, issuedAt }: Saving,
  { zone, reason }: Rejected<ZoneIssue>,
  daysKnown: number,
): Promise<void> {
  const detail = `There is no hourly forecast of ${zone}: ${reason}.`
  await recordHourlyStatus(tx, { zone, outcome: 'too_little_history', detail, daysKnown }, issuedAt)
}
