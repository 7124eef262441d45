/**
 * Checks what is due by the process's clock: current publications by the timetables of the sources, catch-up at start-up and at night. It
 * only queues jobs, so a run costs one read per source. The next run finds anything missed while the service was down.
 */
import { z } from 'zod'
import { isCatchUpDue } from '../src/ingest/catch-up.ts'
import { announceEvents, watchSource } from '../src/ingest/watch-source.ts'
import { job } from '../src/service/job.ts'
import { catchUpSource } from './catch-up-source.ts'
import { fetchPublication } from './fetch-publication.ts'

export const watchSources = job({
  queue: 'sources.watch',
  payload: z.object({ starting: z.boolean().default(false) }),
  isDeduplicated: true,
  retry: { limit: 2, backoffSeconds: 10 },
  expireSeconds: 300,
  async run({ payload, ctx }) {
    for (const fetcher of ctx.sources.enabled) {
      for (const day of await watchSource(ctx, fetcher)) {
        await ctx.queue.send(fetchPublication(fetcher.source), { day: day.toString() })
      }
      if (await isCatchUpDue(ctx, fetcher, payload.starting)) await ctx.queue.send(catchUpSource(fetcher.source), {})
    }
    await announceEvents(ctx)
  },
})
