/**
 * One statement of an analyst, run as the role analyst on its own connection: a query behind a cursor, in a read-only transaction
 * that is never committed, bounded in time, rows and bytes. A connection that exceeds a limit is cut at once; its slot is free
 * again when the server has ended the session. A stream fetches the next rows when the last ones have been taken, each step bounded alike.
 */
import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { type StatementReader, statementReader } from './statement-reader.ts'

export const ANALYST_LIMITS = { seconds: 5, rows: 10_000, bytes: 8 * 1024 * 1024, atATime: 4, perKey: 2 } as const
/** Of a stream: seconds and bytes are those of a step. */
const STREAM_LIMITS = {
  seconds: 60,
  rows: 5_000_000,
  bytes: 8 * 1024 * 1024,
  stepRows: 1_000,
  atATime: 2,
  perKey: 1,
} as const
type AnalystLimits = Readonly<Record<keyof typeof ANALYST_LIMITS, number>>
type StreamLimits = Readonly<Record<keyof typeof STREAM_LIMITS, number>>
/** Of what is fetched at once. */
type StepLimits = Pick<AnalystLimits, 'seconds' | 'bytes'>

/** For what the server cannot end: an uninterruptible statement, a lost network. */
const CUT_AFTER_SECONDS_MORE = 1
const WATCH_EVERY_MS = 20
const LOOK_EVERY_MS = 250
const CONNECT_TIMEOUT_S = 5
/** Not in the published types; without it a text without parameters goes by the simple protocol, which takes several statements. */
const EXTENDED_PROTOCOL = { simple: false } as postgres.UnsafeQueryOptions

interface QueryColumn {
  name: string
  /** Object id of its type. */
  type: number
}

export interface QueryRows {
  columns: QueryColumn[]
  /** Values as PostgreSQL writes them, in the order of the columns; null is SQL's. */
  rows: (string | null)[][]
  /** There were more rows than the limit. */
  truncated: boolean
}

/** An error in the statement, reported to its sender: a phrase. */
export class StatementRefused extends Error {
  override name = 'StatementRefused'
}

/** Too many statements are running. */
export class TooManyStatements extends Error {
  override name = 'TooManyStatements'
}

export interface AnalystSql {
  /**
   * `key`: whose statement it is; none holds all the slots. Throws StatementRefused, TooManyStatements, or the database's error where
   * the statement is not its cause.
   */
  run(statement: string, key: string, options?: RunOptions): Promise<QueryRows>
  /**
   * The same in parts of a thousand rows each, at least one; what is refused before the first part is thrown by the first step. Throws
   * within the stream where it has more rows than a stream may have: what has come by then is not the whole.
   */
  stream(statement: string, key: string): AsyncGenerator<QueryRows>
}

interface RunOptions {
  /** Rows that are left out at the beginning: those of the pages before. */
  skip?: number
  /** Answers with the lines of the plan instead, and runs nothing. */
  explain?: boolean
}

interface AnalystSqlOptions {
  limits?: AnalystLimits
  streamLimits?: StreamLimits
  reader?: StatementReader
  /** Called with the error where it is unknown whether a cut session has ended. */
  onProblem?: (err: unknown) => void
}

export function analystSql(
  url: string,
  {
    limits = ANALYST_LIMITS,
    streamLimits = STREAM_LIMITS,
    reader = statementReader(),
    onProblem = () => {},
  }: AnalystSqlOptions = {},
): AnalystSql {
  const answers = slots(limits, 'queries')
  const streams = slots(streamLimits, 'streams')

  async function refuse(statement: string): Promise<void> {
    const refusal = await reader.refusalOf(statement)
    if (refusal !== undefined) throw new StatementRefused(refusal)
  }

  async function leave(line: Line, free: () => void): Promise<void> {
    await line.close()
    if (line.overBounds() === undefined) free()
    else endSession(url, line.name).catch(onProblem).finally(free)
  }

  return {
    async run(statement, key, { skip = 0, explain = false } = {}) {
      await refuse(statement)
      const free = answers.take(key)
      const line = openLine(url, limits)
      try {
        return await line.step(() =>
          explain ? explainStatement(line.sql, statement, limits) : fetchOnce(line.sql, statement, limits, skip),
        )
      } finally {
        await leave(line, free)
      }
    },

    async *stream(statement, key) {
      await refuse(statement)
      const free = streams.take(key)
      const line = openLine(url, streamLimits)
      try {
        await line.step(() => openCursor(line.sql, statement, streamLimits))
        let rows = 0
        for (;;) {
          const part = await line.step(() => fetchRows(line.sql, streamLimits.stepRows))
          const isLast = part.rows.length < streamLimits.stepRows
          rows += part.rows.length
          if (rows > streamLimits.rows) throw new StatementRefused(`returns more than ${streamLimits.rows} rows`)
          if (part.rows.length > 0 || rows === 0) yield part
          if (isLast) return
        }
      } finally {
        await leave(line, free)
      }
    },
  }
}

