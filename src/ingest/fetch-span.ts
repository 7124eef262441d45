/**
 * Makes one attempt to fetch a span of market days from one publisher: fetch, parse, check, store and record. Complete days are stored
 * even if a later document fails; rejected ones are quarantined. The database then determines which days are complete.
 */
import type { AttemptOutcome } from '../api/contract/status.ts'
import { type MarketDay, parseMarketDay } from '../market/market-day.ts'
import { isBefore } from '../market/time-order.ts'
import type { Clock } from '../platform/clock.ts'
import { sourceOutcomeChanged } from '../platform/events.ts'
import { BudgetSpent, NotYetPublished, SourceRefused, SourceUnreachable } from '../platform/fetch/outcomes.ts'
import type { Logger } from '../platform/log.ts'
import { type DaySpan, daysIn } from '../publishers/fetch-days.ts'
import type { Fetcher } from '../publishers/fetcher.ts'
import type { Parsed } from '../publishers/observations.ts'
import { momentToInstant } from '../publishers/schedule.ts'
import type { Database } from '../store/database.ts'
import { saveValidators } from '../store/document-validators.ts'
import { loadPriceLimits } from '../store/price-limits.ts'
import type { StoredCounts } from '../store/price-writer.ts'
import { closeQuarantined, recordRefused } from '../store/source-events.ts'
import { listCompleteDays, recordAttempt } from '../store/source-fetching.ts'
import { readFetched } from './fetched-items.ts'
import { type IngestSummary, ingestSession } from './ingest.ts'
import type { SourceRegistry } from './source-registry.ts'

export interface FetchContext {
  database: Pick<Database, 'sql'>
  clock: Clock
  sources: SourceRegistry
  log: Logger
}

export interface SpanReport {
  counts: StoredCounts
  /** Lists of offers stored, changed or not. */
  offerLists: number
  /** Quarantined days and documents, including those quarantined before. */
  refused: IngestSummary['refused']
  /** Days of the span that are complete now, from any source. */
  completeDays: MarketDay[]
  /** Incomplete days that the publisher should have. */
  missingDays: MarketDay[]
  outcome: Extract<AttemptOutcome, 'complete' | 'incomplete' | 'not-published'>
}

/**
 * Fails with SourceUnreachable (including BudgetSpent), SourceRefused or the signal's reason, after storing everything that had arrived.
 * With `conditional` false, unchanged documents are downloaded too: a backfill needs values that the database lacks.
 */
export async function ingestSpan(
  ctx: FetchContext,
  fetcher: Fetcher,
  span: DaySpan,
  signal: AbortSignal,
  { conditional = true }: { conditional?: boolean } = {},
): Promise<SpanReport> {
  const days = [...daysIn(span)]
  if (days.length === 0 || days.length > fetcher.maxDaysPerRequest) {
    throw new RangeError(`${fetcher.source}: ${span.from} to ${span.to} is not 1 to ${fetcher.maxDaysPerRequest} days`)
  }
  try {
    const report = await attempt(ctx, fetcher, span, signal, conditional)
    await recordOutcome(ctx, fetcher, report.outcome, detailOf(report))
    return report
  } catch (err) {
    signal.throwIfAborted()
    await recordOutcome(ctx, fetcher, outcomeOf(err), err instanceof Error ? err.message : String(err))
    throw err
  }
}

async function attempt(
  ctx: FetchContext,
  fetcher: Fetcher,
  span: DaySpan,
  signal: AbortSignal,
  conditional: boolean,
): Promise<SpanReport> {
  const { sql } = ctx.database
  const { source } = fetcher
  const limits = await loadPriceLimits(ctx.database.sql)
  const session = ingestSession({ sql, clock: ctx.clock, limits, source, emitEvents: true })
  const { found, documents, failure } = await readFetched(ctx, fetcher, span, signal, conditional)
  // Keeps the hours and quarter-hours of a day adjacent, so that the session can choose between them.
  const byDay = found.toSorted((a, b) => dayOf(a.item).localeCompare(dayOf(b.item)))
  for (const { item, origin, observedAt } of byDay) await session.add(item, origin, observedAt)
  const summary = await session.finish()
  if (failure !== undefined && !(failure instanceof NotYetPublished)) throw failure

  for (const document of documents) {
    const isRefused = summary.refused.some(({ document: address }) => isFromDocument(address, document.address))
    if (!isRefused && document.itemCount > 0) await saveValidators(sql, { ...document, source }, ctx.clock.now())
  }
  return reportOf(ctx, fetcher, span, summary)
}

