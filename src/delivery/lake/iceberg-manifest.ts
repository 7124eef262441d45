/**
 * The manifests of a snapshot, which list its files with their bounds, and the manifest list, in Avro according to the
 * Iceberg specification, version 2 (https://iceberg.apache.org/spec/#manifests). Readers match fields by id, some of them by name.
 */
import { createHash } from 'node:crypto'
import avsc, { type Schema } from 'avsc'
import type { LakeFile, LakeSnapshot } from '../../store/lake-files.ts'
import type { Dataset } from '../bulk/dataset.ts'
import {
  columnMetrics,
  FIRST_PARTITION_FIELD,
  icebergSchema,
  PARTITION_SPEC,
  partitionFields,
  SORT_ORDER,
} from './iceberg-table.ts'

const EXISTING = 0
const ADDED = 1
const DELETED = 2
const FORMAT_VERSION = '2'

interface SnapshotFiles {
  snapshot: Pick<LakeSnapshot, 'sequence' | 'id' | 'columnCount'>
  /** All or some files of the snapshot, and files that it removed. */
  files: readonly LakeFile[]
}

export interface Counts {
  files: number
  rows: number
  bytes: number
}

/** Counts of files that the snapshot added, kept and removed. */
function countFiles({
  snapshot: { sequence },
  files,
}: SnapshotFiles): Record<'added' | 'existing' | 'deleted', Counts> {
  const count = (status: number) => {
    const some = files.filter((file) => statusOf(file, sequence) === status)
    const sum = (of: (file: LakeFile) => number) => some.reduce((total, file) => total + of(file), 0)
    return { files: some.length, rows: sum(({ rows }) => rows), bytes: sum(({ bytes }) => bytes) }
  }
  return { added: count(ADDED), existing: count(EXISTING), deleted: count(DELETED) }
}

function statusOf(file: LakeFile, sequence: number): number {
  if (file.removedIn === sequence) return DELETED
  return file.addedIn === sequence ? ADDED : EXISTING
}

/** `uriOf` returns the URI of a file, given its name. */
export function manifestFile(
  dataset: Dataset,
  { snapshot, files }: SnapshotFiles,
  uriOf: (name: string) => string,
): Buffer {
  const { part } = dataset.partitionedBy
  const entries = files.map((file) => {
    const status = statusOf(file, snapshot.sequence)
    return {
      status,
      snapshot_id: status === DELETED ? snapshot.id : file.addedBy,
      sequence_number: file.addedIn,
      file_sequence_number: file.addedIn,
      data_file: {
        content: 0,
        file_path: uriOf(file.name),
        file_format: 'PARQUET',
        partition: { [part]: file.part },
        record_count: file.rows,
        file_size_in_bytes: file.bytes,
        ...columnMetrics(dataset.columns, file.statistics, file.rows),
        sort_order_id: SORT_ORDER,
      },
    }
  })
  return avroFile(manifestSchema(part), entries, {
    schema: JSON.stringify(icebergSchema(dataset, snapshot.columnCount)),
    'schema-id': String(snapshot.columnCount),
    'partition-spec': JSON.stringify(partitionFields(dataset)),
    'partition-spec-id': String(PARTITION_SPEC),
    'format-version': FORMAT_VERSION,
    content: 'data',
  })
}

/** A manifest as referenced by the manifest list: its content, URI and length. */
export interface StoredManifest {
  of: SnapshotFiles
  uri: string
  bytes: number
}

export function manifestListFile(
  { snapshot, parentId }: { snapshot: LakeSnapshot; parentId: number | undefined },
  manifests: readonly StoredManifest[],
): Buffer {
  return avroFile(MANIFEST_LIST_SCHEMA, manifests.map(manifestListEntry), {
    'snapshot-id': String(snapshot.id),
    'parent-snapshot-id': parentId === undefined ? 'null' : String(parentId),
    'sequence-number': String(snapshot.sequence),
    'format-version': FORMAT_VERSION,
  })
}

function manifestListEntry({ of, uri, bytes }: StoredManifest) {
  const { snapshot, files } = of
  const { added, existing, deleted } = countFiles(of)
  const parts = files.map(({ part }) => part).sort()
  return {
    manifest_path: uri,
    manifest_length: bytes,
    partition_spec_id: PARTITION_SPEC,
    content: 0,
    sequence_number: snapshot.sequence,
    min_sequence_number: files.reduce((least, { addedIn }) => Math.min(least, addedIn), snapshot.sequence),
    added_snapshot_id: snapshot.id,
    added_files_count: added.files,
    existing_files_count: existing.files,
    deleted_files_count: deleted.files,
    added_rows_count: added.rows,
    existing_rows_count: existing.rows,
    deleted_rows_count: deleted.rows,
    partitions: [
      {
        contains_null: false,
        contains_nan: false,
        lower_bound: Buffer.from(parts[0] ?? ''),
        upper_bound: Buffer.from(parts.at(-1) ?? ''),
      },
    ],
  }
}

