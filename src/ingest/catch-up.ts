/**
 * Catch-up for a source: rereads its last days every night for corrections, then fills its gaps since the configured start, newest
 * first. It stops at the first failed request and records when to resume; completed work is not repeated.
 */
import { MARKET_TIME_ZONE, type MarketDay } from '../market/market-day.ts'
import { daysIn, isWithinSpan } from '../publishers/fetch-days.ts'
import type { Fetcher } from '../publishers/fetcher.ts'
import { latestDueDay } from '../publishers/schedule.ts'
import { findMissingDays, recordMissingDays } from '../store/publications.ts'
import { findCatchUp, setCatchUp } from '../store/source-states.ts'
import { type FetchContext, type FetchResult, fetchSpan, spansOf } from './fetch-span.ts'
import { notCoveredByHigherPriority, watchedDays } from './watch-source.ts'

/** Time of the nightly catch-up, after the hours that a daylight-saving change skips or repeats. */
const NIGHTLY_AT = Temporal.PlainTime.from('03:40')
/** How far back publishers have been observed to correct values. */
const REREAD_DAYS = 7
/** Missing days per query. */
const MISSING_DAYS_MAX = 400
/** Backoff after consecutive failures; the last value repeats. */
const PAUSES_MINUTES = [10, 20, 40, 80, 160, 240]
const REFUSED_PAUSE_MINUTES = 240
const MINUTES_AFTER_MIDNIGHT = 10

type Failure = Exclude<FetchResult, { ended: 'answered' }>

/** Whether a catch-up is due. At start-up it is due at once, unless the last one failed. */
export async function isCatchUpDue(ctx: FetchContext, fetcher: Fetcher, starting = false): Promise<boolean> {
  const { catchUpAt, failures } = await findCatchUp(ctx.database.sql, fetcher.source)
  if (starting && failures === 0) return true
  return catchUpAt === undefined || Temporal.Instant.compare(catchUpAt, ctx.clock.now()) <= 0
}

/** Calls `onStored` after each response that changed something. Throws only the signal's reason and internal errors. */
export async function catchUp(
  ctx: FetchContext,
  fetcher: Fetcher,
  signal: AbortSignal,
  onStored: () => Promise<void>,
): Promise<void> {
  const { sql } = ctx.database
  const failure =
    (await rereadIfDue(ctx, fetcher, signal, onStored)) ?? (await fillMissingDays(ctx, fetcher, signal, onStored))
  const now = ctx.clock.now()
  if (failure === undefined) return setCatchUp(sql, fetcher.source, { catchUpAt: nextNightlyRun(now), failures: 0 })
  const { failures } = await findCatchUp(sql, fetcher.source)
  const catchUpAt = resumeAt(failure, failures + 1, now)
  ctx.log.warn({ source: fetcher.source, ...failure, resumesAt: catchUpAt.toString() }, 'catch-up stopped')
  await setCatchUp(sql, fetcher.source, { catchUpAt, failures: failures + 1 })
}

/** A fallback source is not reread: its values have been replaced, or no other source has them. */
async function rereadIfDue(
  ctx: FetchContext,
  fetcher: Fetcher,
  signal: AbortSignal,
  onStored: () => Promise<void>,
): Promise<Failure | undefined> {
  const now = ctx.clock.now()
  const { rereadAt } = await findCatchUp(ctx.database.sql, fetcher.source)
  const isDue = rereadAt !== undefined && Temporal.Instant.compare(rereadAt, now) <= 0
  if (isDue && !fetcher.fallback) {
    const days = watchedDays(fetcher, now).filter((day) => isRecent(day, fetcher, now))
    for (const span of spansOf(days, fetcher.maxDaysPerRequest)) {
      const result = await fetchSpan(ctx, fetcher, span, signal)
      if (result.ended !== 'answered') return result
      if (hasChanged(result)) await onStored()
    }
  }
  if (isDue || rereadAt === undefined)
    await setCatchUp(ctx.database.sql, fetcher.source, { rereadAt: nextNightlyRun(now) })
  return undefined
}

async function fillMissingDays(
  ctx: FetchContext,
  fetcher: Fetcher,
  signal: AbortSignal,
  onStored: () => Promise<void>,
): Promise<Failure | undefined> {
  for (;;) {
    const daysToFill = await listMissingDays(ctx, fetcher)
    if (daysToFill.length === 0) return undefined
    for (const span of spansOf(daysToFill, fetcher.maxDaysPerRequest)) {
      signal.throwIfAborted()
      const result = await fetchSpan(ctx, fetcher, span, signal, { conditional: false })
      if (result.ended !== 'answered') return result
      const requested = daysToFill.filter((day) => isWithinSpan(day, span))
      const still = requested.filter((day) => result.report.missingDays.some((missing) => missing.equals(day)))
      await recordMissingDays(ctx.database.sql, fetcher.source, still, ctx.clock.now())
      if (hasChanged(result)) await onStored()
    }
  }
}

/** Returns missing days older than the watched ones that may be requested now, newest first. */
async function listMissingDays(ctx: FetchContext, fetcher: Fetcher): Promise<MarketDay[]> {
  const now = ctx.clock.now()
  const latest = latestDueDay(fetcher, now)
  const watched = watchedDays(fetcher, now).at(-1) ?? latest
  const span = { from: fetcher.earliest(latest), to: watched.subtract({ days: 1 }) }
  const days = [...daysIn(span)].filter((day) => fetcher.expects(day))
  const candidates = await findMissingDays(ctx.database.sql, fetcher.publisher, days, {
    at: now,
    limit: MISSING_DAYS_MAX,
  })
  return fetcher.fallback ? notCoveredByHigherPriority(ctx, fetcher, candidates) : candidates
}

function isRecent(day: MarketDay, fetcher: Fetcher, now: Temporal.Instant): boolean {
  return day.until(latestDueDay(fetcher, now)).days < REREAD_DAYS
}

function hasChanged({ report }: Extract<FetchResult, { ended: 'answered' }>): boolean {
  return report.counts.stored + report.counts.corrected + report.offerLists > 0
}

function nextNightlyRun(now: Temporal.Instant): Temporal.Instant {
  const local = now.toZonedDateTimeISO(MARKET_TIME_ZONE)
  const tonight = local.withPlainTime(NIGHTLY_AT)
  const next =
    Temporal.ZonedDateTime.compare(tonight, local) > 0 ? tonight : local.add({ days: 1 }).withPlainTime(NIGHTLY_AT)
  return next.toInstant()
}

function resumeAt(failure: Failure, failures: number, now: Temporal.Instant): Temporal.Instant {
  if (failure.ended === 'budget-spent') {
    const tomorrow = now.toZonedDateTimeISO(MARKET_TIME_ZONE).add({ days: 1 }).startOfDay()
    return tomorrow.add({ minutes: MINUTES_AFTER_MIDNIGHT }).toInstant()
  }
  const pause =
    failure.ended === 'refused'
      ? REFUSED_PAUSE_MINUTES
      : (PAUSES_MINUTES[Math.min(failures, PAUSES_MINUTES.length) - 1] ?? REFUSED_PAUSE_MINUTES)
  return now.add({ seconds: Math.max(pause * 60, Math.ceil(failure.retryAfterSeconds)) })
}
