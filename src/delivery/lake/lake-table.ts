/**
 * Writes the Iceberg metadata of a table to the store. It depends only on the database, so any process can complete it identically.
 * A metadata file is written after everything it references, so readers always see a complete snapshot: this one or the previous one.
 */
import path from 'node:path'
import type { LakeFile, LakeSnapshot } from '../../store/lake-files.ts'
import type { Dataset } from '../bulk/dataset.ts'
import { type PublishContext, putContent } from '../bulk/publish-files.ts'
import { manifestFile, manifestListFile, type StoredManifest } from './iceberg-manifest.ts'
import { tableMetadata } from './iceberg-table.ts'
import {
  dataFile,
  manifestListOf,
  manifestOf,
  metadataFileOf,
  settledFiles,
  settledManifestOf,
  tableFolder,
} from './lake-names.ts'

const MEDIA_TYPES: Record<string, string> = {
  '.avro': 'application/avro',
  '.json': 'application/json',
  '.text': 'text/plain; charset=utf-8',
}

export interface TableState {
  dataset: Dataset
  /** Snapshots in order; the last is the current one. */
  snapshots: readonly LakeSnapshot[]
  files: readonly LakeFile[]
}

type PutContext = Pick<PublishContext, 'store' | 'folder' | 'signal'>

/** Writes the metadata of the latest snapshot; the file written last is the one that most readers start from. */
export async function putMetadata({ dataset, snapshots, files }: TableState, putting: PutContext): Promise<void> {
  const snapshot = snapshots.at(-1)
  if (snapshot === undefined) return
  const { store } = putting
  const manifests = await putManifests(dataset, { snapshot, files }, putting)
  const list = manifestListFile({ snapshot, parentId: snapshots.at(-2)?.id }, manifests)
  const metadata = tableMetadata(dataset, snapshots, (one) => store.uri(manifestListOf(one)))
  await put(putting, manifestListOf(snapshot), list)
  await put(putting, metadataFileOf(snapshot), JSON.stringify(metadata))
  await putVersionHint(snapshot, putting)
}

/** Writes one manifest for the open year and removed files, and one for past years unless it exists, as it does on most nights. */
async function putManifests(
  dataset: Dataset,
  { snapshot, files }: { snapshot: LakeSnapshot; files: readonly LakeFile[] },
  putting: PutContext,
): Promise<StoredManifest[]> {
  const { sequence } = snapshot
  const settled = settledFiles(snapshot, files)
  const others = files.filter(
    (file) => file.addedIn <= sequence && (file.removedIn ?? sequence) >= sequence && !settled.includes(file),
  )
  const latest = settled.reduce<LakeFile | undefined>(
    (last, file) => (last === undefined || file.addedIn > last.addedIn ? file : last),
    undefined,
  )
  const manifests = []
  if (latest !== undefined) {
    // Reproduces the manifest of the snapshot that last changed these files.
    const lastSnapshot = { sequence: latest.addedIn, id: latest.addedBy, columnCount: snapshot.columnCount }
    manifests.push({ name: settledManifestOf(snapshot, settled), of: { snapshot: lastSnapshot, files: settled } })
  }
  if (others.length > 0) manifests.push({ name: manifestOf(snapshot), of: { snapshot, files: others } })
  const stored: StoredManifest[] = []
  for (const { name, of } of manifests) {
    const uriOf = (file: string) => putting.store.uri(dataFile({ dataset: dataset.name, name: file }))
    const content = manifestFile(dataset, of, uriOf)
    const file = { name, bytes: content.length }
    if (!(await putting.store.has(file, putting.signal))) await put(putting, name, content)
    stored.push({ of, uri: putting.store.uri(name), bytes: content.length })
  }
  return stored
}

export async function putVersionHint({ dataset, sequence }: LakeSnapshot, putting: PutContext): Promise<void> {
  await put(putting, `${tableFolder(dataset)}metadata/version-hint.text`, String(sequence))
}

async function put(putting: PutContext, name: string, content: Buffer | string): Promise<void> {
  await putContent(putting, { name, mediaType: MEDIA_TYPES[path.extname(name)] ?? '' }, content)
}
