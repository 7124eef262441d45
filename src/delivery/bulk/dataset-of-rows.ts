/** A dataset whose query gives rows: a column is the field of its name, or what `values` makes of the row. */
import type { Reader, Wanted } from '../../store/bulk-rows.ts'
import type { Column, Value } from './column.ts'
import { type Dataset, spanOf } from './dataset.ts'

const CHUNK_ROWS = 20_000

interface DatasetOfRows<Name extends string, Row> extends Omit<Dataset, 'columns' | 'read'> {
  columns: readonly Column<Name>[]
  /** In order, any number at a time. */
  rows(reader: Reader, allowed: readonly string[], wanted: Wanted): AsyncIterable<Row[]>
  values: NoInfer<Partial<Record<Name, ValueOf<Row>>> & Record<Computed<Name, Row>, ValueOf<Row>>>
  /** Days of a row, YYYY-MM-DD. */
  daysOf(row: NoInfer<Row>): string[]
  /** Publishers of a row. */
  sourcesOf(row: NoInfer<Row>): string[]
}

type ValueOf<Row> = (row: Row) => Value
/** The columns that are no field of the row. */
type Computed<Name extends string, Row> = { [N in Name]: Row extends Record<N, Value> ? never : N }[Name]

export function datasetOfRows<Name extends string, Row>({
  rows,
  values,
  daysOf,
  sourcesOf,
  ...dataset
}: DatasetOfRows<Name, Row>): Dataset {
  const columns = dataset.columns.map(({ name }): ValueOf<Row> => {
    return values[name] ?? ((row) => (row as Record<Name, Value>)[name])
  })
  return {
    ...dataset,
    async *read(reader, allowed, wanted) {
      for await (const read of rows(reader, allowed, wanted)) {
        for (const chunk of inChunks(read)) {
          yield {
            rows: chunk.length,
            columns: columns.map((value) => chunk.map(value)),
            days: spanOf(chunk.flatMap(daysOf)),
            sourceIds: new Set(chunk.flatMap(sourcesOf)),
          }
        }
      }
    },
  }
}

function* inChunks<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let i = 0; i < rows.length; i += CHUNK_ROWS) yield rows.slice(i, i + CHUNK_ROWS)
}
