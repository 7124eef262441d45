/** Files of the bulk exports that can be downloaded, and the outcome of the last export of each. */

import type { Expression, Kysely, SqlBool } from 'kysely'
import { BULK_DATASETS, type BulkDataset, type BulkFormat } from '../api/contract/bulk.ts'
import { FUNDAMENTAL_SERIES } from '../market/fundamentals.ts'
import { MARKET_SERIES_NAMES } from '../market/markets.ts'
import { recordChanges } from './changes.ts'
import type { Sql, Transaction } from './database.ts'
import { run, runOne } from './run.ts'
import type { Schema } from './schema.generated.ts'

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

const bulkFiles = (db: Kysely<Schema>) =>
  db
    .selectFrom('bulk_files')
    .select([
      'name',
      'dataset',
      'format',
      'schema_version as schemaVersion',
      'row_count as rows',
      'bytes',
      'sha256',
      'first_day as firstDay',
      'last_day as lastDay',
      'sources as sourceIds',
      'generated_at as generatedAt',
    ])
    .$narrowType<Pick<BulkFile, 'dataset' | 'format'>>()

/** Returns the offered file; undefined if there is none yet. */
export async function offeredBulkFile(
  sql: Sql,
  dataset: BulkDataset,
  format: BulkFormat,
): Promise<BulkFile | undefined> {
  return runOne(sql, (db) =>
    bulkFiles(db).where('dataset', '=', dataset).where('format', '=', format).where('superseded_at', 'is', null),
  )
}

/** Returns every offered file. */
export async function offeredBulkFiles(sql: Sql): Promise<BulkFile[]> {
  return run(sql, (db) => bulkFiles(db).where('superseded_at', 'is', null).orderBy('dataset').orderBy('format'))
}

/** Returns a file by its name, superseded or not. */
export async function findBulkFile(sql: Sql, name: string): Promise<BulkFile | undefined> {
  return runOne(sql, (db) => bulkFiles(db).where('name', '=', name))
}

/** Offers a file that is already in the store in place of the previous one. */
export async function publishBulkFile(sql: Sql, file: BulkFile): Promise<void> {
  const { name, dataset, format, bytes, sha256, sourceIds: sources, generatedAt: at } = file
  await sql.begin(async (tx: Transaction) => {
    await run(tx, (db) =>
      db
        .updateTable('bulk_files')
        .set(({ fn, val }) => ({ superseded_at: fn('greatest', [val(at), 'generated_at']) }))
        .where('dataset', '=', dataset)
        .where('format', '=', format)
        .where('superseded_at', 'is', null),
    )
    await run(tx, (db) =>
      db.insertInto('bulk_files').values({
        name,
        dataset,
        format,
        schema_version: file.schemaVersion,
        row_count: file.rows,
        bytes,
        sha256,
        first_day: file.firstDay,
        last_day: file.lastDay,
        sources,
        generated_at: at,
      }),
    )
    const details = { dataset, format, sha256 }
    await recordChanges(tx, [{ kind: 'export.ready', dataset: 'exports', details }], { sources, at })
  })
}

/** Records that the file is still up to date. */
export async function confirmBulkFile(sql: Sql, name: string, at: Temporal.Instant): Promise<void> {
  await run(sql, (db) => db.updateTable('bulk_files').set({ generated_at: at }).where('name', '=', name))
}

/** Deletes the rows of files superseded before the instant, and returns their names. */
export async function deleteSupersededFiles(sql: Sql, before: Temporal.Instant): Promise<string[]> {
  const rows = await run(sql, (db) => db.deleteFrom('bulk_files').where('superseded_at', '<', before).returning('name'))
  return rows.map(({ name }) => name)
}

/** Returns the names of all kept files, including exports to order. */
export async function bulkFileNames(sql: Sql): Promise<Set<string>> {
  const rows = await run(sql, (db) =>
    db
      .selectFrom('bulk_files')
      .select('name')
      .unionAll(
        db
          .selectFrom('export_orders')
          .select(({ ref }) => ref('name').$notNull().as('name'))
          .where('name', 'is not', null),
      ),
  )
  return new Set(rows.map(({ name }) => name))
}

/** A file in a format, or the files of the lake. */
type ExportedAs = BulkFormat | 'lake'

export type ExportOutcome = 'published' | 'unchanged' | 'empty' | 'failed'

export interface ExportState {
  dataset: BulkDataset
  format: ExportedAs
  requestedAt: Temporal.Instant
  /** Null while it is queued or running. */
  outcome: ExportOutcome | null
}

export async function exportStates(sql: Sql): Promise<ExportState[]> {
  return run(sql, (db) =>
    db
      .selectFrom('bulk_exports')
      .select(['dataset', 'format', 'requested_at as requestedAt', 'outcome'])
      .$narrowType<Pick<ExportState, 'dataset' | 'format'>>(),
  )
}

/** Records that the export was requested; it has no outcome yet. */
export async function recordExportRequest(
  sql: Sql,
  { dataset, format }: { dataset: BulkDataset; format: ExportedAs },
  at: Temporal.Instant,
): Promise<void> {
  const request = { requested_at: at, ended_at: null, outcome: null, detail: null }
  await run(sql, (db) =>
    db
      .insertInto('bulk_exports')
      .values({ dataset, format, ...request })
      .onConflict((last) => last.columns(['dataset', 'format']).doUpdateSet(request)),
  )
}

/** Records the outcome of an export; `detail` is the reason for a failure. */
export async function recordExportEnd(
  sql: Sql,
  { dataset, format }: { dataset: BulkDataset; format: ExportedAs },
  { at, outcome, detail = null }: { at: Temporal.Instant; outcome: ExportOutcome; detail?: string | null },
): Promise<void> {
  const end = { ended_at: at, outcome, detail }
  await run(sql, (db) =>
    db
      .insertInto('bulk_exports')
      .values({ dataset, format, requested_at: at, ...end })
      .onConflict((last) => last.columns(['dataset', 'format']).doUpdateSet(end)),
  )
}

/** Returns the datasets that have rows, whether or not these may be redistributed. */
export async function nonEmptyDatasets(sql: Sql): Promise<Set<BulkDataset>> {
  const row = await runOne(sql, (db) =>
    db.selectNoFrom((eb) => {
      const has = (table: keyof Schema) => eb.exists(eb.selectFrom(table).select(eb.lit(1).as('row')))
      const hasSeries = (series: readonly string[]) =>
        eb.exists(eb.selectFrom('fundamentals').select(eb.lit(1).as('row')).where('series', 'in', series))
      const intervals = has('price_intervals')
      const filled: Record<BulkDataset, Expression<SqlBool>> = {
        'pun-hourly': intervals,
        'prices-daily': eb.or([intervals, has('daily_prices')]),
        'forecast-history': has('forecasts'),
        'forecasts-hourly': has('hourly_forecasts'),
        'mercato-libero': has('offer_index_days'),
        fundamentals: hasSeries(FUNDAMENTAL_SERIES),
        'zones-quarter-hourly': intervals,
        corrections: eb.or([has('price_interval_revisions'), has('daily_price_revisions')]),
        'bands-monthly': intervals,
        'markets-quarter-hourly': hasSeries(MARKET_SERIES_NAMES),
      }
      return BULK_DATASETS.map((dataset) => eb.parens(filled[dataset]).as(dataset))
    }),
  )
  return new Set(BULK_DATASETS.filter((dataset) => row?.[dataset]))
}
