/**
 * Chunks as Arrow record batches. The vectors are filled by hand: the library's own builders take several times as long, which for
 * millions of rows is most of an export.
 */
import {
  type Data,
  type DataType,
  DateDay,
  Field,
  Float64,
  Int32,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  TimestampMillisecond,
  Utf8,
} from 'apache-arrow'
import type { Chunk, Column, ColumnType, Values } from './column.ts'

const TYPES: Record<ColumnType, DataType> = {
  text: new Utf8(),
  date: new DateDay(),
  instant: new TimestampMillisecond('UTC'),
  integer: new Int32(),
  number: new Float64(),
}

export function arrowSchema(columns: readonly Column[], metadata: ReadonlyMap<string, string>): Schema {
  const fields = columns.map(({ name, type, nullable }) => new Field(name, TYPES[type], nullable))
  return new Schema(fields, new Map(metadata))
}

/** The columns of the chunk are those of the schema, in its order. */
export function recordBatch(schema: Schema, columns: readonly Column[], { rows, columns: values }: Chunk): RecordBatch {
  const children = columns.map(({ type }, i) => vectorData(type, values[i] ?? [], rows))
  return new RecordBatch(schema, makeData({ type: new Struct(schema.fields), length: rows, nullCount: 0, children }))
}

function vectorData(type: ColumnType, values: Values, length: number): Data {
  const nulls = nullBitmap(values)
  switch (type) {
    case 'text':
      return makeData({ type: new Utf8(), length, ...nulls, ...textBuffers(values as readonly (string | null)[]) })
    case 'date':
      return makeData({ type: new DateDay(), length, ...nulls, data: Int32Array.from(values, dayNumber) })
    case 'instant':
      return makeData({ type: new TimestampMillisecond('UTC'), length, ...nulls, data: instants(values) })
    case 'integer':
      return makeData({ type: new Int32(), length, ...nulls, data: Int32Array.from(values, Number) })
    case 'number':
      return makeData({ type: new Float64(), length, ...nulls, data: Float64Array.from(values, Number) })
  }
}

/** A bit for each value that is there; none of it where all are. */
function nullBitmap(values: Values): { nullCount: number; nullBitmap?: Uint8Array } {
  let nullCount = 0
  for (const value of values) if (value === null) nullCount += 1
  if (nullCount === 0) return { nullCount }
  // Arrow pads its buffers to 8 bytes.
  const bitmap = new Uint8Array(Math.ceil(values.length / 64) * 8)
  values.forEach((value, i) => {
    if (value !== null) bitmap[i >> 3] = (bitmap[i >> 3] ?? 0) | (1 << (i & 7))
  })
  return { nullCount, nullBitmap: bitmap }
}

function textBuffers(values: readonly (string | null)[]): { valueOffsets: Int32Array; data: Uint8Array } {
  const valueOffsets = new Int32Array(values.length + 1)
  let bytes = 0
  values.forEach((value, i) => {
    bytes += value === null ? 0 : Buffer.byteLength(value)
    valueOffsets[i + 1] = bytes
  })
  const data = Buffer.alloc(bytes)
  values.forEach((value, i) => {
    if (value !== null) data.write(value, valueOffsets[i] as number)
  })
  return { valueOffsets, data: new Uint8Array(data.buffer, data.byteOffset, bytes) }
}

function instants(values: Values): BigInt64Array {
  return BigInt64Array.from(values, (ms) => BigInt(ms ?? 0))
}

const EPOCH = Temporal.PlainDate.from('1970-01-01')
const dayNumbers = new Map<string, number>()

/** Days since 1970-01-01. The same few thousand days come again and again. */
function dayNumber(day: string | number | null): number {
  if (typeof day !== 'string') return 0
  const known = dayNumbers.get(day)
  if (known !== undefined) return known
  const made = EPOCH.until(Temporal.PlainDate.from(day), { largestUnit: 'days' }).days
  dayNumbers.set(day, made)
  return made
}