interface Field {
  name: string
  type: Schema
  'field-id': number
  default?: null
}

function required(id: number, name: string, type: Schema): Field {
  return { name, type, 'field-id': id }
}

function optional(id: number, name: string, type: Schema): Field {
  return { name, type: ['null', type] as Schema, default: null, 'field-id': id }
}

function record(name: string, fields: readonly Field[]): Schema {
  return { type: 'record', name, fields: [...fields] } as Schema
}

/** Avro maps have string keys only, so Iceberg encodes its maps as arrays of pairs. */
function mapOf(keyId: number, valueId: number, type: Schema): Schema {
  const pair = record(`k${keyId}_v${valueId}`, [required(keyId, 'key', 'int'), required(valueId, 'value', type)])
  return { type: 'array', items: pair, logicalType: 'map' } as Schema
}

function manifestSchema(part: string): Schema {
  const dataFile = record('r2', [
    required(134, 'content', 'int'),
    required(100, 'file_path', 'string'),
    required(101, 'file_format', 'string'),
    required(102, 'partition', record('r102', [optional(FIRST_PARTITION_FIELD, part, 'string')])),
    required(103, 'record_count', 'long'),
    required(104, 'file_size_in_bytes', 'long'),
    optional(109, 'value_counts', mapOf(119, 120, 'long')),
    optional(110, 'null_value_counts', mapOf(121, 122, 'long')),
    optional(125, 'lower_bounds', mapOf(126, 127, 'bytes')),
    optional(128, 'upper_bounds', mapOf(129, 130, 'bytes')),
    optional(140, 'sort_order_id', 'int'),
  ])
  return record('manifest_entry', [
    required(0, 'status', 'int'),
    optional(1, 'snapshot_id', 'long'),
    optional(3, 'sequence_number', 'long'),
    optional(4, 'file_sequence_number', 'long'),
    required(2, 'data_file', dataFile),
  ])
}

const FIELD_SUMMARY = record('r508', [
  required(509, 'contains_null', 'boolean'),
  optional(518, 'contains_nan', 'boolean'),
  optional(510, 'lower_bound', 'bytes'),
  optional(511, 'upper_bound', 'bytes'),
])

const MANIFEST_LIST_SCHEMA = record('manifest_file', [
  required(500, 'manifest_path', 'string'),
  required(501, 'manifest_length', 'long'),
  required(502, 'partition_spec_id', 'int'),
  required(517, 'content', 'int'),
  required(515, 'sequence_number', 'long'),
  required(516, 'min_sequence_number', 'long'),
  required(503, 'added_snapshot_id', 'long'),
  required(504, 'added_files_count', 'int'),
  required(505, 'existing_files_count', 'int'),
  required(506, 'deleted_files_count', 'int'),
  required(512, 'added_rows_count', 'long'),
  required(513, 'existing_rows_count', 'long'),
  required(514, 'deleted_rows_count', 'long'),
  optional(507, 'partitions', { type: 'array', items: FIELD_SUMMARY, 'element-id': 508 } as Schema),
])

const MAGIC = Buffer.from('Obj\u0001', 'latin1')
const SYNC_BYTES = 16
const LONG = avsc.Type.forSchema('long')
const METADATA = avsc.Type.forSchema({ type: 'map', values: 'bytes' })

/**
 * Encodes records as an Avro object container file of one block. It is not compressed: icebird's decompression fails on some blocks.
 * The same records give the same bytes. `metadata`: header entries in addition to Avro's own.
 */
export function avroFile(
  schema: Schema,
  records: readonly unknown[],
  metadata: Readonly<Record<string, string>>,
): Buffer {
  const type = avsc.Type.forSchema(schema)
  const block = Buffer.concat(records.map((record) => type.toBuffer(record)))
  const entries = { 'avro.schema': JSON.stringify(schema), 'avro.codec': 'null', ...metadata }
  const header = METADATA.toBuffer(
    Object.fromEntries(Object.entries(entries).map(([key, value]) => [key, Buffer.from(value)])),
  )
  const sync = createHash('sha256').update(header).update(block).digest().subarray(0, SYNC_BYTES)
  const lengths = [LONG.toBuffer(records.length), LONG.toBuffer(block.length)]
  return Buffer.concat([MAGIC, header, sync, ...lengths, block, sync])
}
