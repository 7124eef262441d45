/**
 * Refreshes the hourly, daily, day-part and yearly aggregates of the zones, and those of fundamentals. TimescaleDB tracks which spans have
 * changed since the last refresh, so a run costs only what changed, a second run costs nothing, and a killed run loses nothing. After a
 * large ingest the planner's statistics are updated. New prices may allow a forecast or a first bulk export, so both are queued.
 */
import { z } from 'zod'
import { job } from '../src/service/job.ts'
import { refreshAggregates as refresh } from '../src/store/aggregates.ts'
import { analyzeIfGrown } from '../src/store/maintenance.ts'
import { computeOfferIndices } from './compute-offer-indices.ts'
import { detectCrossings } from './detect-crossings.ts'
import { issueForecasts } from './issue-forecasts.ts'
import { planExports } from './plan-exports.ts'
import { queueChanges } from './queue-changes.ts'

export const refreshAggregates = job({
  queue: 'aggregates.refresh',
  payload: z.object({}),
  isDeduplicated: true,
  retry: { limit: 5, backoffSeconds: 5 },
  /** A first build of 100 million intervals exceeds any usual limit; a dead worker is detected by its missing heartbeat. */
  expireSeconds: 6 * 3600,
  heartbeatSeconds: 120,
  async run({ ctx, signal }) {
    await refresh(ctx.database.sql, signal)
    await ctx.dataVersion.refresh()
    await analyzeIfGrown(ctx.database.sql)
    await ctx.queue.send(computeOfferIndices, {}) // their reference prices may have changed
    await ctx.queue.send(detectCrossings, {})
    await ctx.queue.send(queueChanges, {})
    await ctx.queue.send(issueForecasts, {})
    await ctx.queue.send(planExports, { missing: true })
  },
})
