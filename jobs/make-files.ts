/**
 * Makes files: one of a dataset, those by year, and one that was ordered. The three queues keep their names, so that jobs waiting during an
 * update still run. On failure the previous files remain.
 */
import { z } from 'zod'
import { BULK_DATASETS, BULK_FORMATS } from '../src/api/contract/bulk.ts'
import { type PublishContext, publishFile, publishOrder } from '../src/delivery/bulk/publish-files.ts'
import { EXPORT_SECONDS_MAX } from '../src/delivery/bulk/unfinished-files.ts'
import { bulkExportEnded, bulkExportFailed, exportOrderEnded, exportOrderFailed } from '../src/platform/events.ts'
import type { Context } from '../src/service/context.ts'
import { job } from '../src/service/job.ts'
import { type ExportOutcome, type ExportState, recordExportEnd } from '../src/store/bulk-files.ts'
import { failExportOrder, requeueExportOrder, startExportOrder } from '../src/store/export-orders.ts'

const ORDER_ATTEMPTS = 5
const ORDER_FAILED = 'The file could not be made. Order it again; if it fails again, tell us its id.'

const LIMITS = { isDeduplicated: true, expireSeconds: EXPORT_SECONDS_MAX, heartbeatSeconds: 30 } as const

interface Run {
  ctx: Context
  signal: AbortSignal
}

export const makeFile = job({
  ...LIMITS,
  queue: 'bulk.export',
  payload: z.object({ dataset: z.enum(BULK_DATASETS), format: z.enum(BULK_FORMATS) }),
  dedupeKey: ({ dataset, format }) => `${dataset}:${format}`,
  retry: { limit: 4, backoffSeconds: 15 },
  run: ({ payload, ctx, signal }) =>
    publishAndRecord(payload, { ctx, signal }, async (publishing) => {
      const { outcome, file } = await publishFile(payload, publishing)
      return { outcome, rows: file?.rows, bytes: file?.bytes }
    }),
})

export const makeFilesByYear = job({
  ...LIMITS,
  queue: 'bulk.lake',
  payload: z.object({ dataset: z.enum(BULK_DATASETS) }),
  dedupeKey: ({ dataset }) => dataset,
  retry: { limit: 4, backoffSeconds: 15 },
  run: ({ payload: { dataset }, ctx, signal }) =>
    publishAndRecord({ dataset, format: 'lake' }, { ctx, signal }, async (publishing) => {
      const { publishLake } = await import('../src/delivery/lake/publish-lake.ts')
      return publishLake(dataset, publishing)
    }),
})

/** A failed or interrupted attempt is retried by any worker; after the last one the order has failed. */
export const makeOrderedFile = job({
  ...LIMITS,
  queue: 'bulk.order',
  payload: z.object({ id: z.string() }),
  dedupeKey: ({ id }) => id,
  retry: { limit: ORDER_ATTEMPTS - 1, backoffSeconds: 5 },
  async run({ payload: { id }, ctx, signal }) {
    const { sql } = ctx.database
    const order = await startExportOrder(sql, id, ctx.clock.now())
    if (order === undefined) return
    const { dataset, format, attempts } = order
    const fail = () => failExportOrder(sql, order, { at: ctx.clock.now(), problem: ORDER_FAILED })
    if (attempts > ORDER_ATTEMPTS) return await fail()
    await timed(
      { ctx, signal },
      (publishing) => publishOrder(order, publishing),
      (published, seconds) => exportOrderEnded(ctx.log, { order: id, dataset, format, seconds, ...published }),
      async (cause) => {
        exportOrderFailed(ctx.log, { order: id, attempt: attempts, cause })
        await (attempts < ORDER_ATTEMPTS ? requeueExportOrder(sql, order) : fail())
      },
    )
  },
})

interface ExportResult {
  outcome: Exclude<ExportOutcome, 'failed'>
  rows: number | undefined
  bytes: number | undefined
}

/** Publishes, and records the outcome in the database and the log. */
export async function publishAndRecord(
  of: Pick<ExportState, 'dataset' | 'format'>,
  run: Run,
  publish: (publishing: PublishContext) => Promise<ExportResult>,
): Promise<void> {
  const { database, clock, log } = run.ctx
  const record = (outcome: ExportOutcome, detail?: string) =>
    recordExportEnd(database.sql, of, { at: clock.now(), outcome, ...(detail && { detail }) })
  await timed(
    run,
    publish,
    async ({ outcome, rows, bytes }, seconds) => {
      await record(outcome)
      bulkExportEnded(log, { ...of, outcome, rows, bytes, seconds })
    },
    async (cause) => {
      bulkExportFailed(log, { ...of, cause })
      await record('failed', cause instanceof Error ? cause.message : String(cause))
    },
  )
}

async function timed<Result>(
  { ctx, signal }: Run,
  publish: (publishing: PublishContext) => Promise<Result>,
  ended: (result: Result, seconds: number) => Promise<void> | void,
  failed: (cause: unknown) => Promise<void>,
): Promise<void> {
  const { database, config, files, databaseUrl, clock, stopping, sampleData } = ctx
  const started = performance.now()
  const publishing: PublishContext = {
    ...{ sql: database.sql, databaseUrl: databaseUrl.reveal(), isServer: config.database.url !== undefined },
    ...{ store: files, folder: config.bulk.folder, now: () => clock.now(), signal },
  }
  const sampleEnd = await sampleData.end()
  try {
    const result = await publish(publishing).catch(async (err: unknown) => {
      const isOfSample = sampleEnd === undefined && (await sampleData.end()) !== undefined
      if (!isOfSample) throw err
      return publish(publishing) // a publisher's values have replaced the sample data meanwhile
    })
    await ended(result, Math.round((performance.now() - started) / 100) / 10)
  } catch (err) {
    if (!signal.aborted && !stopping.aborted) await failed(err) // otherwise abandoned: the queue logs this and runs it again
    throw err
  }
}
