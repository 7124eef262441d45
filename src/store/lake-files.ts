/** The tables of the lake: their files, and the snapshots that say which of them were there when. */
import type { BulkDataset } from '../api/contract/bulk.ts'
import type { Sql, Transaction } from './database.ts'

export interface ColumnStatistics {
  /** As values of chunks (`delivery/bulk/column.ts`); null where all are missing. */
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
  /** Sequence and id of the snapshot that brought it. */
  addedIn: number
  addedBy: number
  addedAt: Temporal.Instant
  /** Sequence of the first snapshot without it; null while it is offered. */
  removedIn: number | null
}

const SNAPSHOT_COLUMNS =
  'dataset, sequence, id, schema_version as "schemaVersion", column_count as "columnCount", location, taken_at as "takenAt"'
const FILE_COLUMNS = `name, dataset, part, period, schema_version as "schemaVersion", row_count as rows, bytes, sha256, first_day as "firstDay",
  last_day as "lastDay", statistics, sources as "sourceIds", added_in as "addedIn", added_by as "addedBy", added_at as "addedAt",
  removed_in as "removedIn"`

/** Those that can be read, in their order: the last is the one on offer. */
export async function lakeSnapshots(sql: Sql, dataset: BulkDataset): Promise<LakeSnapshot[]> {
  return sql<LakeSnapshot[]>`
    select ${sql.unsafe(SNAPSHOT_COLUMNS)} from lake_snapshots where dataset = ${dataset} order by sequence`
}

/** Every file of the table that is kept, in the order of the rows. */
export async function lakeFiles(sql: Sql, dataset: BulkDataset): Promise<LakeFile[]> {
  return sql<LakeFile[]>`
    select ${sql.unsafe(FILE_COLUMNS)} from lake_files
    where dataset = ${dataset} order by part collate "C", period, added_in`
}

/** A file by its name, whether or not it is still offered. */
export async function lakeFileNamed(sql: Sql, name: string): Promise<LakeFile | undefined> {
  const [file] = await sql<LakeFile[]>`select ${sql.unsafe(FILE_COLUMNS)} from lake_files where name = ${name}`
  return file
}

interface LakeListing {
  snapshot: LakeSnapshot
  files: LakeFile[]
  /** Names of files that are no longer offered. */
  removed: string[]
}

export interface LakeFilter {
  part?: string | undefined
  /** Files that hold a market day from here, to there; YYYY-MM-DD. */
  from?: string | undefined
  to?: string | undefined
  /** Files added, or removed, after it; undefined: all that are offered, none that were removed. */
  changedSince?: Temporal.Instant | undefined
}

/** What the latest snapshot offers, by its sequence, so all of one snapshot. Undefined where there is none yet. */
export async function lakeListing(
  sql: Sql,
  dataset: BulkDataset,
  { part, from, to, changedSince }: LakeFilter,
): Promise<LakeListing | undefined> {
  const since = changedSince?.toString() ?? null
  const [snapshot] = await sql<LakeSnapshot[]>`
    select ${sql.unsafe(SNAPSHOT_COLUMNS)} from lake_snapshots where dataset = ${dataset} order by sequence desc limit 1`
  if (snapshot === undefined) return undefined
  const files = await sql<LakeFile[]>`
    select ${sql.unsafe(FILE_COLUMNS)} from lake_files
    where dataset = ${dataset} and added_in <= ${snapshot.sequence}
      and (removed_in > ${snapshot.sequence} or removed_in is null)
      and (${part ?? null}::text is null or part = ${part ?? null})
      and (${from ?? null}::date is null or last_day >= ${from ?? null}::date)
      and (${to ?? null}::date is null or first_day <= ${to ?? null}::date)
      and (${since}::timestamptz is null or added_at > ${since}::timestamptz)
    order by part collate "C", period`
  if (since === null) return { snapshot, files, removed: [] }
  const removed = await sql<{ name: string }[]>`
    select name from lake_files
    where dataset = ${dataset} and removed_in <= ${snapshot.sequence} and removed_at > ${since}::timestamptz
      and (${part ?? null}::text is null or part = ${part ?? null})
    order by name`
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

/** Offers the files of a snapshot, all at once. Throws if another snapshot came in between. */
export async function commitLakeSnapshot(sql: Sql, commit: LakeCommit): Promise<void> {
  const { snapshot, base, added, removed, keepsEarlier } = commit
  const { dataset, sequence } = snapshot
  const at = snapshot.takenAt.toString()
  await sql.begin(async (tx: Transaction) => {
    const [last] = await tx<{ sequence: number }[]>`
      select sequence from lake_snapshots where dataset = ${dataset} order by sequence desc limit 1 for update`
    if (last?.sequence !== base) throw new Error(`another process has published ${dataset} meanwhile`)
    if (!keepsEarlier) await tx`delete from lake_snapshots where dataset = ${dataset}`
    await tx`
      insert into lake_snapshots (dataset, sequence, id, schema_version, column_count, location, taken_at)
      values (
        ${dataset}, ${sequence}, ${snapshot.id}, ${snapshot.schemaVersion}, ${snapshot.columnCount}, ${snapshot.location},
        ${at}::timestamptz
      )`
    await tx`
      update lake_files set removed_in = ${sequence}, removed_at = ${at}::timestamptz
      where name = any (${[...removed]}::text[]) and removed_in is null`
    await tx`
      insert into lake_files (
        name, dataset, part, period, schema_version, row_count, bytes, sha256, first_day, last_day, statistics, sources, added_in,
        added_by, added_at
      )
      select f.name, ${dataset}, f.part, f.period, f."schemaVersion", f.rows, f.bytes, f.sha256, f."firstDay", f."lastDay", f.statistics,
        f."sourceIds", ${sequence}, ${snapshot.id}, ${at}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(added)}::text::jsonb) as f (
        name text, part text, period text, "schemaVersion" integer, rows bigint, bytes bigint, sha256 text, "firstDay" date,
        "lastDay" date, statistics jsonb, "sourceIds" text[]
      )`
  })
}

/** Removes snapshots taken before the instant, but the latest, and then the files that no snapshot has; returns the names of these. */
export async function expireLake(sql: Sql, dataset: BulkDataset, before: Temporal.Instant): Promise<string[]> {
  return sql.begin(async (tx: Transaction) => {
    await tx`
      delete from lake_snapshots
      where dataset = ${dataset} and taken_at < ${before.toString()}::timestamptz
        and sequence < (select max(sequence) from lake_snapshots where dataset = ${dataset})`
    const rows = await tx<{ name: string }[]>`
      delete from lake_files
      where dataset = ${dataset} and removed_at < ${before.toString()}::timestamptz
        and removed_in <= (select min(sequence) from lake_snapshots where dataset = ${dataset})
      returning name`
    return rows.map(({ name }) => name)
  }) as Promise<string[]>
}
