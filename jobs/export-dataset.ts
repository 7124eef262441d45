/** Creates the file of one dataset in one format and offers it for download; on failure the previous file remains. */
import { z } from 'zod'
import { BULK_DATASETS, BULK_FORMATS } from '../src/api/contract/bulk.ts'
import { type Publishing, publishExport } from '../src/delivery/bulk/publish-export.ts'
import { EXPORT_SECONDS_MAX } from '../src/delivery/bulk/unfinished-files.ts'
import { bulkExportEnded, bulkExportFailed } from '../src/platform/events.ts'
import type { Context } from '../src/service/context.ts'
import { job } from '../src/service/job.ts'
import { type ExportOutcome, type ExportState, recordExportEnd } from '../src/store/bulk-files.ts'

export const exportDataset = job({
  queue: 'bulk.export',
  payload: z.object({ dataset: z.enum(BULK_DATASETS), format: z.enum(BULK_FORMATS) }),
  oneWaiting: true,
  once: ({ dataset, format }) => `${dataset}:${format}`,
  retry: { limit: 4, backoffSeconds: 15 },
  expireSeconds: EXPORT_SECONDS_MAX,
  heartbeatSeconds: 30,
  async run({ payload, ctx, signal }) {
    await runExportJob(payload, { ctx, signal }, async (publishing) => {
      const { outcome, file } = await publishExport(payload, publishing)
      return { outcome, rows: file?.rows, bytes: file?.bytes }
    })
  },
})

interface Ended {
  outcome: Exclude<ExportOutcome, 'failed'>
  rows: number | undefined
  bytes: number | undefined
}

/** Publishes, and records how it ended in the database and the log. */
export async function runExportJob(
  what: Pick<ExportState, 'dataset' | 'format'>,
  { ctx, signal }: { ctx: Context; signal: AbortSignal },
  publish: (publishing: Publishing) => Promise<Ended>,
): Promise<void> {
  const { database, clock, log, stopping } = ctx
  const { sql } = database
  const started = performance.now()
  try {
    const { outcome, rows, bytes } = await publish(publishingOf(ctx, signal))
    await recordExportEnd(sql, what, { at: clock.now(), outcome })
    const seconds = Math.round((performance.now() - started) / 100) / 10
    bulkExportEnded(log, { ...what, outcome, rows, bytes, seconds })
  } catch (err) {
    if (signal.aborted || stopping.aborted) throw err // not failed, abandoned: the queue says so and runs it again
    const detail = err instanceof Error ? err.message : String(err)
    bulkExportFailed(log, { ...what, cause: err })
    await recordExportEnd(sql, what, { at: clock.now(), outcome: 'failed', detail })
    throw err
  }
}

export function publishingOf(
  { database, config, files, databaseUrl, clock }: Context,
  signal: AbortSignal,
): Publishing {
  return {
    sql: database.sql,
    databaseUrl: databaseUrl.reveal(),
    isServer: config.database.url !== undefined,
    store: files,
    folder: config.bulk.folder,
    now: () => clock.now(),
    signal,
  }
}
