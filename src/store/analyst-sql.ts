/**
 * Runs one analyst statement as the role analyst on its own connection: a query behind a cursor, in a read-only transaction that is never
 * committed, bounded in time, rows and bytes. If a connection was cut at a limit, its slot is freed once the server has ended the session.
 * A stream fetches the next rows once the previous ones are consumed; each step has the same kind of bounds.
 */
import type postgres from 'postgres'
import {
  type AnalystConnection,
  type AnalystDatabase,
  type LentDatabase,
  openConnection,
  StatementRefused,
  type StepLimits,
  serverForAnalysts,
} from './analyst-connection.ts'
import { type StatementReader, statementReader } from './statement-reader.ts'

export const ANALYST_LIMITS = { seconds: 5, rows: 10_000, bytes: 8 * 1024 * 1024, atATime: 4, perKey: 2 } as const
/** Limits of a stream: seconds and bytes apply to each step. */
const STREAM_LIMITS = {
  seconds: 60,
  rows: 5_000_000,
  bytes: 8 * 1024 * 1024,
  stepRows: 1_000,
  atATime: 2,
  perKey: 1,
} as const
type AnalystLimits = Readonly<Record<keyof typeof ANALYST_LIMITS, number>>
/** Not in the published types. Without it, a text without parameters uses the simple protocol, which accepts several statements. */
const EXTENDED_PROTOCOL = { simple: false } as postgres.UnsafeQueryOptions

interface QueryColumn {
  name: string
  /** Object id of its type. */
  type: number
}

export interface QueryRows {
  columns: QueryColumn[]
  /** Values in PostgreSQL's text format, in the order of the columns; null is SQL's. */
  rows: (string | null)[][]
  /** Whether there were more rows than the limit. */
  truncated: boolean
  /** Version of the data that were read. */
  dataVersion: number
}

/** Too many statements are running. */
export class TooManyStatements extends Error {
  override name = 'TooManyStatements'
}

export interface AnalystSql {
  /**
   * `key` identifies the caller; no caller can occupy all slots. Throws StatementRefused, TooManyStatements, or the database's error if the
   * statement is not its cause.
   */
  run(statement: string, key: string, options?: RunOptions): Promise<QueryRows>
  /**
   * Yields the same in parts of up to a thousand rows, at least one part. The first step throws refusals. If there are more rows than a
   * stream may have, a later step throws: the parts yielded by then are incomplete.
   */
  stream(statement: string, key: string): AsyncGenerator<QueryRows>
}

interface RunOptions {
  /** Number of rows to skip: those of the previous pages. */
  skip?: number
  /** Returns the lines of the plan instead, without running the statement. */
  explain?: boolean
}

type ServerUrl = string

interface OpenSession {
  lent: LentDatabase
  connection: AnalystConnection
  /** Frees the slot. */
  free(): void
}

interface AnalystSqlOptions {
  limits?: AnalystLimits
  reader?: StatementReader
  /** Called with the error if it is unknown whether a cut session has ended. */
  onProblem?: (err: unknown) => void
  /** Called if a statement has exceeded its time limit and the grace period. */
  onOverrun?: (key: string) => void
}

export function analystSql(
  databaseOrUrl: AnalystDatabase | ServerUrl,
  {
    limits = ANALYST_LIMITS,
    reader = statementReader(),
    onProblem = () => {},
    onOverrun = () => {},
  }: AnalystSqlOptions = {},
): AnalystSql {
  const database = typeof databaseOrUrl === 'string' ? serverForAnalysts(databaseOrUrl) : databaseOrUrl
  const querySlots = slots(limits, 'queries')
  const streamSlots = slots(STREAM_LIMITS, 'streams')

  async function refuse(statement: string): Promise<void> {
    const refusal = await reader.refusalOf(statement)
    if (refusal !== undefined) throw new StatementRefused(refusal)
  }

  async function open(limits: StepLimits, free: () => void): Promise<OpenSession> {
    try {
      const lent = await database.lend()
      return { lent, connection: openConnection(lent, limits), free }
    } catch (err) {
      free()
      throw err
    }
  }

  async function closeSession({ lent, connection, free }: OpenSession, key: string): Promise<void> {
    if (connection.isOverdue()) onOverrun(key)
    await connection.close()
    if (connection.overBounds() === undefined) {
      lent.release()
      free()
    } else lent.end(connection.name).catch(onProblem).finally(free)
  }

  return {
    async run(statement, key, { skip = 0, explain = false } = {}) {
      await refuse(statement)
      const opened = await open(limits, querySlots.take(key))
      const { step, sql } = opened.connection
      try {
        return await step(() =>
          explain ? explainStatement(sql, statement, limits) : fetchOnce(sql, statement, limits, skip),
        )
      } finally {
        await closeSession(opened, key)
      }
    },

    async *stream(statement, key) {
      await refuse(statement)
      const opened = await open(STREAM_LIMITS, streamSlots.take(key))
      const { step, sql } = opened.connection
      try {
        const dataVersion = await step(() => openCursor(sql, statement, STREAM_LIMITS))
        let rows = 0
        for (;;) {
          const part = await step(() => fetchRows(sql, STREAM_LIMITS.stepRows, dataVersion))
          const isLast = part.rows.length < STREAM_LIMITS.stepRows
          rows += part.rows.length
          if (rows > STREAM_LIMITS.rows) throw new StatementRefused(`returns more than ${STREAM_LIMITS.rows} rows`)
          if (part.rows.length > 0 || rows === 0) yield part
          if (isLast) return
        }
      } finally {
        await closeSession(opened, key)
      }
    },
  }
}

