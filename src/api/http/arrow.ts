/**
 * A table as an Arrow IPC stream, readable by pandas, Polars, DuckDB and R. The library is loaded with the first such response, since
 * most processes never send one.
 */
import type { RecordBatch, Schema, Vector } from 'apache-arrow'
import type { ReplyTable } from './csv-table.ts'

type ArrowValues =
  | { type: 'number' | 'integer'; values: readonly (number | null)[] }
  | { type: 'bigint'; values: readonly (bigint | null)[] }
  | { type: 'boolean'; values: readonly (boolean | null)[] }
  | { type: 'text'; values: readonly (string | null)[] }
  /** ISO 8601, or milliseconds since 1970; a date is midnight UTC of its day. */
  | { type: 'date' | 'instant'; values: readonly (string | number | null)[] }

export interface ArrowTable {
  /** File name without the extension. */
  filename: string
  columns: readonly (ArrowValues & { name: string })[]
}

/** Returns a table with the typed columns only. */
export function arrowTableOf({ filename, columns, rows }: ReplyTable): ArrowTable {
  const typed = columns.filter((column) => typeof column !== 'string')
  return {
    filename,
    columns: typed.map(({ name, type }) => {
      const values = rows.map((row) => row[name] ?? null)
      return { name, type, values } as ArrowTable['columns'][number]
    }),
  }
}

type Arrow = typeof import('apache-arrow')

export async function toArrow(table: Pick<ArrowTable, 'columns'>): Promise<Buffer> {
  const arrow = await import('apache-arrow')
  const vectors = vectorsOf(arrow, table).map(({ name, vector }) => [name, vector] as const)
  return Buffer.from(arrow.tableToIPC(new arrow.Table(Object.fromEntries(vectors)), 'stream'))
}

/** Length of the end-of-stream marker. */
const END_BYTES = 8

/**
 * Writes tables with the same columns as one stream: the schema, a batch per table, the end marker. The library's writer buffers without
 * limit, so each table is written as a separate stream and stripped of its schema and end marker. Any column may have missing values.
 */
export async function* arrowInParts(tables: AsyncIterable<Pick<ArrowTable, 'columns'>>): AsyncGenerator<Uint8Array> {
  const arrow = await import('apache-arrow')
  const streamOf = (schema: Schema, batches: readonly RecordBatch[]) => {
    const writer = new arrow.RecordBatchStreamWriter({ autoDestroy: false })
    writer.reset(undefined, schema)
    for (const batch of batches) writer.write(batch)
    writer.close()
    return writer.toUint8Array(true)
  }
  let frame: Uint8Array | undefined
  for await (const table of tables) {
    const vectors = vectorsOf(arrow, table)
    const schema = new arrow.Schema(vectors.map(({ name, vector }) => new arrow.Field(name, vector.type, true)))
    if (frame === undefined) {
      frame = streamOf(schema, [])
      yield frame.subarray(0, -END_BYTES)
    }
    const { batches } = new arrow.Table(schema, Object.fromEntries(vectors.map(({ name, vector }) => [name, vector])))
    yield streamOf(schema, batches).subarray(frame.length - END_BYTES, -END_BYTES)
  }
  if (frame !== undefined) yield frame.subarray(-END_BYTES)
}

function vectorsOf(arrow: Arrow, { columns }: Pick<ArrowTable, 'columns'>): { name: string; vector: Vector }[] {
  const types = {
    number: new arrow.Float64(),
    integer: new arrow.Int32(),
    bigint: new arrow.Int64(),
    boolean: new arrow.Bool(),
    text: new arrow.Utf8(),
    date: new arrow.DateDay(),
    instant: new arrow.TimestampMillisecond('UTC'),
  }
  return columns.map(({ name, type, values }) => {
    const isTime = type === 'date' || type === 'instant'
    const read = isTime ? values.map((value) => (value === null ? null : new Date(value))) : values
    return { name, vector: arrow.vectorFromArray(read, types[type]) }
  })
}
