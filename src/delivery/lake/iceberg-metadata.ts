/** The metadata file of a table, by the Iceberg specification, version 2 (https://iceberg.apache.org/spec/#table-metadata). */
import { createHash } from 'node:crypto'
import type { LakeSnapshot } from '../../store/lake-files.ts'
import type { Dataset } from '../bulk/dataset.ts'
import {
  FIRST_PARTITION_FIELD,
  icebergSchema,
  PARTITION_SPEC,
  partitionFields,
  SORT_ORDER,
  sortOrder,
} from './iceberg-schema.ts'

/** `snapshots`: in their order; the last is the current one. */
export function tableMetadata(
  dataset: Dataset,
  snapshots: readonly LakeSnapshot[],
  manifestListOf: (snapshot: LakeSnapshot) => string,
) {
  const current = snapshots.at(-1)
  if (current === undefined) throw new Error('a table has a snapshot')
  const columnCounts = [...new Set(snapshots.map(({ columnCount }) => columnCount))]
  return {
    'format-version': 2,
    'table-uuid': uuidOf(current.location),
    location: current.location,
    'last-sequence-number': current.sequence,
    'last-updated-ms': current.takenAt.epochMilliseconds,
    'last-column-id': current.columnCount,
    'current-schema-id': current.columnCount,
    schemas: columnCounts.map((count) => icebergSchema(dataset, count)),
    'default-spec-id': PARTITION_SPEC,
    'partition-specs': [{ 'spec-id': PARTITION_SPEC, fields: partitionFields(dataset) }],
    'last-partition-id': FIRST_PARTITION_FIELD,
    'default-sort-order-id': SORT_ORDER,
    'sort-orders': [sortOrder(dataset)],
    properties: {
      comment: dataset.title,
      'write.format.default': 'parquet',
      'write.parquet.compression-codec': 'zstd',
    },
    'current-snapshot-id': current.id,
    refs: { main: { 'snapshot-id': current.id, type: 'branch' } },
    snapshots: snapshots.map((snapshot, i) => ({
      'sequence-number': snapshot.sequence,
      'snapshot-id': snapshot.id,
      ...(i > 0 && { 'parent-snapshot-id': snapshots[i - 1]?.id }),
      'timestamp-ms': snapshot.takenAt.epochMilliseconds,
      'schema-id': snapshot.columnCount,
      summary: { operation: 'overwrite' },
      'manifest-list': manifestListOf(snapshot),
    })),
    'snapshot-log': snapshots.map(({ id, takenAt }) => ({
      'snapshot-id': id,
      'timestamp-ms': takenAt.epochMilliseconds,
    })),
    'metadata-log': [],
  }
}

/** The same for the same place, in the form of version 8 (RFC 9562). */
function uuidOf(location: string): string {
  const hex = createHash('sha256').update(location).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
