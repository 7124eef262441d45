/** What is to be forecast now, decided from the database: the reasons are those of `issueForecasts`. */

import { FORECAST_ASSETS, type ForecastAsset, type ForecastChain } from '../../src/api/contract/forecasts.ts'
import {
  DAYS_AHEAD_MAX,
  type ForecastSubject,
  forecastInputs,
  hoursOf,
  INFO_AGE_DAYS_MAX,
  preAuctionFrom,
} from '../../src/market/forecast-scope.ts'
import { type MarketDay, marketDayOf } from '../../src/market/market-day.ts'
import { isBefore } from '../../src/market/time-order.ts'
import { ALL_MARKET_ZONES, NATIONAL_ZONE, STORED_ZONES, type ZoneCode } from '../../src/market/zones.ts'
import { areSynthetic } from '../../src/publishers/sources.ts'
import type { Context } from '../../src/service/context.ts'
import { hasNewInputsSince, type LastIssue, lastIssue, recordStatus } from '../../src/store/forecast-ledger.ts'
import { findActiveModel } from '../../src/store/forecast-models.ts'

export interface Due {
  assets: ForecastAsset[]
  zones: ZoneCode[]
  /** Those whose prices have ended too long ago to issue anything. */
  ended: Ended[]
}

export type Ended = ({ asset: ForecastAsset } | { zone: ZoneCode }) & {
  lastDay: MarketDay
  synthetic: boolean
}

export function subjectOf(one: Ended): ForecastSubject {
  return 'asset' in one ? one.asset : hoursOf(one.zone)
}

const FIRST_DAY = Temporal.PlainDate.from('1900-01-01')

/** The PUN's days and its hours are made together, so that they agree. */
export async function whatIsDue(ctx: Context, now: Temporal.Instant): Promise<Due> {
  const due: Due = { assets: [], zones: [], ended: [] }
  let punChain: ForecastChain | undefined
  for (const asset of FORECAST_ASSETS) {
    const last = await lastPrice(ctx, asset, now, due.ended)
    if (asset === 'PUN') punChain = last?.chain
    if (last !== undefined && (await isAssetDue(ctx, asset, last, now))) due.assets.push(asset)
  }
  if (due.assets.includes('PUN')) due.zones.push(NATIONAL_ZONE)
  for (const zone of punChain === undefined ? STORED_ZONES : ALL_MARKET_ZONES)
    if (await isZoneDue(ctx, zone, punChain, now, due.ended)) due.zones.push(zone)
  return due
}

interface LastPrice {
  day: MarketDay
  chain: ForecastChain
}

/** The asset's last price, where it is recent enough to forecast from; an asset whose price is not is added to `ended`. */
async function lastPrice(
  ctx: Context,
  asset: ForecastAsset,
  now: Temporal.Instant,
  ended: Ended[],
): Promise<LastPrice | undefined> {
  const today = marketDayOf(now)
  const last = await ctx.prices.latest(asset, { notBefore: FIRST_DAY, notAfter: today.add({ days: DAYS_AHEAD_MAX }) })
  const problem = last === undefined ? unknown(asset) : outdated(asset, last.day, today)
  if (problem !== undefined) {
    const outcome = last === undefined ? 'too_little_history' : 'history_ended'
    await recordStatus(ctx.database.sql, { subject: asset, outcome, detail: problem, daysKnown: 0 }, now)
    if (last !== undefined)
      ended.push({ asset, lastDay: Temporal.PlainDate.from(last.day), synthetic: areSynthetic(last.sourceIds) })
    return undefined
  }
  if (last === undefined) return undefined
  return { day: Temporal.PlainDate.from(last.day), chain: areSynthetic(last.sourceIds) ? 'sample' : 'issued' }
}

function unknown(asset: ForecastAsset): string {
  return `There is no forecast of ${asset}: no price of it is known.`
}

function outdated(what: string, last: string, today: MarketDay): string | undefined {
  if (last >= today.subtract({ days: INFO_AGE_DAYS_MAX }).toString()) return undefined
  return `There is no forecast of ${what}: its last known price is of ${last}, more than ${INFO_AGE_DAYS_MAX} days ago.`
}

async function isAssetDue(
  ctx: Context,
  asset: ForecastAsset,
  last: LastPrice,
  now: Temporal.Instant,
): Promise<boolean> {
  const { sql } = ctx.database
  const issued = await lastIssue(sql, last.chain, asset, last.day.toString())
  if (await isDueSince(ctx, asset, last, issued, now)) return true
  if (asset !== 'PUN') return false
  const hours = await lastIssue(sql, last.chain, hoursOf(NATIONAL_ZONE), last.day.toString())
  return isDueSince(ctx, hoursOf(NATIONAL_ZONE), last, hours, now)
}

/** A zone whose prices have ended is added to `ended`. */
async function isZoneDue(
  ctx: Context,
  zone: ZoneCode,
  chain: ForecastChain | undefined,
  now: Temporal.Instant,
  ended: Ended[],
): Promise<boolean> {
  const today = marketDayOf(now)
  const day = await ctx.zones.latestDay(zone, today.add({ days: DAYS_AHEAD_MAX }))
  if (day === undefined) return false
  const detail = outdated(`the hours of ${zone}`, day, today)
  if (detail !== undefined) {
    await recordStatus(
      ctx.database.sql,
      { subject: hoursOf(zone), outcome: 'history_ended', detail, daysKnown: 0 },
      now,
    )
    const synthetic = chain === 'sample' || ended.some((one) => one.synthetic)
    ended.push({ zone, lastDay: Temporal.PlainDate.from(day), synthetic })
    return false
  }
  if (chain === undefined) return false
  const last = { day: Temporal.PlainDate.from(day), chain }
  return isDueSince(ctx, hoursOf(zone), last, await lastIssue(ctx.database.sql, chain, hoursOf(zone), day), now)
}

/** Whether there is no forecast made since the models' inputs were known, the active model was chosen, and the next auction came near. */
async function isDueSince(
  ctx: Context,
  subject: ForecastSubject,
  { day, chain }: LastPrice,
  issued: LastIssue | undefined,
  now: Temporal.Instant,
): Promise<boolean> {
  const { sql } = ctx.database
  if (issued === undefined) return true
  // What needs no training looks at nothing but its own prices.
  const active = await findActiveModel(sql, subject, chain === 'sample')
  if (active?.artefactId === undefined) return false
  if (active.model !== issued.model && isBefore(issued.attemptedAt, active.decidedAt)) return true
  const isGas = subject === 'PSV' || subject === 'TTF'
  if (subject.startsWith('hours:') && isBetween(preAuctionFrom(day), issued.attemptedAt, now)) return true
  const days = forecastInputs(isGas ? subject : 'PUN').map(({ asset, delayDays }) => ({
    asset,
    day: day.subtract({ days: delayDays }).toString(),
  }))
  return hasNewInputsSince(sql, days, issued.at)
}

function isBetween(instant: Temporal.Instant, after: Temporal.Instant, until: Temporal.Instant): boolean {
  return isBefore(after, instant) && !isBefore(until, instant)
}
