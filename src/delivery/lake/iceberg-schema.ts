/**
 * A dataset as an Iceberg table: its columns numbered from 1 in their order, which never changes (new ones come at the end), its order, and
 * its division by value. Years are no partition of the table, since Iceberg's are of UTC and ours are of market days: readers find the
 * files of a time by their bounds.
 */

import { type Column, type ColumnType, indexOf } from '../../api/contract/table.ts'
import type { ColumnStatistics } from '../../store/lake-files.ts'
import type { Dataset } from '../bulk/dataset.ts'

const TYPES: Record<ColumnType, string> = {
  text: 'string',
  date: 'date',
  instant: 'timestamptz',
  integer: 'int',
  number: 'double',
}

/** The first number that the specification leaves for fields of partitions. */
export const FIRST_PARTITION_FIELD = 1000
export const PARTITION_SPEC = 0
export const SORT_ORDER = 1

/** The schema as it was with so many columns, which is also its id. */
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

export function sortOrder({ columns, sortedBy }: Dataset) {
  const fields = sortedBy.map((name) => ({
    transform: 'identity',
    'source-id': indexOf(columns, name) + 1,
    direction: 'asc',
    'null-order': 'nulls-first',
  }))
  return { 'order-id': SORT_ORDER, fields }
}

const DAY_MS = 86_400_000

/** The specification's binary form of a single value. */
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

/** Counts and bounds by field, as a manifest has them. */
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
