/** Fetching a span as jobs and commands do: failures that an immediate retry cannot help are returned, not thrown. */
import type { MarketDay } from '../market/market-day.ts'
import { BudgetSpent, SourceRefused, SourceUnreachable } from '../platform/fetch/outcomes.ts'
import type { DaySpan } from '../publishers/fetch-days.ts'
import type { Fetcher } from '../publishers/fetcher.ts'
import { closeQuarantined, recordRefused } from '../store/source-events.ts'
import { type FetchContext, ingestSpan, type SpanReport } from './fetch-span.ts'

export type FetchResult =
  | { ended: 'answered'; report: SpanReport }
  | { ended: 'unreachable' | 'refused' | 'budget-spent'; message: string; retryAfterSeconds: number }

/** Throws only the signal's reason and internal errors. Rejected credentials become an event. */
export async function fetchSpan(
  ctx: FetchContext,
  fetcher: Fetcher,
  span: DaySpan,
  signal: AbortSignal,
  options: { conditional?: boolean } = {},
): Promise<FetchResult> {
  const { source } = fetcher
  const { sql } = ctx.database
  try {
    const report = await ingestSpan(ctx, fetcher, span, signal, options)
    await closeQuarantined(sql, source, soundDays(report), ctx.clock.now())
    return { ended: 'answered', report }
  } catch (err) {
    if (err instanceof BudgetSpent) return { ended: 'budget-spent', message: err.message, retryAfterSeconds: 0 }
    if (err instanceof SourceUnreachable)
      return { ended: 'unreachable', message: err.message, retryAfterSeconds: err.retryAfterSeconds ?? 0 }
    if (!(err instanceof SourceRefused)) throw err
    await recordRefused(sql, source, err.message, ctx.clock.now())
    return { ended: 'refused', message: err.message, retryAfterSeconds: 0 }
  }
}

/** Days that have just arrived and were accepted. */
function soundDays({ counts, offerLists, completeDays, refused }: SpanReport): MarketDay[] {
  const arrived = counts.stored + counts.unchanged + counts.corrected + counts.outranked + offerLists > 0
  const refusedDays = new Set(refused.map(({ day }) => day))
  return arrived ? completeDays.filter((day) => !refusedDays.has(day.toString())) : []
}
