/**
 * Queues the bulk exports that are due: all of them every night, and the missing ones whenever data have arrived or a download found no
 * file. What is due follows from the database, the store and the process's clock; a night missed while the service was down is caught up at
 * the next start.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { BULK_DATASETS, BULK_FORMATS, EXPORT_ORDERS } from '../src/api/contract/bulk.ts'
import { DATASETS } from '../src/delivery/bulk/datasets/index.ts'
import { canRequestExport } from '../src/delivery/bulk/export-retry-rule.ts'
import { EXPORT_SECONDS_MAX } from '../src/delivery/bulk/unfinished-files.ts'
import { MARKET_TIME_ZONE } from '../src/market/market-day.ts'
import { isBefore } from '../src/market/time-order.ts'
import type { Context } from '../src/service/context.ts'
import { job } from '../src/service/job.ts'
import {
  type BulkFile,
  type ExportState,
  exportStates,
  nonEmptyDatasets,
  offeredBulkFiles,
  recordExportRequest,
} from '../src/store/bulk-files.ts'
import { tableVersion } from '../src/store/bulk-rows.ts'
import { deleteExportOrders, expireOrderedFiles, stalledExportOrders } from '../src/store/export-orders.ts'
import { makeFile, makeFilesByYear, makeOrderedFile } from './make-files.ts'

/** Time of the nightly exports, after the hours that a daylight-saving change skips or repeats and after maintenance. */
const EXPORT_TIME = '04:40'
/** Timeout for all requests to the store; shorter than the job's own. */
const STORE_MS = 20_000
/** The embedded engine cannot keep a snapshot while rows arrive, so a file that is begun during an import would fail. */
const SETTLED_MS = 2_000

export const planExports = job({
  queue: 'bulk.plan',
  /** `missing`: data have arrived, or a download found no file; files that do not exist yet are due too. */
  payload: z.object({ missing: z.boolean().default(false) }),
  isDeduplicated: true,
  dedupeKey: ({ missing }) => (missing ? 'missing' : 'nightly'),
  retry: { limit: 2, backoffSeconds: 30 },
  expireSeconds: 60,
  async run({ payload, ctx, signal }) {
    await tidyOrders(ctx, signal)
    if (!ctx.config.bulk.exports) return
    const due = await dueExports(ctx, payload.missing, signal)
    const settled = ctx.config.database.url === undefined ? await settledExports(due, ctx, signal) : due
    for (const one of settled) {
      const { dataset, format } = one
      await recordExportRequest(ctx.database.sql, one, ctx.clock.now())
      await (format === 'lake'
        ? ctx.queue.send(makeFilesByYear, { dataset })
        : ctx.queue.send(makeFile, { dataset, format }))
    }
    if (settled.length < due.length) await ctx.queue.send(planExports, payload)
  },
})

/** Removes expired files of orders, and requeues orders that no worker is processing. */
async function tidyOrders({ database: { sql }, clock, files, queue }: Context, signal: AbortSignal): Promise<void> {
  const now = clock.now()
  for (const name of await expireOrderedFiles(sql, now)) await files.remove(name, signal)
  await deleteExportOrders(sql, now.subtract({ hours: EXPORT_ORDERS.listedHours }))
  const stalled = await stalledExportOrders(sql, now.subtract({ seconds: EXPORT_SECONDS_MAX }))
  for (const { id } of stalled) await queue.send(makeOrderedFile, { id })
}

/** Returns the latest instant at which files were due. */
export function lastExportTime(now: Temporal.Instant): Temporal.Instant {
  const local = now.toZonedDateTimeISO(MARKET_TIME_ZONE)
  const today = local.withPlainTime(EXPORT_TIME)
  return (Temporal.ZonedDateTime.compare(today, local) > 0 ? today.subtract({ days: 1 }) : today).toInstant()
}

type Export = Pick<ExportState, 'dataset' | 'format'>

/** Returns the nightly exports and the missing ones. Files by year that a store has lost are found by their own job. */
async function dueExports(ctx: Context, withMissing: boolean, signal: AbortSignal): Promise<Export[]> {
  const { sql } = ctx.database
  const now = ctx.clock.now()
  const night = lastExportTime(now)
  const offered = await offeredBulkFiles(sql)
  const there = withMissing ? await filterStored(ctx, offered, signal) : offered
  const madeAt = new Map(there.map((file) => [keyOf(file), file.generatedAt]))
  const lastOf = new Map((await exportStates(sql)).map((state) => [keyOf(state), state]))
  const filled = await nonEmptyDatasets(sql)
  return BULK_DATASETS.filter((dataset) => filled.has(dataset))
    .flatMap((dataset) => ([...BULK_FORMATS, 'lake'] as const).map((format) => ({ dataset, format })))
    .filter((one) => {
      const made = madeAt.get(keyOf(one))
      const last = lastOf.get(keyOf(one))
      if (made !== undefined && !isBefore(made, night)) return false
      if (made === undefined && !withMissing && last === undefined) return false
      const isMissing = made === undefined && withMissing && one.format !== 'lake'
      return !isRecent(last, { night, now, isMissing })
    })
}

/** Exports whose rows have not changed for `SETTLED_MS`. */
async function settledExports(due: Export[], { database: { sql } }: Context, signal: AbortSignal): Promise<Export[]> {
  if (due.length === 0) return due
  const datasets = [...new Set(due.map(({ dataset }) => dataset))]
  const versions = () => Promise.all(datasets.map((dataset) => tableVersion(sql, DATASETS[dataset].tables)))
  const before = await versions()
  await sleep(SETTLED_MS, undefined, { signal })
  const after = await versions()
  return due.filter(({ dataset }) => before[datasets.indexOf(dataset)] === after[datasets.indexOf(dataset)])
}

/** Returns the files that the store still has. If it does not answer, all are assumed to be there: their exports will show. */
async function filterStored(
  { files: store, log }: Context,
  files: BulkFile[],
  stopping: AbortSignal,
): Promise<BulkFile[]> {
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(STORE_MS)])
  try {
    const there: BulkFile[] = []
    for (const file of files) if (await store.has(file, signal)) there.push(file)
    return there
  } catch (err) {
    stopping.throwIfAborted()
    log.warn({ err }, 'the store of the bulk exports does not answer')
    return files
  }
}

/** Whether it was requested since it fell due, and has completed or may still complete. */
function isRecent(
  last: ExportState | undefined,
  { night, now, isMissing }: { night: Temporal.Instant; now: Temporal.Instant; isMissing: boolean },
): boolean {
  if (last === undefined) return false
  const hasEnded = last.outcome !== null && last.outcome !== 'failed' && !isMissing
  return hasEnded ? !isBefore(last.requestedAt, night) : !canRequestExport(last, now)
}

function keyOf({ dataset, format }: Export): string {
  return `${dataset}:${format}`
}
