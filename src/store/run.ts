/**
 * Short statements, typed by `schema.generated.ts`. Kysely only compiles them; the caller's connection, transaction or replica runs them as
 * prepared statements, with the driver's types. Kysely is loaded on first use.
 */
import type { Compilable, Kysely } from 'kysely'
import type { RowList } from 'postgres'
import { once } from '../platform/awaitable.ts'
import type { Schema } from './schema.generated.ts'
import type { Queryable } from './sql-files.ts'

type Build<Row> = (db: Kysely<Schema>) => Compilable<Row>

/** Returns the rows; `count` is the number of rows written if the statement returns none. */
export async function run<Row>(sql: Queryable, build: Build<Row>): Promise<RowList<Row[]>> {
  const { sql: text, parameters } = build(await compiler()).compile()
  return sql.unsafe<Row[]>(text, parameters as never[], PREPARED)
}

/** Returns the first row. */
export async function runOne<Row>(sql: Queryable, build: Build<Row>): Promise<Row | undefined> {
  const [row] = await run(sql, build)
  return row
}

/** `simple: false`, since the driver would otherwise send a statement without parameters unprepared. */
const PREPARED: { prepare: boolean } = Object.freeze({ prepare: true, simple: false })

const compiler = once(async () => {
  const { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } = await import('kysely')
  return new Kysely<Schema>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
})
