/**
 * Nightly care of the database: old row versions are cleared away and the planner's statistics taken. On the embedded engine, which
 * does neither by itself, this holds up other statements for a second or two; on a server it repeats what autovacuum has done.
 */
import { z } from 'zod'
import { job } from '../src/queue/job.ts'
import { vacuum } from '../src/store/maintenance.ts'

export const maintainDatabase = job({
  queue: 'database.maintain',
  payload: z.object({}),
  oneWaiting: true,
  retry: { limit: 2, backoffSeconds: 60 },
  expireSeconds: 3600,
  async run({ ctx }) {
    await vacuum(ctx.database.sql)
  },
})
