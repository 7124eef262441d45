/**
 * One statement of an analyst, run as the role analyst on its own connection: a query behind a cursor, in a read-only transaction
 * that is never committed, bounded in time, rows and bytes. A connection that exceeds a limit is cut at once; its slot is free
 * again when the server has ended the session.
 */
import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { type StatementReader, statementReader } from './statement-reader.ts'

export const ANALYST_LIMITS = { seconds: 5, rows: 10_000, bytes: 8 * 1024 * 1024, atATime: 4, perKey: 2 } as const
type AnalystLimits = Readonly<Record<keyof typeof ANALYST_LIMITS, number>>

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
  run(statement: string, key: string): Promise<QueryRows>
}

interface AnalystSqlOptions {
  limits?: AnalystLimits
  reader?: StatementReader
  /** Called with the error where it is unknown whether a cut session has ended. */
  onProblem?: (err: unknown) => void
}

export function analystSql(
  url: string,
  { limits = ANALYST_LIMITS, reader = statementReader(), onProblem = () => {} }: AnalystSqlOptions = {},
): AnalystSql {
  /** Keys of the statements whose sessions have not ended. */
  const running: string[] = []
  return {
    async run(statement, key) {
      const refusal = await reader.refusalOf(statement)
      if (refusal !== undefined) throw new StatementRefused(refusal)
      if (running.length >= limits.atATime) throw new TooManyStatements('Too many queries are running')
      if (running.filter((one) => one === key).length >= limits.perKey)
        throw new TooManyStatements(`${limits.perKey} queries of this key are running, the most at a time`)
      running.push(key)
      const free = () => running.splice(running.indexOf(key), 1)
      const line = openLine(url, limits)
      try {
        return await runOn(line, statement, limits)
      } finally {
        await line.close()
        if (line.overBounds() === undefined) free()
        else endSession(url, line.name).catch(onProblem).finally(free)
      }
    },
  }
}

async function runOn(line: Line, statement: string, limits: AnalystLimits): Promise<QueryRows> {
  const found = await runInTransaction(line.sql, statement, limits).catch((err: unknown) => {
    throw line.overBounds() ?? faultOfStatement(err, limits) ?? err
  })
  const refused = line.overBounds()
  if (refused !== undefined) throw refused
  return found
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

/** The transaction ends with its connection, which nobody else uses; a rollback sent into a cut connection would throw in the driver. */
async function runInTransaction(sql: postgres.Sql, statement: string, limits: AnalystLimits): Promise<QueryRows> {
  await sql.unsafe(`
    begin read only;
    set local role analyst;
    set local search_path = analytics;
    set local timezone = 'Europe/Rome';
    set local datestyle = iso;
    set local standard_conforming_strings = on;
    set local statement_timeout = ${limits.seconds * 1000}`)
  // The extended protocol takes one statement, and a cursor only a query, whatever the text turns out to be.
  await sql.unsafe(`declare answer no scroll cursor for ${statement}`, [], EXTENDED_PROTOCOL)
  const found = await sql.unsafe(`fetch ${limits.rows + 1} from answer`).raw()
  const columns = found.columns.map(({ name, type }) => ({ name, type }))
  const rows = found
    .slice(0, limits.rows)
    .map((row) => (row as unknown as (Buffer | null)[]).map((value) => value?.toString() ?? null))
  return { columns, rows, truncated: found.length > limits.rows }
}

interface Line {
  sql: postgres.Sql
  /** Unique to its session. */
  name: string
  /** The limit it exceeded, if any. */
  overBounds(): StatementRefused | undefined
  close(): Promise<void>
}

/** A connection that is cut when it receives more than the limit, or long after the time limit. */
function openLine(url: string, limits: AnalystLimits): Line {
  let socket: Socket | undefined
  const name = `energy-prices analyst ${randomBytes(16).toString('hex')}`
  const cutAt = performance.now() + (limits.seconds + CUT_AFTER_SECONDS_MORE) * 1000
  const overBounds = () => {
    if ((socket?.bytesRead ?? 0) > limits.bytes) return new StatementRefused(tooLarge(limits))
    return performance.now() > cutAt ? new StatementRefused(tooSlow(limits)) : undefined
  }
  const watch = setInterval(() => {
    if (overBounds() !== undefined) socket?.destroy()
  }, WATCH_EVERY_MS)
  const sql = postgres(url, {
    ...optionsFor(url),
    connect_timeout: limits.seconds,
    connection: { application_name: name },
    // Not in the published types: called once for each connection.
    socket: async ({ path, host: [host], port: [port] }: { path: string | false; host: string[]; port: number[] }) => {
      socket = path ? connect(path) : connect(port ?? 5432, host)
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      socket.once('connect', resolve).once('error', reject)
      await promise
      return socket
    },
  } as postgres.Options<Record<string, never>>)
  return {
    sql,
    name,
    overBounds,
    async close() {
      clearInterval(watch)
      await sql.end({ timeout: 0 })
    },
  }
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

function faultOfStatement(err: unknown, limits: AnalystLimits): StatementRefused | undefined {
  if (!(err instanceof postgres.PostgresError)) return undefined
  if (err.code === CANCELED) return new StatementRefused(tooSlow(limits))
  return STATEMENTS_FAULT.test(err.code)
    ? new StatementRefused(`is refused by the database: ${err.message}`)
    : undefined
}

const tooSlow = ({ seconds }: AnalystLimits) => `takes longer than ${seconds} seconds`
const tooLarge = ({ bytes }: AnalystLimits) =>
  `returns more than ${bytes / 1024 / 1024} MiB; ask for fewer columns or rows`
