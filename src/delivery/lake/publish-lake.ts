/**
 * Updates the lake table of a dataset. The order ensures that a process killed at any point leaves a complete snapshot: changed
 * partitions are written and stored under new names; then the snapshot is recorded in the database, from which
 * `GET /v1/bulk/{dataset}/files` lists it; then its metadata is stored. If a run is killed, the next one completes the snapshot that it
 * recorded, and removes files that it stored but did not record.
 */
import { randomInt } from 'node:crypto'
import { BULK_FILE_TYPES, BULK_SCHEMA_VERSION, type BulkDataset, SNAPSHOT_DAYS } from '../../api/contract/bulk.ts'
import { MARKET_TIME_ZONE } from '../../market/market-day.ts'
import { isBefore } from '../../market/time-order.ts'
import type { ExportOutcome } from '../../store/bulk-files.ts'
import {
  commitLakeSnapshot,
  expireLake,
  type LakeFile,
  type LakeSnapshot,
  lakeFiles,
  lakeSnapshots,
} from '../../store/lake-files.ts'
import { DATASETS } from '../bulk/datasets/index.ts'
import type { ListedFile } from '../bulk/file-store.ts'
import { makeAndPublish, type PublishContext, removeOld } from '../bulk/publish-files.ts'
import { dataFile, metadataFileOf, metadataOf, tableFolder, versionOf } from './lake-names.ts'
import { putMetadata, putVersionHint, type TableState } from './lake-table.ts'
import { partitionKey } from './partitions.ts'
import type { PartitionFile } from './write-partitions.ts'

/** Below 2^48, the limit of `randomInt`, and exact as a double, as which many readers parse ids. */
const ID_MAX = 2 ** 48 - 1

interface PublishLakeResult {
  outcome: Exclude<ExportOutcome, 'failed'>
  /** Rows of the whole table. */
  rows: number
  /** Bytes of the files that were written. */
  bytes: number
}

export async function publishLake(name: BulkDataset, publishing: PublishContext): Promise<PublishLakeResult> {
  const { now } = publishing
  const stored = await listStoredFiles(publishing, name)
  const state = await stateOf(publishing, name)
  const table = { ...state, ...compareWithStore(publishing, state, stored) }
  if (table.isWhole) await finishMetadata(table, stored, publishing)
  const existing = table.there.map(({ part, period, sha256 }) => ({ part, period, sha256 }))
  const openYear = now().toZonedDateTimeISO(MARKET_TIME_ZONE).year
  const request = { dataset: name, format: 'parquet' as const, division: { existing, openYear } }
  return makeAndPublish(request, publishing, (made: PartitionFile[]) =>
    publishPartitions(made, table, stored, publishing),
  )
}

async function publishPartitions(
  made: readonly PartitionFile[],
  table: TableInStore,
  stored: StoredFiles,
  publishing: PublishContext,
): Promise<PublishLakeResult> {
  const { sql, store, now, signal } = publishing
  const { name } = table.dataset
  if (made.length === 0) return { outcome: 'empty', rows: 0, bytes: 0 }
  const { isNeeded, rows, snapshot, added, removed } = changeOf(made, table, stored, now())
  if (isNeeded) {
    for (const { file, ...about } of added) {
      const object = { mediaType: BULK_FILE_TYPES.parquet.mediaType, filename: about.name }
      await store.put(file, dataFile(about), object, signal)
    }
    const base = table.snapshots.at(-1)?.sequence
    await commitLakeSnapshot(sql, { snapshot, base, added, removed, keepsEarlier: table.isWhole })
    await putMetadata(await stateOf(publishing, name), publishing)
  }
  for (const expired of await expireLake(sql, name, now().subtract({ hours: 24 * SNAPSHOT_DAYS })))
    await store.remove(dataFile({ dataset: name, name: expired }), signal)
  await removeUnused(publishing, await stateOf(publishing, name), stored)
  return {
    outcome: isNeeded ? 'published' : 'unchanged',
    rows,
    bytes: added.reduce((sum, { bytes }) => sum + bytes, 0),
  }
}

async function stateOf({ sql }: PublishContext, name: BulkDataset): Promise<TableState> {
  return { dataset: DATASETS[name], snapshots: await lakeSnapshots(sql, name), files: await lakeFiles(sql, name) }
}

interface StoredFiles {
  data: ListedFile[]
  metadata: ListedFile[]
}

async function listStoredFiles({ store, signal }: PublishContext, name: BulkDataset): Promise<StoredFiles> {
  const folder = tableFolder(name)
  return { data: await store.list(`${folder}data/`, signal), metadata: await store.list(`${folder}metadata/`, signal) }
}

