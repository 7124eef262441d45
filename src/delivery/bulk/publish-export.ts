/**
 * Makes the file of a dataset and publishes it: written to a temporary file and checked, then stored, then recorded in the database.
 * Readers see either the previous file or the new one, complete. The previous file remains until every URL signed for it has expired.
 */
import { randomBytes } from 'node:crypto'
import { BULK_FILE_TYPES, BULK_SCHEMA_VERSION, DOWNLOAD_SECONDS } from '../../api/contract/bulk.ts'
import { toUtcIso } from '../../market/market-day.ts'
import {
  type BulkFile,
  bulkFileNames,
  confirmBulkFile,
  type ExportOutcome,
  forgetSupersededFiles,
  offeredBulkFile,
  publishBulkFile,
} from '../../store/bulk-files.ts'
import type { Sql } from '../../store/database.ts'
import type { ExportedFile } from './export-dataset.ts'
import { type DatasetInFormat, type FileStore, objectMetadata } from './file-store.ts'
import { runExport } from './run-export.ts'
import { EXPORT_SECONDS_MAX, removeDebris, unfinishedFile } from './unfinished-files.ts'

/** A download that started just before its URL expired has this long to resume. */
const KEPT_AFTER_EXPIRY_SECONDS = 3_600

export interface Publishing {
  sql: Sql
  databaseUrl: string
  /** A server, and not the embedded engine. */
  isServer: boolean
  store: FileStore
  /** Where files are written before they are published. */
  folder: string
  now: () => Temporal.Instant
  signal: AbortSignal
  /** As `os.constants.priority`; the lowest by default. */
  niceness?: number
  /** Called with the id of the process that writes. */
  onStart?: (pid: number) => void
}

export interface Published {
  outcome: Exclude<ExportOutcome, 'failed'>
  /** Undefined if there are no rows to share. */
  file: BulkFile | undefined
}

export async function publishExport({ dataset, format }: DatasetInFormat, publishing: Publishing): Promise<Published> {
  const { sql, store, folder, now, databaseUrl, isServer, signal, niceness, onStart } = publishing
  await using aside = await unfinishedFile(folder)
  await tidyStore(publishing)
  const task = { databaseUrl, isServer, dataset, format, file: aside.path }
  const exported = await runExport(task, {
    signal,
    ...(niceness !== undefined && { niceness }),
    ...(onStart && { onStart }),
  })
  if (exported === undefined) return { outcome: 'empty', file: undefined }
  const generatedAt = now()
  const offered = await offeredBulkFile(sql, dataset, format)
  if (offered?.sha256 === exported.sha256 && (await store.has(offered, signal))) {
    await confirmBulkFile(sql, offered.name, generatedAt)
    return { outcome: 'unchanged', file: { ...offered, generatedAt } }
  }
  const file = describe({ dataset, format }, exported, generatedAt)
  await store.put(aside.path, file.name, objectMetadata(file), signal)
  await publishBulkFile(sql, file)
  return { outcome: 'published', file }
}

/** Removes files that nobody can be downloading any more, and those of dead processes. */
export async function tidyStore({ sql, store, folder, now, signal }: Publishing): Promise<void> {
  await removeDebris(folder)
  const expired = now().subtract({ seconds: DOWNLOAD_SECONDS + KEPT_AFTER_EXPIRY_SECONDS })
  for (const name of await forgetSupersededFiles(sql, expired)) await store.remove(name, signal)
  // In the store but not in the database: put there by a process that died before recording it, or being published now.
  const old = Temporal.Now.instant().subtract({ seconds: EXPORT_SECONDS_MAX })
  const stored = (await store.list('', signal)).filter(({ storedAt }) => Temporal.Instant.compare(storedAt, old) < 0)
  const known = await bulkFileNames(sql)
  for (const { name } of stored) if (!known.has(name)) await store.remove(name, signal)
}

/** A new name in the store. */
export function newFileName({ dataset, format }: DatasetInFormat, at: Temporal.Instant): string {
  const stamp = toUtcIso(at).replaceAll(/[-:]/g, '')
  return `${dataset}-${stamp}-${randomBytes(4).toString('hex')}.${BULK_FILE_TYPES[format].extension}`
}

function describe(of: DatasetInFormat, exported: ExportedFile, generatedAt: Temporal.Instant): BulkFile {
  return {
    ...of,
    name: newFileName(of, generatedAt),
    schemaVersion: BULK_SCHEMA_VERSION,
    rows: exported.rows,
    bytes: exported.bytes,
    sha256: exported.sha256,
    firstDay: exported.days.from,
    lastDay: exported.days.to,
    sourceIds: exported.sourceIds,
    generatedAt,
  }
}