/** Whose statements run; one is over when its session has ended. `kind`: the word for them. */
function slots({ atATime, perKey }: Pick<AnalystLimits, 'atATime' | 'perKey'>, kind: string) {
  const running: string[] = []
  return {
    /** Returns what frees the slot again. */
    take(key: string): () => void {
      if (running.length >= atATime) throw new TooManyStatements(`Too many ${kind} are running`)
      if (running.filter((one) => one === key).length >= perKey)
        throw new TooManyStatements(`${perKey} ${kind} of this key are running, the most at a time`)
      running.push(key)
      return () => void running.splice(running.indexOf(key), 1)
    },
  }
}

/** Waits until no session of that name is left: asked to end it, a server does so after the current step of the statement. */
async function endSession(url: string, name: string): Promise<void> {
  for (;;) {
    try {
      if (!(await tellToEnd(url, name))) return
    } catch (err) {
      if (err instanceof postgres.PostgresError && LACKS_THE_FUNCTION.test(err.code)) throw err
    }
    await sleep(LOOK_EVERY_MS, undefined, { ref: false })
  }
}

/** Whether there was one. */
async function tellToEnd(url: string, name: string): Promise<boolean> {
  const sql = postgres(url, { ...optionsFor(url), connect_timeout: CONNECT_TIMEOUT_S })
  try {
    const [session] = await sql<{ was_there: boolean }[]>`select analytics.end_session(${name}) as was_there`
    return session?.was_there ?? false
  } finally {
    await sql.end({ timeout: 0 })
  }
}

async function fetchOnce(
  sql: postgres.Sql,
  statement: string,
  limits: AnalystLimits,
  skip: number,
): Promise<QueryRows> {
  await openCursor(sql, statement, limits)
  if (skip > 0) await sql.unsafe(`move forward ${skip} in answer`)
  const { columns, rows } = await fetchRows(sql, limits.rows + 1)
  return { columns, rows: rows.slice(0, limits.rows), truncated: rows.length > limits.rows }
}

/** What PostgreSQL would do, a line a row; the options stand in front, so that none can come from the statement. */
async function explainStatement(sql: postgres.Sql, statement: string, limits: AnalystLimits): Promise<QueryRows> {
  await begin(sql, limits)
  return rowsOf(await sql.unsafe(`explain (analyze false, verbose false) ${statement}`, [], EXTENDED_PROTOCOL).values())
}

async function openCursor(sql: postgres.Sql, statement: string, limits: StepLimits): Promise<void> {
  await begin(sql, limits)
  // The extended protocol takes one statement, and a cursor only a query, whatever the text turns out to be.
  await sql.unsafe(`declare answer no scroll cursor for ${statement}`, [], EXTENDED_PROTOCOL)
}

async function fetchRows(sql: postgres.Sql, count: number): Promise<QueryRows> {
  return rowsOf(await sql.unsafe(`fetch ${count} from answer`).values())
}

function rowsOf(found: { columns: readonly QueryColumn[] } & Iterable<unknown>): QueryRows {
  return {
    columns: found.columns.map(({ name, type }) => ({ name, type })),
    rows: [...found] as (string | null)[][],
    truncated: false,
  }
}

