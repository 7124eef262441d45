/**
 * A dataset as an Iceberg table: schema, sort order, and partitioning by value. Column ids count from 1 in column order, which never
 * changes (new columns are appended). The table is not partitioned by year, since Iceberg's years are in UTC and ours are of market days:
 * readers find the files of an interval by their bounds.
 */

import { createHash } from 'node:crypto'
import { type Column, type ColumnType, indexOf } from '../../api/contract/table.ts'
import type { ColumnStatistics, LakeSnapshot } from '../../store/lake-files.ts'
import type { Dataset } from '../bulk/dataset.ts'

const TYPES: Record<ColumnType, string> = {
  text: 'string',
  date: 'date',
  instant: 'timestamptz',
  integer: 'int',
  number: 'double',
}

/** The lowest id that the specification allots to partition fields. */
export const FIRST_PARTITION_FIELD = 1000
export const PARTITION_SPEC = 0
export const SORT_ORDER = 1

/** The schema with the first `count` columns; the count is also the schema id. */
export function icebergSchema({ columns }: Dataset, count: number) {
  return {
    type: 'struct',
    'schema-id': count,
    fields: columns.slice(0, count).map(({ name, type, nullable, meaning }, i) => ({
      id: i + 1,
      name,
      required: !nullable,
      type: TYPES[type],
      doc: meaning,
    })),
  }
}

export function partitionFields({ columns, partitionedBy: { part } }: Dataset) {
  const source = indexOf(columns, part) + 1
  return [{ name: part, transform: 'identity', 'source-id': source, 'field-id': FIRST_PARTITION_FIELD }]
}

function sortOrder({ columns, sortedBy }: Dataset) {
  const fields = sortedBy.map((name) => ({
    transform: 'identity',
    'source-id': indexOf(columns, name) + 1,
    direction: 'asc',
    'null-order': 'nulls-first',
  }))
  return { 'order-id': SORT_ORDER, fields }
}

const DAY_MS = 86_400_000

/** Binary single-value serialisation, as the specification defines it. */
function binaryValue(type: ColumnType, value: string | number): Buffer {
  switch (type) {
    case 'text':
      return Buffer.from(String(value))
    case 'date':
      return int32(Date.parse(String(value)) / DAY_MS)
    case 'integer':
      return int32(Number(value))
    case 'instant': {
      const bytes = Buffer.alloc(8)
      bytes.writeBigInt64LE(BigInt(value) * 1_000n)
      return bytes
    }
    case 'number': {
      const bytes = Buffer.alloc(8)
      bytes.writeDoubleLE(Number(value))
      return bytes
    }
  }
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32LE(value)
  return bytes
}

interface KeyValue<Value> {
  key: number
  value: Value
}

/** Counts and bounds by field id, in the form required by manifests. */
export function columnMetrics(columns: readonly Column[], statistics: readonly ColumnStatistics[], rows: number) {
  const bounds = (which: 'min' | 'max'): KeyValue<Buffer>[] =>
    statistics.flatMap((one, i) => {
      const [column, value] = [columns[i], one[which]]
      return column === undefined || value === null ? [] : [{ key: i + 1, value: binaryValue(column.type, value) }]
    })
  return {
    value_counts: statistics.map((_, i) => ({ key: i + 1, value: rows })),
    null_value_counts: statistics.map(({ nulls }, i) => ({ key: i + 1, value: nulls })),
    lower_bounds: bounds('min'),
    upper_bounds: bounds('max'),
  }
}

/** Table metadata, version 2 (https://iceberg.apache.org/spec/#table-metadata). `snapshots`: in order; the last is the current one. */
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

/** Derives a UUID of version 8 (RFC 9562) from the location, so that it never changes. */
function uuidOf(location: string): string {
  const hex = createHash('sha256').update(location).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
