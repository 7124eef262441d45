/**
 * Makes the files of a request and publishes them: a child process writes them to a temporary path and checks them; then they are stored
 * under new names and recorded in the database. Readers see all of them or none. The next run removes what a killed process has left.
 */
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { BULK_FILE_TYPES, BULK_SCHEMA_VERSION, DOWNLOAD_SECONDS, EXPORT_ORDERS } from '../../api/contract/bulk.ts'
import { toUtcIso } from '../../market/market-day.ts'
import { isBefore } from '../../market/time-order.ts'
import {
  type BulkFile,
  bulkFileNames,
  confirmBulkFile,
  deleteSupersededFiles,
  type ExportOutcome,
  offeredBulkFile,
  publishBulkFile,
} from '../../store/bulk-files.ts'
import type { Sql } from '../../store/database.ts'
import {
  completeExportOrder,
  type ExportOrder,
  failExportOrder,
  recordOrderProgress,
} from '../../store/export-orders.ts'
import { type DatasetInFormat, type FileStore, type ListedFile, objectMetadata } from './file-store.ts'
import type { ExportProgress, FileRequest } from './make-files.ts'
import { type MakerOptions, runMaker } from './run-maker.ts'
import { EXPORT_SECONDS_MAX, removeOrphanedFiles, unfinishedFile } from './unfinished-files.ts'
import type { MadeFile } from './write-file.ts'

/** A download that started just before its URL expired has this long to resume. */
const KEPT_AFTER_EXPIRY_SECONDS = 3_600
/** Interval at which the progress of an order is recorded and its existence is checked. */
const PROGRESS_MS = 1_000
const NO_ROWS = 'There are no rows in this interval that may be passed on in bulk.'

export interface PublishContext extends MakerOptions {
  sql: Sql
  databaseUrl: string
  /** True for a server, false for the embedded engine. */
  isServer: boolean
  store: FileStore
  /** Folder for files before they are stored. */
  folder: string
  now: () => Temporal.Instant
}

/** Makes the files of the request at a temporary path `aside`, which is removed once `publish` has stored and recorded them. */
export async function makeAndPublish<Result, Made extends MadeFile = MadeFile>(
  request: FileRequest,
  publishing: PublishContext,
  publish: (files: Made[], tempPath: string) => Promise<Result>,
): Promise<Result> {
  const { databaseUrl, isServer, folder } = publishing
  await using tempFile = await unfinishedFile(folder)
  await tidyStore(publishing)
  return await publish(
    await runMaker<Made>({ ...request, databaseUrl, isServer, file: tempFile.path }, publishing),
    tempFile.path,
  )
}

export interface PublishFileResult {
  outcome: Exclude<ExportOutcome, 'failed'>
  /** Undefined if there are no rows to share. */
  file: BulkFile | undefined
}

/** Publishes the file of a dataset; the previous file remains until every URL signed for it has expired. */
export function publishFile(of: DatasetInFormat, publishing: PublishContext): Promise<PublishFileResult> {
  const { sql, store, now, signal } = publishing
  return makeAndPublish(of, publishing, async ([made], localPath) => {
    if (made === undefined) return { outcome: 'empty', file: undefined }
    const generatedAt = now()
    const offered = await offeredBulkFile(sql, of.dataset, of.format)
    if (offered?.sha256 === made.sha256 && (await store.has(offered, signal))) {
      await confirmBulkFile(sql, offered.name, generatedAt)
      return { outcome: 'unchanged', file: { ...offered, generatedAt } }
    }
    const { days, ...about } = made
    const file: BulkFile = {
      ...{ ...of, ...about, name: newFileName(of, generatedAt), schemaVersion: BULK_SCHEMA_VERSION, generatedAt },
      ...{ firstDay: days.from, lastDay: days.to },
    }
    await store.put(localPath, file.name, objectMetadata(file), signal)
    await publishBulkFile(sql, file)
    return { outcome: 'published', file }
  })
}

