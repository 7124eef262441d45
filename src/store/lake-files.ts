/** The tables of the lake: their files, and the snapshots that record when each file was present. */

import type { Kysely } from 'kysely'
import type { BulkDataset } from '../api/contract/bulk.ts'
import type { Sql, Transaction } from './database.ts'
import { run, runOne } from './run.ts'
import type { Schema } from './schema.generated.ts'

export interface ColumnStatistics {
  /** Same types as in chunks (`delivery/bulk/column.ts`); null if all values are missing. */
  min: string | number | null
  max: string | number | null
  nulls: number
}

export interface LakeSnapshot {
  dataset: BulkDataset
  sequence: number
  id: number
  schemaVersion: number
  columnCount: number
  location: string
  takenAt: Temporal.Instant
}

export interface LakeFile {
  name: string
  dataset: BulkDataset
  part: string
  period: string
  schemaVersion: number
  rows: number
  bytes: number
  sha256: string
  /** YYYY-MM-DD */
  firstDay: string
  lastDay: string
  /** In the order of the columns. */
  statistics: ColumnStatistics[]
  sourceIds: string[]
  /** Sequence and id of the snapshot that added it. */
  addedIn: number
  addedBy: number
  addedAt: Temporal.Instant
  /** Sequence of the first snapshot without it; null while it is offered. */
  removedIn: number | null
}

const snapshotsOf = (db: Kysely<Schema>, dataset: BulkDataset) =>
  db
    .selectFrom('lake_snapshots')
    .select([
      'dataset',
      'sequence',
      'id',
      'schema_version as schemaVersion',
      'column_count as columnCount',
      'location',
      'taken_at as takenAt',
    ])
    .$narrowType<Pick<LakeSnapshot, 'dataset'>>()
    .where('dataset', '=', dataset)

const allFiles = (db: Kysely<Schema>) =>
  db
    .selectFrom('lake_files')
    .select([
      'name',
      'dataset',
      'part',
      'period',
      'schema_version as schemaVersion',
      'row_count as rows',
      'bytes',
      'sha256',
      'first_day as firstDay',
      'last_day as lastDay',
      'statistics',
      'sources as sourceIds',
      'added_in as addedIn',
      'added_by as addedBy',
      'added_at as addedAt',
      'removed_in as removedIn',
    ])
    .$narrowType<Pick<LakeFile, 'dataset' | 'statistics'>>()

/** Readable snapshots in order: the last is the current one. */
export async function lakeSnapshots(sql: Sql, dataset: BulkDataset): Promise<LakeSnapshot[]> {
  return run(sql, (db) => snapshotsOf(db, dataset).orderBy('sequence'))
}

/** Returns every kept file of the table, in the order of the rows. */
export async function lakeFiles(sql: Sql, dataset: BulkDataset): Promise<LakeFile[]> {
  return run(sql, (db) =>
    allFiles(db)
      .where('dataset', '=', dataset)
      .orderBy('part', (part) => part.collate('C'))
      .orderBy('period')
      .orderBy('added_in'),
  )
}

/** A file by its name, whether or not it is still offered. */
export async function findLakeFile(sql: Sql, name: string): Promise<LakeFile | undefined> {
  return runOne(sql, (db) => allFiles(db).where('name', '=', name))
}

interface LakeListing {
  snapshot: LakeSnapshot
  files: LakeFile[]
  /** Names of files that are no longer offered. */
  removed: string[]
}

export interface LakeFilter {
  part?: string | undefined
  /** Files that overlap the market days from `from` to `to`; YYYY-MM-DD. */
  from?: string | undefined
  to?: string | undefined
  /** Files added or removed after this instant; undefined: all offered files, no removed ones. */
  changedSince?: Temporal.Instant | undefined
}

