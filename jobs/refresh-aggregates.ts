/**
 * Brings hour, day, month and year of the zones up to what is stored. TimescaleDB remembers itself which spans were changed since the
 * last refresh, so a run costs what changed, a second run costs nothing, and a run that was killed loses nothing. After a large
 * ingest the planner's statistics are taken anew. Whatever has become known may be forecast from and may be the first of a bulk export,
 * so an issue and those exports are asked for.
 */
import { z } from 'zod'
import { job } from '../src/service/job.ts'
import { refreshAggregates as refresh } from '../src/store/aggregates.ts'
import { analyzeIfGrown } from '../src/store/maintenance.ts'
import { computeOfferIndices } from './compute-offer-indices.ts'
import { detectCrossings } from './detect-crossings.ts'
import { issueForecasts } from './issue-forecasts.ts'
import { planExports } from './plan-exports.ts'

export const refreshAggregates = job({
  queue: 'aggregates.refresh',
  payload: z.object({}),
  oneWaiting: true,
  retry: { limit: 5, backoffSeconds: 5 },
  expireSeconds: 600,
  async run({ ctx }) {
    await refresh(ctx.database.sql)
    await ctx.dataVersion.refresh()
    await analyzeIfGrown(ctx.database.sql)
    await ctx.queue.send(computeOfferIndices, {}) // their reference prices may be other ones now
    await ctx.queue.send(detectCrossings, {})
    await ctx.queue.send(issueForecasts, {})
    await ctx.queue.send(planExports, { missing: true })
  },
})