export type PublishOrderResult =
  | { outcome: 'ready'; rows: number; bytes: number }
  /** `empty`: no rows, so the order has failed. `dropped`: the order was deleted, or another attempt has replaced this one. */
  | { outcome: 'empty' | 'dropped' }

/** Publishes the file of an export to order. Stops if the order is deleted, or restarted because this process was presumed dead. */
export async function publishOrder(order: ExportOrder, publishing: PublishContext): Promise<PublishOrderResult> {
  const { sql, store, now, signal } = publishing
  const { dataset, format, firstDay: from, lastDay: to, parts, columns, asOf } = order
  const filter = { from, to, parts: parts ?? undefined, asOf: asOf?.toString() }
  using watch = watchOrder(order, publishing)
  try {
    const request = { dataset, format, filter, columns: columns ?? undefined }
    return await makeAndPublish(request, { ...publishing, ...watch }, async ([made], exportPath) => {
      if (made === undefined) {
        await failExportOrder(sql, order, { at: now(), problem: NO_ROWS })
        return { outcome: 'empty' }
      }
      const name = newFileName(order, now())
      await store.put(exportPath, name, objectMetadata(order), signal)
      const at = now()
      const until = { at, expiresAt: at.add({ hours: EXPORT_ORDERS.fileHours }) }
      if (await completeExportOrder(sql, order, { ...made, name }, until)) return { outcome: 'ready', ...made }
      await store.remove(name, signal)
      return { outcome: 'dropped' }
    })
  } catch (err) {
    if (watch.isDropped()) return { outcome: 'dropped' }
    throw err
  }
}

/** Records the progress. The returned signal aborts with the job's signal, or once the order is gone. */
function watchOrder(order: ExportOrder, { sql, signal }: PublishContext) {
  const dropped = new AbortController()
  let progress: ExportProgress = { rows: 0, percent: 0 }
  const record = async () => {
    if (!(await recordOrderProgress(sql, order, progress))) dropped.abort()
  }
  // Errors are ignored here: if the database is unreachable, the export itself fails.
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

/** Puts a small file with this content into the store. */
export async function putContent(
  { store, folder, signal }: Pick<PublishContext, 'store' | 'folder' | 'signal'>,
  { name, mediaType }: { name: string; mediaType: string },
  content: Buffer | string,
): Promise<void> {
  await using contentFile = await unfinishedFile(folder)
  await writeFile(contentFile.path, content, { flush: true })
  await store.put(contentFile.path, name, { mediaType, filename: path.basename(name) }, signal)
}

/** Removes superseded files that can no longer be downloading, and files of dead processes. */
async function tidyStore({ sql, store, folder, now, signal }: PublishContext): Promise<void> {
  await removeOrphanedFiles(folder)
  const expired = now().subtract({ seconds: DOWNLOAD_SECONDS + KEPT_AFTER_EXPIRY_SECONDS })
  for (const name of await deleteSupersededFiles(sql, expired)) await store.remove(name, signal)
  const known = await bulkFileNames(sql)
  await removeOld(
    { store, signal },
    (await store.list('', signal)).filter(({ name }) => !known.has(name)),
  )
}

/** Removes the files that are old, left by processes that died. A recent file may still be in the middle of publication. */
export async function removeOld(
  { store, signal }: Pick<PublishContext, 'store' | 'signal'>,
  files: readonly ListedFile[],
): Promise<void> {
  const old = Temporal.Now.instant().subtract({ seconds: EXPORT_SECONDS_MAX })
  for (const { name, storedAt } of files) if (isBefore(storedAt, old)) await store.remove(name, signal)
}

/** A new name in the store. */
function newFileName({ dataset, format }: DatasetInFormat, at: Temporal.Instant): string {
  const stamp = toUtcIso(at).replaceAll(/[-:]/g, '')
  return `${dataset}-${stamp}-${randomBytes(4).toString('hex')}.${BULK_FILE_TYPES[format].extension}`
}
