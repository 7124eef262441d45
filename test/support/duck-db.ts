/** DuckDB in process: a reader of our files that shares no code with their writer. */
import { DuckDBInstance } from '@duckdb/node-api'

let instance: Promise<DuckDBInstance> | undefined

/** Rows of a query as JSON values: instants and dates as text, bigints as text. */
export async function duckRows(statement: string): Promise<Record<string, unknown>[]> {
  instance ??= DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await (await instance).connect()
  try {
    await connection.run("set timezone = 'UTC'")
    const reader = await connection.runAndReadAll(statement)
    return reader.getRowObjectsJson() as Record<string, unknown>[]
  } finally {
    connection.closeSync()
  }
}
