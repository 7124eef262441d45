/** Determines which subjects to forecast now; `issueForecasts` lists the reasons. */

import { FORECAST_ASSETS } from '../../src/api/contract/forecasts.ts'
import {
  DAYS_AHEAD_MAX,
  type ForecastSubject,
  forecastInputs,
  hoursOf,
  INFO_AGE_DAYS_MAX,
  preAuctionFrom,
  zoneOf,
} from '../../src/market/forecast-scope.ts'
import { type MarketDay, marketDayOf } from '../../src/market/market-day.ts'
import { isBefore } from '../../src/market/time-order.ts'
import { ALL_MARKET_ZONES, NATIONAL_ZONE, STORED_ZONES } from '../../src/market/zones.ts'
import { anySynthetic } from '../../src/publishers/sources.ts'
import type { Context } from '../../src/service/context.ts'
import { hasNewInputsSince, lastIssue, recordStatus } from '../../src/store/forecast-ledger.ts'
import { findActiveModel } from '../../src/store/forecast-models.ts'

export interface DueForecasts {
  /** Assets first, then the hours of zones. */
  subjects: ForecastSubject[]
  /** Subjects whose prices ended too long ago for an issue. */
  ended: EndedSubject[]
}

export interface EndedSubject {
  subject: ForecastSubject
  lastDay: MarketDay
  synthetic: boolean
}

const FIRST_DAY = Temporal.PlainDate.from('1900-01-01')
export const HOURS_OF_PUN = hoursOf(NATIONAL_ZONE)

/** The PUN's days and its hours are made together, so that they agree. */
export async function findDueForecasts(ctx: Context, now: Temporal.Instant): Promise<DueForecasts> {
  const due: DueForecasts = { subjects: [], ended: [] }
  const notAfter = marketDayOf(now).add({ days: DAYS_AHEAD_MAX })
  let pun: LastPrice | undefined
  for (const asset of FORECAST_ASSETS) {
    const found = await ctx.prices.latest(asset, { notBefore: FIRST_DAY, notAfter })
    const last = found && { day: found.day, synthetic: anySynthetic(found.sourceIds) }
    if (last === undefined) {
      const detail = `There is no forecast of ${asset}: no price of it is known.`
      const status = { subject: asset, outcome: 'too_little_history' as const, detail, daysKnown: 0 }
      await recordStatus(ctx.database.sql, status, now)
    } else if (await isRecent(ctx, asset, last, now, due.ended)) {
      if (asset === 'PUN') pun = last
      const isDue =
        (await isDueFrom(ctx, asset, last, now)) || (asset === 'PUN' && (await isDueFrom(ctx, HOURS_OF_PUN, last, now)))
      if (isDue) due.subjects.push(asset)
    }
  }
  if (due.subjects.includes('PUN')) due.subjects.push(HOURS_OF_PUN)
  for (const zone of pun === undefined ? STORED_ZONES : ALL_MARKET_ZONES) {
    const day = await ctx.zones.latestDay(zone, notAfter)
    if (day === undefined) continue
    const subject = hoursOf(zone)
    const synthetic = pun?.synthetic || due.ended.some((one) => one.synthetic)
    const isKnown = await isRecent(ctx, subject, { day, synthetic }, now, due.ended)
    if (pun !== undefined && isKnown && (await isDueFrom(ctx, subject, { ...pun, day }, now)))
      due.subjects.push(subject)
  }
  return due
}

interface LastPrice {
  /** YYYY-MM-DD */
  day: string
  synthetic: boolean
}

/** Whether the last price is recent enough to forecast from; if not, adds the subject to `ended`. */
async function isRecent(
  ctx: Context,
  subject: ForecastSubject,
  { day, synthetic }: LastPrice,
  now: Temporal.Instant,
  ended: EndedSubject[],
): Promise<boolean> {
  if (day >= marketDayOf(now).subtract({ days: INFO_AGE_DAYS_MAX }).toString()) return true
  const zone = zoneOf(subject)
  const what = zone === undefined ? subject : `the hours of ${zone}`
  const detail = `There is no forecast of ${what}: its last known price is of ${day}, more than ${INFO_AGE_DAYS_MAX} days ago.`
  await recordStatus(ctx.database.sql, { subject, outcome: 'history_ended', detail, daysKnown: 0 }, now)
  ended.push({ subject, lastDay: Temporal.PlainDate.from(day), synthetic })
  return false
}

/** Whether there is no forecast yet, or it is older than the inputs, the selection of the active model, or the pre-auction time. */
async function isDueFrom(
  { database: { sql } }: Context,
  subject: ForecastSubject,
  last: LastPrice,
  now: Temporal.Instant,
): Promise<boolean> {
  const issued = await lastIssue(sql, last.synthetic ? 'sample' : 'issued', subject, last.day)
  if (issued === undefined) return true
  // A model that needs no training uses only the subject's own prices.
  const active = await findActiveModel(sql, subject, last.synthetic)
  if (active?.artefactId === undefined) return false
  if (active.model !== issued.model && isBefore(issued.attemptedAt, active.decidedAt)) return true
  const day = Temporal.PlainDate.from(last.day)
  const isGas = subject === 'PSV' || subject === 'TTF'
  if (zoneOf(subject) !== undefined && isBetween(preAuctionFrom(day), issued.attemptedAt, now)) return true
  const days = forecastInputs(isGas ? subject : 'PUN').map(({ asset, delayDays }) => ({
    asset,
    day: day.subtract({ days: delayDays }).toString(),
  }))
  return hasNewInputsSince(sql, days, issued.at)
}

function isBetween(instant: Temporal.Instant, after: Temporal.Instant, until: Temporal.Instant): boolean {
  return isBefore(after, instant) && !isBefore(until, instant)
}
