/**
 * One publication of one source: its market day is asked for, judged and stored, and what came of it is noted with the time of the
 * next attempt. A source has a queue of its own, so that nobody waits for another's outage; a day waits in it once. The job fails
 * only where we fail; a publisher's delay, outage or refusal is an outcome.
 */
import { z } from 'zod'
import { type Asked, askSpan } from '../src/ingest/ask-span.ts'
import { announceEvents, watchSource } from '../src/ingest/watch-source.ts'
import { parseMarketDay } from '../src/market/market-day.ts'
import { askAgainAt } from '../src/publishers/schedule.ts'
import { type JobDefinition, job } from '../src/service/job.ts'
import { type DayState, listDayStates, recordVain, type VainOutcome } from '../src/store/publications.ts'
import { computeOfferIndices } from './compute-offer-indices.ts'
import { refreshAggregates } from './refresh-aggregates.ts'

/** What an operator must mend, or our own budget: asking again soon does not help. */
const LONG_PAUSE_SECONDS = 3600

export function fetchPublication(source: string): JobDefinition<{ day: string }> {
  return job({
    queue: `${source}.fetch`,
    payload: z.object({ day: z.iso.date() }),
    oneWaiting: true,
    once: ({ day }) => day,
    retry: { limit: 5, backoffSeconds: 30 },
    expireSeconds: 900,
    pollSeconds: 10,
    async run({ payload, ctx, signal }) {
      const fetcher = ctx.sources.find(source)
      const day = parseMarketDay(payload.day)
      if (fetcher === undefined || day === undefined) {
        ctx.log.info({ source, ...payload }, 'the source is off, its publication is not fetched')
        return
      }
      const [before] = await listDayStates(ctx.database.sql, fetcher.publisher, [day])
      if (before !== undefined && isDue(before, ctx.clock.now())) {
        const asked = await askSpan(ctx, fetcher, { from: day, to: day }, signal)
        const isWhole = asked.ended === 'answered' && asked.report.completeDays.some((complete) => complete.equals(day))
        if (!isWhole) {
          const at = ctx.clock.now()
          const again = askAgainAt(fetcher, day, before.attempts + 1, at, pauseSecondsOf(asked))
          await recordVain(ctx.database.sql, [{ source, day, outcome: outcomeOf(asked), at, askAgainAt: again }])
        }
        if (asked.ended === 'answered') {
          const { counts, offerLists } = asked.report
          if (counts.stored + counts.corrected > 0) await ctx.queue.send(refreshAggregates, {})
          else if (offerLists > 0) await ctx.queue.send(computeOfferIndices, {})
        }
      }
      await watchSource(ctx, fetcher)
      await announceEvents(ctx)
    },
  })
}

/** Asked for twice, a day is asked for once. */
function isDue({ whole, askAgainAt: again }: DayState, now: Temporal.Instant): boolean {
  return !whole && (again === undefined || Temporal.Instant.compare(again, now) <= 0)
}

function outcomeOf(asked: Asked): VainOutcome {
  switch (asked.ended) {
    case 'answered':
      return asked.report.outcome === 'not-published' ? 'not_published' : 'incomplete'
    case 'refused':
      return 'refused'
    default:
      return 'unreachable'
  }
}

function pauseSecondsOf(asked: Asked): number {
  if (asked.ended === 'answered') return 0
  return asked.ended === 'unreachable' ? asked.retryAfterSeconds : LONG_PAUSE_SECONDS
}
