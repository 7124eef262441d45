/** Makes the file of an export to order. An attempt that fails or dies is made again, by whichever worker; after the last one the order has failed. */
import { z } from 'zod'
import { type FilledOrder, fillOrder as fill } from '../src/delivery/bulk/fill-order.ts'
import { EXPORT_SECONDS_MAX } from '../src/delivery/bulk/unfinished-files.ts'
import { exportOrderEnded, exportOrderFailed } from '../src/platform/events.ts'
import type { Context } from '../src/service/context.ts'
import { job } from '../src/service/job.ts'
import { type ExportOrder, failExportOrder, requeueExportOrder, startExportOrder } from '../src/store/export-orders.ts'
import { publishingOf } from './export-dataset.ts'

const ATTEMPTS = 5
const FAILED = 'The file could not be made. Order it again; if it fails again, tell us its id.'

export const fillOrder = job({
  queue: 'bulk.order',
  payload: z.object({ id: z.string() }),
  oneWaiting: true,
  once: ({ id }) => id,
  retry: { limit: ATTEMPTS - 1, backoffSeconds: 5 },
  expireSeconds: EXPORT_SECONDS_MAX,
  heartbeatSeconds: 30,
  async run({ payload: { id }, ctx, signal }) {
    const order = await startExportOrder(ctx.database.sql, id, ctx.clock.now())
    if (order === undefined) return
    if (order.attempts > ATTEMPTS) {
      await failExportOrder(ctx.database.sql, order, { at: ctx.clock.now(), problem: FAILED })
      return
    }
    const started = performance.now()
    const filled = await attempt(order, ctx, signal)
    const seconds = Math.round((performance.now() - started) / 100) / 10
    exportOrderEnded(ctx.log, { order: id, dataset: order.dataset, format: order.format, seconds, ...filled })
  },
})

async function attempt(order: ExportOrder, ctx: Context, signal: AbortSignal): Promise<FilledOrder> {
  const { sql } = ctx.database
  try {
    return await fill(order, publishingOf(ctx, signal))
  } catch (err) {
    if (signal.aborted || ctx.stopping.aborted) throw err // not failed, abandoned
    exportOrderFailed(ctx.log, { order: order.id, attempt: order.attempts, cause: err })
    if (order.attempts < ATTEMPTS) await requeueExportOrder(sql, order)
    else await failExportOrder(sql, order, { at: ctx.clock.now(), problem: FAILED })
    throw err
  }
}
