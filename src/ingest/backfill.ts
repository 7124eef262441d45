/**
 * A stretch of a publisher's past, asked for by an operator: what is there already is passed over unless it is to be read again, so
 * that an interrupted backfill goes on where it was. Newest first, at the politeness that polling and catching up share.
 */
import type { MarketDay } from '../market/market-day.ts'
import { type DaySpan, daysIn, isWithinSpan } from '../publishers/fetch-days.ts'
import type { Fetcher } from '../publishers/fetcher.ts'
import { addCounts, NOTHING_STORED, type StoredCounts } from '../store/price-writer.ts'
import { findHoles, recordHoles } from '../store/publications.ts'
import { type Asked, askSpan } from './ask-span.ts'
import type { FetchContext, SpanReport } from './fetch-span.ts'
import { spansOf } from './spans.ts'

export interface BackfillOptions {
  fetcher: Fetcher
  span: DaySpan
  /** Read again what is there. */
  again: boolean
  signal: AbortSignal
  onProgress(progress: BackfillProgress): void
}

export interface BackfillProgress {
  daysDone: number
  daysTotal: number
  /** The last day asked for. */
  day: MarketDay
}

export interface BackfillSummary {
  counts: StoredCounts
  /** Lists of offers that were stored, changed or not. */
  offerLists: number
  /** Days that the publisher should have, in the span. */
  expected: number
  /** Of those, days that were there already and not asked for. */
  passedOver: number
  /** Days asked for that are still not whole, newest first. */
  missing: MarketDay[]
  refused: SpanReport['refused']
  /** What ended it before its time. */
  stoppedBy: Exclude<Asked, { ended: 'answered' }> | 'signal' | undefined
}

/** Fails only with faults of ours. */
export async function backfill(ctx: FetchContext, options: BackfillOptions): Promise<BackfillSummary> {
  const { fetcher, span, again, signal, onProgress } = options
  const expected = [...daysIn(span)].filter((day) => fetcher.expects(day))
  const wanted = again
    ? expected
    : await findHoles(ctx.database.sql, fetcher.publisher, expected, { limit: expected.length })
  const summary: BackfillSummary = {
    counts: NOTHING_STORED,
    offerLists: 0,
    expected: expected.length,
    passedOver: expected.length - wanted.length,
    missing: [],
    refused: [],
    stoppedBy: undefined,
  }
  let daysDone = 0
  for (const part of spansOf(wanted, fetcher.maxDaysPerRequest)) {
    const asked = await askUnlessStopped(ctx, fetcher, part, signal)
    if (asked === 'signal' || asked.ended !== 'answered') return { ...summary, stoppedBy: asked }
    const days = wanted.filter((day) => isWithinSpan(day, part))
    const missing = days.filter((day) => !asked.report.completeDays.some((complete) => complete.equals(day)))
    await recordHoles(ctx.database.sql, fetcher.source, missing, ctx.clock.now())
    summary.counts = addCounts(summary.counts, asked.report.counts)
    summary.offerLists += asked.report.offerLists
    summary.missing.push(...missing)
    summary.refused.push(...asked.report.refused)
    daysDone += days.length
    onProgress({ daysDone, daysTotal: wanted.length, day: part.from })
  }
  return summary
}

async function askUnlessStopped(
  ctx: FetchContext,
  fetcher: Fetcher,
  span: DaySpan,
  signal: AbortSignal,
): Promise<Asked | 'signal'> {
  try {
    signal.throwIfAborted()
    return await askSpan(ctx, fetcher, span, signal, { conditional: false })
  } catch (err) {
    if (signal.aborted) return 'signal'
    throw err
  }
}