/** Limits the running statements, in total and per key. A statement ends when its session has ended. `kind` names them in errors. */
function slots({ atATime, perKey }: Pick<AnalystLimits, 'atATime' | 'perKey'>, kind: string) {
  const running: string[] = []
  return {
    /** Returns a function that frees the slot. */
    take(key: string): () => void {
      if (running.length >= atATime) throw new TooManyStatements(`Too many ${kind} are running`)
      if (running.filter((one) => one === key).length >= perKey)
        throw new TooManyStatements(`${perKey} ${kind} of this key are running, the most at a time`)
      running.push(key)
      return () => void running.splice(running.indexOf(key), 1)
    },
  }
}

async function fetchOnce(
  sql: postgres.Sql,
  statement: string,
  limits: AnalystLimits,
  skip: number,
): Promise<QueryRows> {
  const dataVersion = await openCursor(sql, statement, limits)
  if (skip > 0) await sql.unsafe(`move forward ${skip} in answer`)
  const found = await fetchRows(sql, limits.rows + 1, dataVersion)
  return { ...found, rows: found.rows.slice(0, limits.rows), truncated: found.rows.length > limits.rows }
}

/** Returns PostgreSQL's plan, one line per row. The options come first, so that the statement cannot add any. */
async function explainStatement(sql: postgres.Sql, statement: string, limits: AnalystLimits): Promise<QueryRows> {
  const dataVersion = await begin(sql, statement, limits)
  const lines = await sql.unsafe(`explain (analyze false, verbose false) ${statement}`, [], EXTENDED_PROTOCOL).raw()
  return rowsOf(lines, dataVersion)
}

/** Returns the version of the data. */
async function openCursor(sql: postgres.Sql, statement: string, limits: StepLimits): Promise<number> {
  const dataVersion = await begin(sql, statement, limits)
  // The extended protocol accepts one statement, and a cursor only a query, whatever the text contains.
  await sql.unsafe(`declare answer no scroll cursor for ${statement}`, [], EXTENDED_PROTOCOL)
  return dataVersion
}

async function fetchRows(sql: postgres.Sql, count: number, dataVersion: number): Promise<QueryRows> {
  return rowsOf(await sql.unsafe(`fetch ${count} from answer`).raw(), dataVersion)
}

function rowsOf(found: { columns: readonly QueryColumn[] } & Iterable<unknown>, dataVersion: number): QueryRows {
  const rows = [...found] as (Buffer | null)[][]
  return {
    columns: found.columns.map(({ name, type }) => ({ name, type })),
    rows: rows.map((row) => row.map((value) => value?.toString() ?? null)),
    truncated: false,
    dataVersion,
  }
}

/** A statement can sort and join in up to 40 places (`src/market/analyst-sizes.ts`), and each may use this much. */
const WORK_MEM = '16MB'
/** The hash tables of INTERSECT and EXCEPT are the only ones that never spill to disk, so both are sorted instead. */
const KEEPS_ROWS_IN_MEMORY = /\b(?:intersect|except)\b/i

/**
 * Begins a transaction and returns the data version that it reads. `jit` is off, since it compiles in one step. The transaction ends with
 * its connection, which is not shared; a rollback sent into a cut connection would throw in the driver.
 */
async function begin(sql: postgres.Sql, statement: string, limits: StepLimits): Promise<number> {
  const results: unknown = await sql.unsafe(`
    begin isolation level repeatable read read only;
    set local role analyst;
    set local search_path = analytics_bounded, pg_catalog, analytics;
    set local timezone = 'Europe/Rome';
    set local datestyle = iso;
    set local standard_conforming_strings = on;
    set local work_mem = '${WORK_MEM}';
    set local jit = off;
    ${KEEPS_ROWS_IN_MEMORY.test(statement) ? 'set local enable_hashagg = off;' : ''}
    set local idle_in_transaction_session_timeout = '60s';
    set local statement_timeout = ${limits.seconds * 1000};
    select version from data_version`)
  const [row] = (results as { version: string }[][]).at(-1) ?? []
  if (row === undefined) throw new Error('the view data_version has no row')
  return Number(row.version)
}