/** Returns the files of the latest snapshot, selected by its sequence so that all belong to it. Undefined if there is none yet. */
export async function lakeListing(
  sql: Sql,
  dataset: BulkDataset,
  { part, from, to, changedSince }: LakeFilter,
): Promise<LakeListing | undefined> {
  const snapshot = await runOne(sql, (db) => snapshotsOf(db, dataset).orderBy('sequence', 'desc').limit(1))
  if (snapshot === undefined) return undefined
  const { sequence } = snapshot
  const files = await run(sql, (db) =>
    allFiles(db)
      .where('dataset', '=', dataset)
      .where('added_in', '<=', sequence)
      .where(({ eb, or }) => or([eb('removed_in', '>', sequence), eb('removed_in', 'is', null)]))
      .$if(part !== undefined, (query) => query.where('part', '=', part as string))
      .$if(from !== undefined, (query) => query.where('last_day', '>=', from as string))
      .$if(to !== undefined, (query) => query.where('first_day', '<=', to as string))
      .$if(changedSince !== undefined, (query) => query.where('added_at', '>', changedSince as Temporal.Instant))
      .orderBy('part', (by) => by.collate('C'))
      .orderBy('period'),
  )
  if (changedSince === undefined) return { snapshot, files, removed: [] }
  const removed = await run(sql, (db) =>
    db
      .selectFrom('lake_files')
      .select('name')
      .where('dataset', '=', dataset)
      .where('removed_in', '<=', sequence)
      .where('removed_at', '>', changedSince)
      .$if(part !== undefined, (query) => query.where('part', '=', part as string))
      .orderBy('name'),
  )
  return { snapshot, files, removed: removed.map(({ name }) => name) }
}

interface LakeCommit {
  snapshot: LakeSnapshot
  /** Sequence of the snapshot that it follows; undefined for the first. */
  base: number | undefined
  added: readonly LakeFile[]
  /** Names. */
  removed: readonly string[]
  /** Whether earlier snapshots can still be read. */
  keepsEarlier: boolean
}

/** Offers the files of a snapshot atomically. Throws if another snapshot was committed in between. */
export async function commitLakeSnapshot(sql: Sql, commit: LakeCommit): Promise<void> {
  const { snapshot, base, added, removed, keepsEarlier } = commit
  const { dataset, sequence } = snapshot
  await sql.begin(async (tx: Transaction) => {
    const last = await runOne(tx, (db) =>
      db
        .selectFrom('lake_snapshots')
        .select('sequence')
        .where('dataset', '=', dataset)
        .orderBy('sequence', 'desc')
        .limit(1)
        .forUpdate(),
    )
    if (last?.sequence !== base) throw new Error(`another process has published ${dataset} meanwhile`)
    if (!keepsEarlier) await run(tx, (db) => db.deleteFrom('lake_snapshots').where('dataset', '=', dataset))
    await run(tx, (db) =>
      db.insertInto('lake_snapshots').values({
        dataset,
        sequence,
        id: snapshot.id,
        schema_version: snapshot.schemaVersion,
        column_count: snapshot.columnCount,
        location: snapshot.location,
        taken_at: snapshot.takenAt,
      }),
    )
    await tx`
      update lake_files set removed_in = ${sequence}, removed_at = ${snapshot.takenAt}::timestamptz
      where name = any (${[...removed]}::text[]) and removed_in is null`
    await tx`
      insert into lake_files (
        name, dataset, part, period, schema_version, row_count, bytes, sha256, first_day, last_day, statistics, sources, added_in,
        added_by, added_at
      )
      select f.name, ${dataset}, f.part, f.period, f."schemaVersion", f.rows, f.bytes, f.sha256, f."firstDay", f."lastDay", f.statistics,
        f."sourceIds", ${sequence}, ${snapshot.id}, ${snapshot.takenAt}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(added)}::text::jsonb) as f (
        name text, part text, period text, "schemaVersion" integer, rows bigint, bytes bigint, sha256 text, "firstDay" date,
        "lastDay" date, statistics jsonb, "sourceIds" text[]
      )`
  })
}

/** Deletes snapshots taken before the instant, except the latest, and then files in no remaining snapshot; returns these files' names. */
export async function expireLake(sql: Sql, dataset: BulkDataset, before: Temporal.Instant): Promise<string[]> {
  return sql.begin(async (tx: Transaction) => {
    await tx`
      delete from lake_snapshots
      where dataset = ${dataset} and taken_at < ${before}::timestamptz
        and sequence < (select max(sequence) from lake_snapshots where dataset = ${dataset})`
    const rows = await tx<{ name: string }[]>`
      delete from lake_files
      where dataset = ${dataset} and removed_at < ${before}::timestamptz
        and removed_in <= (select min(sequence) from lake_snapshots where dataset = ${dataset})
      returning name`
    return rows.map(({ name }) => name)
  }) as Promise<string[]>
}
