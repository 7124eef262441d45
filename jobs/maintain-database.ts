/**
 * Nightly maintenance of the database: vacuum and analyze. On the embedded engine, which has no autovacuum, this delays other statements by
 * a second or two; on a server it repeats autovacuum's work. Old offers and intervals are compressed; old changes and expired key requests
 * are deleted.
 */
import { z } from 'zod'
import { marketDayOf } from '../src/market/market-day.ts'
import { job } from '../src/service/job.ts'
import { removeOldChanges } from '../src/store/changes.ts'
import { deleteEndedKeyRequests } from '../src/store/key-requests.ts'
import { compressOldChunks, vacuum } from '../src/store/maintenance.ts'

/** Most offers change or end, and most prices are corrected, within this time; until then uncompressed rows are cheaper to write. */
const UNCOMPRESSED_DAYS = 90

export const maintainDatabase = job({
  queue: 'database.maintain',
  payload: z.object({}),
  isDeduplicated: true,
  retry: { limit: 2, backoffSeconds: 60 },
  expireSeconds: 3600,
  async run({ ctx }) {
    const now = ctx.clock.now()
    const day = marketDayOf(now)
    await deleteEndedKeyRequests(ctx.database.sql, now)
    await removeOldChanges(ctx.database.sql, now)
    await compressOldChunks(ctx.database.sql, day.subtract({ days: UNCOMPRESSED_DAYS }).toString())
    await vacuum(ctx.database.sql)
  },
})
