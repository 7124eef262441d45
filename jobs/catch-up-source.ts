/** Catches up with one source: rereads its last days and fills its holes. It continues after a kill, since holes are found in the data. */
import { z } from 'zod'
import { catchUp } from '../src/ingest/catch-up.ts'
import { announceEvents, watchSource } from '../src/ingest/watch-source.ts'
import { type JobDefinition, job } from '../src/service/job.ts'
import { refreshAggregates } from './refresh-aggregates.ts'

export function catchUpSource(source: string): JobDefinition {
  return job({
    queue: `${source}.catch-up`,
    payload: z.object({}),
    isDeduplicated: true,
    retry: { limit: 5, backoffSeconds: 60 },
    expireSeconds: 12 * 3600, // twenty years at a publisher's pace; it is queued again if there is more
    pollSeconds: 30,
    async run({ ctx, signal }) {
      const fetcher = ctx.sources.find(source)
      if (fetcher === undefined) {
        ctx.log.info({ source }, 'the source is disabled: its holes are not filled')
        return
      }
      await catchUp(ctx, fetcher, signal, async () => {
        await ctx.queue.send(refreshAggregates, {}) // which queues the offer indices too
      })
      await watchSource(ctx, fetcher)
      await announceEvents(ctx)
    },
  })
}