interface TableInStore extends TableState {
  /** URI of its folder. */
  location: string
  /** The offered files that the store has in their full length. */
  there: readonly LakeFile[]
  /** Whether the latest snapshot is complete in this store; stores lose files, or are replaced. */
  isWhole: boolean
}

function compareWithStore({ store }: PublishContext, { dataset, snapshots, files }: TableState, { data }: StoredFiles) {
  const location = store.uri(tableFolder(dataset.name)).replace(/\/$/, '')
  const lengths = new Map(data.map(({ name, bytes }) => [name, bytes]))
  const offered = files.filter(({ removedIn }) => removedIn === null)
  const there = offered.filter((file) => lengths.get(dataFile(file)) === file.bytes)
  const last = snapshots.at(-1)
  const isCurrent = last?.location === location && last.schemaVersion === BULK_SCHEMA_VERSION
  return { location, there, isWhole: isCurrent && there.length === offered.length }
}

/** Completes the metadata of a snapshot if the process was killed after recording it. */
async function finishMetadata(table: TableState, { metadata }: StoredFiles, publishing: PublishContext): Promise<void> {
  const last = table.snapshots.at(-1)
  if (last === undefined) return
  const isThere = metadata.some(({ name }) => name === metadataFileOf(last))
  await (isThere ? putVersionHint(last, publishing) : putMetadata(table, publishing))
}

interface Change {
  isNeeded: boolean
  /** Rows of the whole table. */
  rows: number
  snapshot: LakeSnapshot
  added: (LakeFile & { file: string })[]
  /** Names. */
  removed: string[]
}

/** Changes of the next snapshot. */
function changeOf(
  made: readonly PartitionFile[],
  { dataset, snapshots, files, there, location, isWhole }: TableInStore,
  { metadata }: StoredFiles,
  now: Temporal.Instant,
): Change {
  const last = snapshots.at(-1)
  const snapshot: LakeSnapshot = {
    dataset: dataset.name,
    sequence: 1 + Math.max(last?.sequence ?? 0, ...metadata.map(versionOf)),
    id: randomInt(1, ID_MAX),
    schemaVersion: BULK_SCHEMA_VERSION,
    columnCount: dataset.columns.length,
    location,
    takenAt: nextTimestamp(now, last?.takenAt),
  }
  const unchanged = new Set(made.filter(({ file }) => file === undefined).map(partitionKey))
  const kept = new Set(there.filter((file) => unchanged.has(partitionKey(file))).map(({ name }) => name))
  const removed = files.filter(({ name, removedIn }) => removedIn === null && !kept.has(name)).map(({ name }) => name)
  const added = made.flatMap(({ file, ...about }) =>
    file === undefined ? [] : [{ ...newLakeFile(about, snapshot), file }],
  )
  return {
    isNeeded: added.length > 0 || removed.length > 0 || !isWhole,
    rows: made.reduce((sum, { rows }) => sum + rows, 0),
    ...{ snapshot, added, removed },
  }
}

/** Timestamps of snapshots always increase, even if the clock is set back. */
function nextTimestamp(now: Temporal.Instant, last: Temporal.Instant | undefined): Temporal.Instant {
  const next = last?.add({ milliseconds: 1 })
  return next !== undefined && isBefore(now, next) ? next : now.round('millisecond')
}

function newLakeFile(file: Omit<PartitionFile, 'file'>, snapshot: LakeSnapshot): LakeFile {
  const { days, ...about } = file
  const name = [snapshot.dataset, file.part, file.period, file.sha256.slice(0, 8), snapshot.sequence.toString(36)]
  return {
    ...about,
    name: `${name.join('-')}.parquet`,
    dataset: snapshot.dataset,
    schemaVersion: snapshot.schemaVersion,
    ...{ firstDay: days.from, lastDay: days.to },
    ...{ addedIn: snapshot.sequence, addedBy: snapshot.id, addedAt: snapshot.takenAt, removedIn: null },
  }
}

/** Removes files that are in the store but not in the database, left by dead processes or an earlier database. Keeps files in progress. */
async function removeUnused(publishing: PublishContext, state: TableState, stored: StoredFiles): Promise<void> {
  const { snapshots, files } = state
  const known = new Set([...files.map(dataFile), ...metadataOf(snapshots, files)])
  const current = snapshots.at(-1)?.sequence ?? 0
  const unknown = [...stored.data, ...stored.metadata].filter(
    ({ name }) => !known.has(name) && !name.endsWith('/version-hint.text'),
  )
  // Some readers treat a version above that of the hint as current, so such files are removed immediately.
  for (const file of unknown) if (versionOf(file) > current) await publishing.store.remove(file.name, publishing.signal)
  await removeOld(publishing, unknown)
}
