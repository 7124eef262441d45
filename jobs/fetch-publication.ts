/**
 * One publication of one source: fetches, checks and stores its market day, and records the outcome with the time of the next attempt.
 * Each source has its own queue, so that an outage of one delays no other; a day is queued once. The job fails only on internal
 * errors; a publisher's delay, outage or refusal is an outcome.
 */
import { z } from 'zod'
import { type FetchResult, fetchSpan } from '../src/ingest/fetch-span.ts'
import { announceEvents, isAttemptDue, isRefetchDue, watchSource } from '../src/ingest/watch-source.ts'
import { parseMarketDay } from '../src/market/market-day.ts'
import { isBefore } from '../src/market/time-order.ts'
import { momentToInstant, nextAttemptAt } from '../src/publishers/schedule.ts'
import { type JobDefinition, job } from '../src/service/job.ts'
import { type FailedOutcome, listDayStates, recordFailedAttempts } from '../src/store/publications.ts'
import { markComplete } from '../src/store/source-events.ts'
import { computeOfferIndices } from './compute-offer-indices.ts'
import { refreshAggregates } from './refresh-aggregates.ts'

/** After a refusal or an exhausted budget: an early retry does not help. */
const LONG_PAUSE_SECONDS = 3600

export function fetchPublication(source: string): JobDefinition<{ day: string }> {
  return job({
    queue: `${source}.fetch`,
    payload: z.object({ day: z.iso.date() }),
    isDeduplicated: true,
    dedupeKey: ({ day }) => day,
    retry: { limit: 5, backoffSeconds: 30 },
    expireSeconds: 900,
    pollSeconds: 10,
    async run({ payload, ctx, signal }) {
      const fetcher = ctx.sources.find(source)
      const day = parseMarketDay(payload.day)
      if (fetcher === undefined || day === undefined) {
        ctx.log.info({ source, ...payload }, 'the source is disabled: its publication is not fetched')
        return
      }
      const [before] = await listDayStates(ctx.database.sql, fetcher.publisher, [day])
      // Stored already, perhaps by an attempt that failed before it had queued the refresh.
      if (before?.whole && !isRefetchDue(before, fetcher, ctx.clock.now())) await ctx.queue.send(refreshAggregates, {})
      else if (before !== undefined && isAttemptDue(before, ctx.clock.now())) {
        const result = await fetchSpan(ctx, fetcher, { from: day, to: day }, signal)
        const isWhole =
          result.ended === 'answered' && result.report.completeDays.some((complete) => complete.equals(day))
        if (isWhole) await markComplete(ctx.database.sql, source, [day], ctx.clock.now())
        else {
          const at = ctx.clock.now()
          const due = momentToInstant(day, fetcher.askFrom)
          const again =
            result.ended === 'answered' && isBefore(at, due)
              ? due
              : nextAttemptAt(fetcher, day, before.attempts + 1, at, pauseSecondsOf(result))
          await recordFailedAttempts(ctx.database.sql, [
            { source, day, outcome: outcomeOf(result), at, nextAttemptAt: again },
          ])
        }
        if (result.ended === 'answered') {
          const { counts, offerLists } = result.report
          if (counts.stored + counts.corrected + counts.unchanged > 0) await ctx.queue.send(refreshAggregates, {})
          else if (offerLists > 0) await ctx.queue.send(computeOfferIndices, {})
        }
      }
      await watchSource(ctx, fetcher)
      await announceEvents(ctx)
    },
  })
}

function outcomeOf(result: FetchResult): FailedOutcome {
  switch (result.ended) {
    case 'answered':
      return result.report.outcome === 'not-published' ? 'not_published' : 'incomplete'
    case 'refused':
      return 'refused'
    default:
      return 'unreachable'
  }
}

function pauseSecondsOf(result: FetchResult): number {
  if (result.ended === 'answered') return 0
  return result.ended === 'unreachable' ? result.retryAfterSeconds : LONG_PAUSE_SECONDS
}
