/**
 * A table as an Arrow IPC stream, as pandas, Polars, DuckDB and R read it. The library is loaded with the first such answer, since most
 * processes never give one.
 */
type ArrowValues =
  | { type: 'float64' | 'int32'; values: readonly (number | null)[] }
  | { type: 'int64'; values: readonly (bigint | null)[] }
  | { type: 'bool'; values: readonly (boolean | null)[] }
  | { type: 'utf8'; values: readonly (string | null)[] }
  /** Calendar days as days since 1970-01-01. */
  | { type: 'date'; values: readonly (number | null)[] }
  /** Milliseconds since 1970-01-01T00:00Z. */
  | { type: 'instant'; values: readonly (number | null)[] }

export interface ArrowTable {
  /** Without the extension. */
  filename: string
  columns: readonly (ArrowValues & { name: string })[]
}

const DAY_MS = 86_400_000

/** A day, YYYY-MM-DD, as the columns of dates have it. */
export function daysSinceEpoch(day: string): number {
  return Temporal.PlainDate.from('1970-01-01').until(day, { largestUnit: 'days' }).days
}

export async function toArrow({ columns }: Pick<ArrowTable, 'columns'>): Promise<Buffer> {
  const arrow = await import('apache-arrow')
  const types = {
    float64: new arrow.Float64(),
    int32: new arrow.Int32(),
    int64: new arrow.Int64(),
    bool: new arrow.Bool(),
    utf8: new arrow.Utf8(),
    date: new arrow.DateDay(),
    instant: new arrow.TimestampMillisecond('UTC'),
  }
  const vectors = columns.map((column) => {
    const values = column.type === 'date' ? column.values.map((day) => day && new Date(day * DAY_MS)) : column.values
    return [column.name, arrow.vectorFromArray(values, types[column.type])] as const
  })
  return Buffer.from(arrow.tableToIPC(new arrow.Table(Object.fromEntries(vectors)), 'stream'))
}
