/**
 * A table as an Arrow IPC stream, as pandas, Polars, DuckDB and R read it. The library is loaded with the first such answer, since most
 * processes never give one.
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

/** The columns that have a type. */
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

/** The mark that ends a stream. */
const END_BYTES = 8

/**
 * One stream of tables with the same columns: the schema in front, a batch for each, the end. The library's writer queues without limit, so
 * each table is written as a stream of its own, without its schema and end. Any column may miss values.
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