/** The transaction ends with its connection, which nobody else uses; a rollback sent into a cut connection would throw in the driver. */
async function begin(sql: postgres.Sql, limits: StepLimits): Promise<void> {
  await sql.unsafe(`
    begin read only;
    set local role analyst;
    set local search_path = analytics;
    set local timezone = 'Europe/Rome';
    set local datestyle = iso;
    set local standard_conforming_strings = on;
    set local idle_in_transaction_session_timeout = '60s';
    set local statement_timeout = ${limits.seconds * 1000}`)
}

interface Line {
  sql: postgres.Sql
  /** Unique to its session. */
  name: string
  /** Runs it within the limits of a step; throws StatementRefused where the statement is to blame. */
  step<T>(run: () => Promise<T>): Promise<T>
  /** The limit that was exceeded, if any. */
  overBounds(): StatementRefused | undefined
  close(): Promise<void>
}

/** A connection that is cut when it receives more in a step than the limit, or long after the time limit. */
function openLine(url: string, limits: StepLimits): Line {
  let socket: Socket | undefined
  const name = `energy-prices analyst ${randomBytes(16).toString('hex')}`
  let cutAt = Number.POSITIVE_INFINITY
  let bytesBefore = 0
  const overBounds = () => {
    if ((socket?.bytesRead ?? 0) - bytesBefore > limits.bytes) return new StatementRefused(tooLarge(limits))
    return performance.now() > cutAt ? new StatementRefused(tooSlow(limits)) : undefined
  }
  const watch = setInterval(() => {
    if (overBounds() !== undefined) socket?.destroy()
  }, WATCH_EVERY_MS)
  const sql = postgres(url, {
    ...optionsFor(url),
    connect_timeout: limits.seconds,
    connection: { application_name: name },
    types: { text: AS_TEXT },
    // Not in the published types: called once for each connection.
    socket: async ({ path, host: [host], port: [port] }: { path: string | false; host: string[]; port: number[] }) => {
      socket = path ? connect(path) : connect(port ?? 5432, host)
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      socket.once('connect', resolve).once('error', reject)
      await promise
      return socket
    },
  } as postgres.Options<Record<string, postgres.PostgresType>>)
  return {
    sql,
    name,
    overBounds,
    async step(run) {
      cutAt = performance.now() + (limits.seconds + CUT_AFTER_SECONDS_MORE) * 1000
      bytesBefore = socket?.bytesRead ?? 0
      const done = await run().catch((err: unknown) => {
        throw overBounds() ?? faultOfStatement(err, limits) ?? err
      })
      const refused = overBounds()
      if (refused !== undefined) throw refused
      cutAt = Number.POSITIVE_INFINITY
      return done
    },
    async close() {
      clearInterval(watch)
      await sql.end({ timeout: 0 })
    },
  }
}

/** Every value as the server writes it, of the types that the driver would convert too. */
const AS_TEXT = {
  to: 25,
  from: [16, 17, 20, 21, 23, 26, 114, 700, 701, 1082, 1114, 1184, 3802],
  serialize: String,
  parse: (text: string) => text,
}

function optionsFor(url: string) {
  const folder = decodeURIComponent(new URL(url).hostname)
  return { ...(folder.startsWith('/') && { host: folder }), max: 1, fetch_types: false, onnotice: () => {} }
}

/** SQLSTATE classes that are about the statement: feature, cardinality, data, transaction state, syntax and access, limits; and a parameter without a value. */
const STATEMENTS_FAULT = /^(?:0A|21|22|25|2F|42|54)|^53[24]00$|^08P01$/
const CANCELED = '57014'
/** No such schema or function, or no right to it: the roles are of an earlier version. */
const LACKS_THE_FUNCTION = /^(?:3F000|42883|42501)$/

function faultOfStatement(err: unknown, limits: StepLimits): StatementRefused | undefined {
  if (!(err instanceof postgres.PostgresError)) return undefined
  if (err.code === CANCELED) return new StatementRefused(tooSlow(limits))
  return STATEMENTS_FAULT.test(err.code)
    ? new StatementRefused(`is refused by the database: ${err.message}`)
    : undefined
}

const tooSlow = ({ seconds }: StepLimits) => `takes longer than ${seconds} seconds`
const tooLarge = ({ bytes }: StepLimits) =>
  `returns more than ${bytes / 1024 / 1024} MiB; ask for fewer columns or rows`
