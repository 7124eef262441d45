/** Files of the bulk exports that can be downloaded, and the outcome of the last export of each. */
import type { BulkDataset, BulkFormat } from '../api/contract/bulk.ts'
import { recordChanges } from './changes.ts'
import type { Sql, Transaction } from './database.ts'

export interface BulkFile {
  name: string
  dataset: BulkDataset
  format: BulkFormat
  schemaVersion: number
  rows: number
  bytes: number
  sha256: string
  /** YYYY-MM-DD */
  firstDay: string
  lastDay: string
  sourceIds: string[]
  generatedAt: Temporal.Instant
}

const COLUMNS = `name, dataset, format, schema_version as "schemaVersion", row_count as rows, bytes, sha256, first_day as "firstDay",
  last_day as "lastDay", sources as "sourceIds", generated_at as "generatedAt"`

/** The file that is offered; undefined where there is none yet. */
export async function offeredBulkFile(
  sql: Sql,
  dataset: BulkDataset,
  format: BulkFormat,
): Promise<BulkFile | undefined> {
  const [file] = await sql<BulkFile[]>`
    select ${sql.unsafe(COLUMNS)} from bulk_files
    where dataset = ${dataset} and format = ${format} and superseded_at is null`
  return file
}

/** Every file that is offered. */
export async function offeredBulkFiles(sql: Sql): Promise<BulkFile[]> {
  return sql<BulkFile[]>`
    select ${sql.unsafe(COLUMNS)} from bulk_files where superseded_at is null order by dataset, format`
}

/** A file by its name, superseded or not. */
export async function bulkFileNamed(sql: Sql, name: string): Promise<BulkFile | undefined> {
  const [file] = await sql<BulkFile[]>`select ${sql.unsafe(COLUMNS)} from bulk_files where name = ${name}`
  return file
}

/** Offers the file, which is in the store, in place of the one before. */
export async function publishBulkFile(sql: Sql, file: BulkFile): Promise<void> {
  const at = file.generatedAt.toString()
  await sql.begin(async (tx: Transaction) => {
    await tx`
      update bulk_files set superseded_at = greatest(${at}::timestamptz, generated_at)
      where dataset = ${file.dataset} and format = ${file.format} and superseded_at is null`
    await tx`
      insert into bulk_files (
        name, dataset, format, schema_version, row_count, bytes, sha256, first_day, last_day, sources, generated_at
      ) values (
        ${file.name}, ${file.dataset}, ${file.format}, ${file.schemaVersion}, ${file.rows}, ${file.bytes}, ${file.sha256},
        ${file.firstDay}, ${file.lastDay}, ${file.sourceIds}, ${at}::timestamptz
      )`
    const { dataset, format, sha256 } = file
    await recordChanges(tx, [{ kind: 'export.ready', dataset: 'exports', details: { dataset, format, sha256 } }], {
      sources: file.sourceIds,
      at: file.generatedAt,
    })
  })
}

/** Records that the file is still up to date. */
export async function confirmBulkFile(sql: Sql, name: string, at: Temporal.Instant): Promise<void> {
  await sql`update bulk_files set generated_at = ${at.toString()}::timestamptz where name = ${name}`
}

/** Deletes the rows of files superseded before the instant, and returns their names. */
export async function forgetSupersededFiles(sql: Sql, before: Temporal.Instant): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    delete from bulk_files where superseded_at < ${before.toString()}::timestamptz returning name`
  return rows.map(({ name }) => name)
}

/** Of every file that is kept, those of exports to order included. */
export async function bulkFileNames(sql: Sql): Promise<Set<string>> {
  const rows = await sql<{ name: string }[]>`
    select name from bulk_files union all select name from export_orders where name is not null`
  return new Set(rows.map(({ name }) => name))
}

/** A file in a format, or the files of the lake. */
type ExportedAs = BulkFormat | 'lake'

export type ExportOutcome = 'published' | 'unchanged' | 'empty' | 'failed'

export interface ExportState {
  dataset: BulkDataset
  format: ExportedAs
  requestedAt: Temporal.Instant
  /** Null while it waits or runs. */
  outcome: ExportOutcome | null
}

export async function exportStates(sql: Sql): Promise<ExportState[]> {
  return sql<ExportState[]>`select dataset, format, requested_at as "requestedAt", outcome from bulk_exports`
}

/** Records that the export was requested; it has no outcome yet. */
export async function recordExportRequest(
  sql: Sql,
  { dataset, format }: { dataset: BulkDataset; format: ExportedAs },
  at: Temporal.Instant,
): Promise<void> {
  await sql`
    insert into bulk_exports (dataset, format, requested_at) values (${dataset}, ${format}, ${at.toString()}::timestamptz)
    on conflict (dataset, format) do update
      set requested_at = excluded.requested_at, ended_at = null, outcome = null, detail = null`
}

/** Its outcome; `detail` is why it failed. */
export async function recordExportEnd(
  sql: Sql,
  { dataset, format }: { dataset: BulkDataset; format: ExportedAs },
  { at, outcome, detail = null }: { at: Temporal.Instant; outcome: ExportOutcome; detail?: string | null },
): Promise<void> {
  await sql`
    insert into bulk_exports (dataset, format, requested_at, ended_at, outcome, detail)
    values (${dataset}, ${format}, ${at.toString()}::timestamptz, ${at.toString()}::timestamptz, ${outcome}, ${detail})
    on conflict (dataset, format) do update
      set ended_at = excluded.ended_at, outcome = excluded.outcome, detail = excluded.detail`
}

/** Datasets with any rows, whether or not they may be redistributed. */
export async function filledDatasets(sql: Sql): Promise<Set<BulkDataset>> {
  const [row] = await sql<Record<BulkDataset, boolean>[]>`
    select exists (select from price_intervals) as "pun-hourly",
           exists (select from price_intervals) or exists (select from daily_prices) as "prices-daily",
           exists (select from forecasts) as "forecast-history",
           exists (select from hourly_forecasts) as "forecasts-hourly",
           exists (select from offer_index_days) as "mercato-libero",
           exists (select from fundamentals) as fundamentals,
           exists (select from price_intervals) as "zones-quarter-hourly",
           exists (select from price_interval_revisions) or exists (select from daily_price_revisions) as corrections,
           exists (select from price_intervals) as "bands-monthly"`
  return new Set(Object.entries(row ?? {}).flatMap(([name, isFilled]) => (isFilled ? [name as BulkDataset] : [])))
}