function dayOf(item: Parsed): string {
  return item.kind === 'zone-day' ? item.day.toString() : ''
}

/** Whether the address is that of the document or of an archive entry in it. */
function isFromDocument(address: string, document: string): boolean {
  return address === document || address.startsWith(`${document}!`)
}

async function reportOf(
  ctx: FetchContext,
  fetcher: Fetcher,
  span: DaySpan,
  summary: IngestSummary,
): Promise<SpanReport> {
  const complete = await listCompleteDays(ctx.database.sql, fetcher.publisher, span.from, span.to)
  const missingDays = [...daysIn(span)].filter((day) => fetcher.expects(day) && !complete.includes(day.toString()))
  const isDue = (day: MarketDay) => !isBefore(ctx.clock.now(), momentToInstant(day, fetcher.askFrom))
  const { stored, unchanged, corrected, outranked, refused, read, offerDays } = summary
  return {
    counts: { stored, unchanged, corrected, outranked },
    offerLists: offerDays.length,
    refused,
    completeDays: complete.flatMap((day) => parseMarketDay(day) ?? []),
    missingDays,
    outcome:
      missingDays.length === 0
        ? 'complete'
        : refused.length === 0 && (read + offerDays.length === 0 || !missingDays.some(isDue))
          ? 'not-published'
          : 'incomplete',
  }
}

/** Returns a summary of faults or missing days; null if there are none. */
function detailOf({ refused, missingDays, outcome }: SpanReport): string | null {
  const reasons = [...new Set(refused.flatMap(({ faults }) => faults.map(({ code }) => code)))]
  if (reasons.length > 0) return `quarantined: ${reasons.join(', ')}`
  return outcome === 'incomplete' ? `missing or incomplete days: ${missingDays.length}` : null
}

function outcomeOf(err: unknown): AttemptOutcome {
  if (err instanceof BudgetSpent) return 'budget-spent'
  if (err instanceof SourceUnreachable) return 'unreachable'
  return err instanceof SourceRefused ? 'refused' : 'failed'
}

/** Records the outcome; logs it for operators only when it changes. */
async function recordOutcome(
  ctx: FetchContext,
  fetcher: Fetcher,
  outcome: AttemptOutcome,
  detail: string | null,
): Promise<void> {
  const { source } = fetcher
  const changed = await recordAttempt(ctx.database.sql, { source, at: ctx.clock.now(), outcome, detail })
  if (changed) sourceOutcomeChanged(ctx.log, { source, outcome, detail })
}

export type FetchResult =
  | { ended: 'answered'; report: SpanReport }
  | { ended: 'unreachable' | 'refused' | 'budget-spent'; message: string; retryAfterSeconds: number }

/**
 * `ingestSpan` for jobs and commands: returns failures that an immediate retry would not fix. Throws only the signal's reason and
 * internal errors. Records rejected credentials as an event.
 */
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
    await closeQuarantined(sql, source, acceptedDays(report), ctx.clock.now())
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

/** Returns the complete days without refused items, if anything has arrived. */
function acceptedDays({ counts, offerLists, completeDays, refused }: SpanReport): MarketDay[] {
  const arrived = counts.stored + counts.unchanged + counts.corrected + counts.outranked + offerLists > 0
  const refusedDays = new Set(refused.map(({ day }) => day))
  return arrived ? completeDays.filter((day) => !refusedDays.has(day.toString())) : []
}

/**
 * Groups days into spans of at most `maxDays`, newest first. A span includes the unrequested days in between, mostly weekends: another
 * request costs the publisher more than a few extra rows.
 */
export function spansOf(days: readonly MarketDay[], maxDays: number): DaySpan[] {
  const spans: DaySpan[] = []
  for (const day of days.toSorted((a, b) => Temporal.PlainDate.compare(b, a))) {
    const span = spans.at(-1)
    if (span !== undefined && day.until(span.to).days < maxDays) span.from = day
    else spans.push({ from: day, to: day })
  }
  return spans
}
