/**
 * Converts chunks to Arrow record batches. The vectors are filled by hand: the library's own builders are several times slower, and
 * would take most of the time of an export of millions of rows.
 */
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import {
  CompressionType,
  compressionRegistry,
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
  type Timestamp,
  TimestampMicrosecond,
  TimestampMillisecond,
  TimeUnit,
  Utf8,
} from 'apache-arrow'
import type { Column, ColumnType, Values } from '../../api/contract/table.ts'
import type { Chunk } from './dataset.ts'

/** The library includes no ZSTD codec; its users must register one. */
compressionRegistry.set(CompressionType.ZSTD, { encode: zstdCompressSync, decode: zstdDecompressSync })

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

/** Schema for table formats: columns numbered from 1, instants in microseconds. */
export function numberedSchema(columns: readonly Column[]): Schema {
  const fields = columns.map(({ name, type, nullable }, i) => {
    const arrowType = type === 'instant' ? new TimestampMicrosecond('UTC') : TYPES[type]
    return new Field(name, arrowType, nullable, new Map([['PARQUET:field_id', String(i + 1)]]))
  })
  return new Schema(fields)
}

/** The chunk must have the columns of the schema, in the same order. */
export function recordBatch(schema: Schema, columns: readonly Column[], { rows, columns: values }: Chunk): RecordBatch {
  const children = columns.map((column, i) => vectorData(column, values[i] ?? [], rows, schema.fields[i]?.type))
  return new RecordBatch(schema, makeData({ type: new Struct(schema.fields), length: rows, nullCount: 0, children }))
}

function vectorData({ type, nullable }: Column, values: Values, length: number, arrowType?: DataType): Data {
  const nulls = nullable ? nullBitmap(values) : { nullCount: 0 }
  switch (type) {
    case 'text':
      return makeData({ type: new Utf8(), length, ...nulls, ...textBuffers(values as readonly (string | null)[]) })
    case 'date':
      return makeData({ type: new DateDay(), length, ...nulls, data: Int32Array.from(values, dayNumber) })
    case 'instant': {
      const timestamp = arrowType as Timestamp
      const perMs = timestamp.unit === TimeUnit.MICROSECOND ? 1_000 : 1
      return makeData({ type: timestamp, length, ...nulls, data: instants(values, perMs) })
    }
    case 'integer':
      return makeData({ type: new Int32(), length, ...nulls, data: fillNumbers(new Int32Array(length), values) })
    case 'number':
      return makeData({ type: new Float64(), length, ...nulls, data: fillNumbers(new Float64Array(length), values) })
  }
}

function fillNumbers<T extends Int32Array | Float64Array>(data: T, values: Values): T {
  for (let i = 0; i < data.length; i++) data[i] = Number(values[i])
  return data
}

/** Validity bitmap with a bit set for each non-null value; omitted if there are no nulls. */
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

const UTF8 = new TextEncoder()

/** Encodes each distinct text once: a column has few of them, mostly repeated in consecutive rows. */
function textBuffers(values: readonly (string | null)[]): { valueOffsets: Int32Array; data: Uint8Array } {
  const encoded = new Map<string | null, Uint8Array>()
  const valueOffsets = new Int32Array(values.length + 1)
  let [text, piece]: [string | null, Uint8Array] = [null, new Uint8Array()]
  const pieces = values.map((value, i) => {
    if (value !== text) {
      text = value
      piece = encoded.get(value) ?? UTF8.encode(value ?? '')
      encoded.set(value, piece)
    }
    valueOffsets[i + 1] = (valueOffsets[i] as number) + piece.length
    return piece
  })
  const data = new Uint8Array(valueOffsets.at(-1) as number)
  for (let i = 0; i < pieces.length; i++) data.set(pieces[i] as Uint8Array, valueOffsets[i])
  return { valueOffsets, data }
}

const HALF = 2 ** 32

/** Writes 64-bit integers as two 32-bit halves, low half first as in Arrow's buffers. A BigInt per value would take ten times as long. */
function instants(values: Values, perMs: number): BigInt64Array {
  const data = new BigInt64Array(values.length)
  const halves = new Uint32Array(data.buffer)
  for (let i = 0; i < values.length; i++) {
    const time = Number(values[i]) * perMs
    const high = Math.floor(time / HALF)
    halves[2 * i] = time - high * HALF
    halves[2 * i + 1] = high
  }
  return data
}

const EPOCH = Temporal.PlainDate.from('1970-01-01')
const dayNumbers = new Map<string, number>()

/** Days since 1970-01-01. Cached, since the same few thousand days recur. */
function dayNumber(day: string | number | null): number {
  if (typeof day !== 'string') return 0
  const known = dayNumbers.get(day)
  if (known !== undefined) return known
  const made = EPOCH.until(Temporal.PlainDate.from(day), { largestUnit: 'days' }).days
  dayNumbers.set(day, made)
  return made
}
