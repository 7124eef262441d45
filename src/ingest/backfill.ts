/**
 * Fetches a past span of a publisher at an operator's request. Stored days are skipped unless `again` is set, so an interrupted
 * backfill resumes where it stopped. Fetches newest first, within the rate limit shared with polling and catch-up.
 */
import type { MarketDay } from '../market/market-day.ts'
import { type DaySpan, daysIn, isWithinSpan } from '../publishers/fetch-days.ts'
import type { Fetcher } from '../publishers/fetcher.ts'
import { addCounts, NOTHING_STORED, type StoredCounts } from '../store/price-writer.ts'
import { findMissingDays, recordMissingDays } from '../store/publications.ts'
import { type FetchContext, type FetchResult, fetchSpan, type SpanReport, spansOf } from './fetch-span.ts'

interface BackfillOptions {
  fetcher: Fetcher
  span: DaySpan
  /** Reread stored days. */
  again: boolean
  signal: AbortSignal
  onProgress(progress: BackfillProgress): void
}

export interface BackfillProgress {
  daysDone: number
  daysTotal: number
  /** The last day requested. */
  day: MarketDay
}

export interface BackfillSummary {
  counts: StoredCounts
  /** Lists of offers stored, changed or not. */
  offerLists: number
  /** Days in the span that the publisher should have. */
  expected: number
  /** Days already stored, and so not requested. */
  alreadyStored: number
  /** Requested days that are still incomplete, newest first. */
  missing: MarketDay[]
  refused: SpanReport['refused']
  /** Why the backfill ended early. */
  stoppedBy: Exclude<FetchResult, { ended: 'answered' }> | 'signal' | undefined
}

/** Throws only internal errors. */
export async function backfill(ctx: FetchContext, options: BackfillOptions): Promise<BackfillSummary> {
  const { fetcher, span, again, signal, onProgress } = options
  const expected = [...daysIn(span)].filter((day) => fetcher.expects(day))
  const requested = again
    ? expected
    : await findMissingDays(ctx.database.sql, fetcher.publisher, expected, { limit: expected.length })
  const summary: BackfillSummary = {
    counts: NOTHING_STORED,
    offerLists: 0,
    expected: expected.length,
    alreadyStored: expected.length - requested.length,
    missing: [],
    refused: [],
    stoppedBy: undefined,
  }
  let daysDone = 0
  for (const part of spansOf(requested, fetcher.maxDaysPerRequest)) {
    const result = await fetchUnlessStopped(ctx, fetcher, part, signal)
    if (result === 'signal' || result.ended !== 'answered') return { ...summary, stoppedBy: result }
    const days = requested.filter((day) => isWithinSpan(day, part))
    const missing = days.filter((day) => !result.report.completeDays.some((complete) => complete.equals(day)))
    await recordMissingDays(ctx.database.sql, fetcher.source, missing, ctx.clock.now())
    summary.counts = addCounts(summary.counts, result.report.counts)
    summary.offerLists += result.report.offerLists
    summary.missing.push(...missing)
    summary.refused.push(...result.report.refused)
    daysDone += days.length
    onProgress({ daysDone, daysTotal: requested.length, day: part.from })
  }
  return summary
}

async function fetchUnlessStopped(
  ctx: FetchContext,
  fetcher: Fetcher,
  span: DaySpan,
  signal: AbortSignal,
): Promise<FetchResult | 'signal'> {
  try {
    signal.throwIfAborted()
    return await fetchSpan(ctx, fetcher, span, signal, { conditional: false })
  } catch (err) {
    if (signal.aborted) return 'signal'
    throw err
  }
}
