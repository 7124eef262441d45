/**
 * Makes the file of an export to order, as those of the night are made: written aside in a child process, checked, stored under a new
 * name, then recorded. The owner sees a whole file or none. An order that is deleted meanwhile, or begun again elsewhere because this
 * process was thought dead, ends the work.
 */
import { EXPORT_ORDERS } from '../../api/contract/bulk.ts'
import {
  completeExportOrder,
  type ExportOrder,
  failExportOrder,
  recordOrderProgress,
} from '../../store/export-orders.ts'
import type { ExportProgress } from './export-progress.ts'
import { objectMetadata } from './file-store.ts'
import { newFileName, type Publishing, tidyStore } from './publish-export.ts'
import { runExport } from './run-export.ts'
import { unfinishedFile } from './unfinished-files.ts'

/** How often progress is recorded, and the order looked for. */
const PROGRESS_MS = 1_000
const NO_ROWS = 'There are no rows in this interval that may be passed on in bulk.'

export type FilledOrder =
  | { outcome: 'ready'; rows: number; bytes: number }
  /** `empty`: no rows; the order has failed. `dropped`: nobody waits for this attempt. */
  | { outcome: 'empty' | 'dropped' }

export async function fillOrder(order: ExportOrder, publishing: Publishing): Promise<FilledOrder> {
  const { sql, store, folder, now, databaseUrl, isServer } = publishing
  await using aside = await unfinishedFile(folder)
  await tidyStore(publishing)
  using watch = watchOrder(order, publishing)
  const { niceness, onStart } = publishing
  const exported = await runExport(
    {
      ...{ databaseUrl, isServer, dataset: order.dataset, format: order.format, file: aside.path },
      wanted: {
        ...{ from: order.firstDay, to: order.lastDay, parts: order.parts ?? undefined },
        asOf: order.asOf?.toString(),
      },
      columns: order.columns ?? undefined,
    },
    {
      signal: watch.signal,
      onProgress: watch.onProgress,
      ...(niceness !== undefined && { niceness }),
      ...(onStart && { onStart }),
    },
  ).catch((err: unknown) => {
    if (watch.isDropped()) return 'dropped' as const
    throw err
  })
  if (exported === 'dropped') return { outcome: 'dropped' }
  if (exported === undefined) {
    await failExportOrder(sql, order, { at: now(), problem: NO_ROWS })
    return { outcome: 'empty' }
  }
  const name = newFileName(order, now())
  await store.put(aside.path, name, objectMetadata(order), publishing.signal)
  const at = now()
  const until = { at, expiresAt: at.add({ hours: EXPORT_ORDERS.fileHours }) }
  if (await completeExportOrder(sql, order, { ...exported, name }, until)) return { outcome: 'ready', ...exported }
  await store.remove(name, publishing.signal)
  return { outcome: 'dropped' }
}

/** Records the progress; its signal aborts, as the job's does, once the order is gone. */
function watchOrder(order: ExportOrder, { sql, signal }: Publishing) {
  const dropped = new AbortController()
  let progress: ExportProgress = { rows: 0, percent: 0 }
  const record = async () => {
    if (!(await recordOrderProgress(sql, order, progress))) dropped.abort()
  }
  // A database that does not answer now is noticed by the export itself.
  const timer = setInterval(() => void record().catch(() => {}), PROGRESS_MS)
  return {
    signal: AbortSignal.any([signal, dropped.signal]),
    isDropped: () => dropped.signal.aborted,
    onProgress: (latest: ExportProgress) => {
      progress = latest
    },
    [Symbol.dispose]: () => clearInterval(timer),
  }
}
