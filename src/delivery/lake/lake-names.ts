/**
 * Names of a table's files in the store:
 *
 *     lake/<dataset>/data/<name>.parquet
 *     lake/<dataset>/metadata/manifest-<snapshot>.avro, settled-<hash>.avro, snap-<snapshot>.avro, v<sequence>.metadata.json, version-hint.text
 */
import { createHash } from 'node:crypto'
import type { BulkDataset } from '../../api/contract/bulk.ts'
import type { LakeFile, LakeSnapshot } from '../../store/lake-files.ts'

export function tableFolder(dataset: BulkDataset): string {
  return `lake/${dataset}/`
}

/** Name of a data file in the store, given its name in the database. */
export function dataFile({ dataset, name }: Pick<LakeFile, 'dataset' | 'name'>): string {
  return `${tableFolder(dataset)}data/${name}`
}

export function metadataFileOf({ dataset, sequence }: Pick<LakeSnapshot, 'dataset' | 'sequence'>): string {
  return `${tableFolder(dataset)}metadata/v${sequence}.metadata.json`
}

export function manifestOf({ dataset, id }: LakeSnapshot): string {
  return `${tableFolder(dataset)}metadata/manifest-${id}.avro`
}

export function manifestListOf({ dataset, id }: LakeSnapshot): string {
  return `${tableFolder(dataset)}metadata/snap-${id}.avro`
}

/** Name of the manifest of past years, from a hash of its inputs: while they are unchanged, the manifest is reused. */
export function settledManifestOf(
  { dataset, location, columnCount }: LakeSnapshot,
  settled: readonly Pick<LakeFile, 'name'>[],
): string {
  const names = settled.map(({ name }) => name).sort()
  const hash = createHash('sha256').update(JSON.stringify([location, columnCount, names]))
  return `${tableFolder(dataset)}metadata/settled-${hash.digest('hex').slice(0, 16)}.avro`
}

/** Names of all files of these snapshots in `metadata`. */
export function metadataOf(snapshots: readonly LakeSnapshot[], files: readonly LakeFile[]): string[] {
  return snapshots.flatMap((snapshot) => [
    manifestOf(snapshot),
    settledManifestOf(snapshot, settledFiles(snapshot, files)),
    manifestListOf(snapshot),
    metadataFileOf(snapshot),
  ])
}

/** Files of past years in a snapshot; on most nights they are the same as the night before. */
export function settledFiles({ sequence }: Pick<LakeSnapshot, 'sequence'>, files: readonly LakeFile[]): LakeFile[] {
  return files.filter(
    ({ period, addedIn, removedIn }) =>
      !period.includes('-') && addedIn <= sequence && (removedIn === null || removedIn > sequence),
  )
}

/** The version of a metadata file; 0 for other files. */
export function versionOf({ name }: { name: string }): number {
  return Number(/\/v(\d+)\.metadata\.json$/.exec(name)?.[1] ?? 0)
}
