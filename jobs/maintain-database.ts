/**
 * Nightly care of the database: old row versions are cleared away and the planner's statistics taken. On the embedded engine, which
 * does neither by itself, this holds up other statements for a second or two; on a server it repeats what autovacuum has done. Old
 * offers and intervals are compressed, and requests for keys that were not confirmed in time are deleted.
 */
import { z } from 'zod'
import { marketDayOf } from '../src/market/market-day.ts'
import { job } from '../src/service/job.ts'
import { sweepKeyRequests } from '../src/store/key-requests.ts'
import { compressOldChunks, vacuum } from '../src/store/maintenance.ts'

/** Most offers change or end, and most prices are corrected, within this time; until then uncompressed rows are cheaper to write. */
const UNCOMPRESSED_DAYS = 90

export const maintainDatabase = job({
  queue: 'database.maintain',
  payload: z.object({}),
  oneWaiting: true,
  retry: { limit: 2, backoffSeconds: 60 },
  expireSeconds: 3600,
  async run({ ctx }) {
    const now = ctx.clock.now()
    const day = marketDayOf(now)
    await sweepKeyRequests(ctx.database.sql, now)
    await compressOldChunks(ctx.database.sql, day.subtract({ days: UNCOMPRESSED_DAYS }).toString())
    await vacuum(ctx.database.sql)
  },
})
