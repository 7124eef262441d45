/**
 * Asks for the files of the bulk exports that are due: every night all of them, and whenever data have come in, or somebody wanted one
 * in vain, those that do not exist yet, or any more. What is due is told by the database, the store and the process's clock; a night
 * during which the service was down is made up for at its next start.
 */
import { z } from 'zod'
import { BULK_DATASETS, BULK_FORMATS } from '../src/api/contract/bulk.ts'
import type { DatasetInFormat } from '../src/delivery/bulk/file-store.ts'
import { requestedWithinLastHour } from '../src/delivery/bulk/requested-within-last-hour.ts'
import { MARKET_TIME_ZONE } from '../src/market/market-day.ts'
import type { Context } from '../src/service/context.ts'
import { job } from '../src/service/job.ts'
import {
  type BulkFile,
  type ExportState,
  exportStates,
  filledDatasets,
  offeredBulkFiles,
  recordExportRequest,
} from '../src/store/bulk-files.ts'
import { exportDataset } from './export-dataset.ts'

/** Behind the hours that a change of the clocks skips or repeats, and behind the nightly maintenance. */
const EXPORT_TIME = '04:40'
/** For all that the store is asked; less than the job has. */
const STORE_MS = 20_000

export const planExports = job({
  queue: 'bulk.plan',
  /** `missing` where data have come in, or a file was wanted in vain: files that do not exist yet are due too. */
  payload: z.object({ missing: z.boolean().default(false) }),
  oneWaiting: true,
  once: ({ missing }) => (missing ? 'missing' : 'nightly'),
  retry: { limit: 2, backoffSeconds: 30 },
  expireSeconds: 60,
  async run({ payload, ctx, signal }) {
    if (!ctx.config.bulk.exports) return
    for (const due of await dueExports(ctx, payload.missing, signal)) {
      await recordExportRequest(ctx.database.sql, due, ctx.clock.now())
      await ctx.queue.send(exportDataset, due)
    }
  },
})

/** The latest instant at which files were due. */
export function lastExportTime(now: Temporal.Instant): Temporal.Instant {
  const local = now.toZonedDateTimeISO(MARKET_TIME_ZONE)
  const today = local.withPlainTime(EXPORT_TIME)
  return (Temporal.ZonedDateTime.compare(today, local) > 0 ? today.subtract({ days: 1 }) : today).toInstant()
}

async function dueExports(ctx: Context, withMissing: boolean, signal: AbortSignal): Promise<DatasetInFormat[]> {
  const { sql } = ctx.database
  const now = ctx.clock.now()
  const night = lastExportTime(now)
  const offered = await offeredBulkFiles(sql)
  const there = withMissing ? await inStore(ctx, offered, signal) : offered
  const madeAt = new Map(there.map((file) => [keyOf(file), file.generatedAt]))
  const lastOf = new Map((await exportStates(sql)).map((state) => [keyOf(state), state]))
  const filled = await filledDatasets(sql)
  return BULK_DATASETS.filter((dataset) => filled.has(dataset))
    .flatMap((dataset) => BULK_FORMATS.map((format) => ({ dataset, format })))
    .filter((one) => {
      const made = madeAt.get(keyOf(one))
      const last = lastOf.get(keyOf(one))
      if (made !== undefined && !isBefore(made, night)) return false
      if (made === undefined && !withMissing && last === undefined) return false
      return !isRecent(last, { night, now, isMissing: made === undefined && withMissing })
    })
}

/** A store may have lost files, or be another one by now. One that does not answer is taken to have them: their exports will tell. */
async function inStore({ files: store, log }: Context, files: BulkFile[], stopping: AbortSignal): Promise<BulkFile[]> {
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(STORE_MS)])
  try {
    const there: BulkFile[] = []
    for (const file of files) if (await store.has(file.name, signal)) there.push(file)
    return there
  } catch (err) {
    stopping.throwIfAborted()
    log.warn({ err }, 'the store of the bulk exports does not answer')
    return files
  }
}

/** Whether it has been asked for since it fell due, with an outcome or with some hope of one. */
function isRecent(
  last: ExportState | undefined,
  { night, now, isMissing }: { night: Temporal.Instant; now: Temporal.Instant; isMissing: boolean },
): boolean {
  if (last === undefined) return false
  const hasEnded = last.outcome !== null && last.outcome !== 'failed' && !isMissing
  return hasEnded ? !isBefore(last.requestedAt, night) : requestedWithinLastHour(last, now)
}

function keyOf({ dataset, format }: DatasetInFormat): string {
  return `${dataset}:${format}`
}

function isBefore(a: Temporal.Instant, b: Temporal.Instant): boolean {
  return Temporal.Instant.compare(a, b) < 0
}
