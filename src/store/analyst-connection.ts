/**
 * The connection of one analyst statement. It is cut as soon as a step exceeds a limit; the server is then asked to end the session until
 * it has ended.
 */
import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'

/** Limits of one fetch. */
export interface StepLimits {
  seconds: number
  bytes: number
}

/** A server cancels a statement at its limit. The connection is cut later, in case the server cannot cancel it or the network is lost. */
const SERVER_GRACE_SECONDS = 1
const WATCH_EVERY_MS = 20
const POLL_INTERVAL_MS = 250
const CONNECT_TIMEOUT_S = 5

/** An error in the statement, reported to its sender. The message is a phrase. */
export class StatementRefused extends Error {
  override name = 'StatementRefused'
}

/** The database in which analysts' statements run. */
export interface AnalystDatabase {
  /** Lends a database to one statement, until it is returned. */
  lend(): Promise<LentDatabase>
}

export interface LentDatabase {
  url: string
  /** How long after its time limit a step is cut. */
  graceSeconds: number
  release(): void
  /** Ends the session of that name, including a running statement, and returns the database. */
  end(sessionName: string): Promise<void>
  /** Why the connection was lost, if the statement was the cause. */
  causeOfLoss?(): Promise<StatementRefused | undefined>
}

/** All statements share the server. */
export function serverForAnalysts(url: string): AnalystDatabase {
  return {
    lend: async () => ({
      url,
      graceSeconds: SERVER_GRACE_SECONDS,
      release() {},
      end: (sessionName) => endSession(url, sessionName),
    }),
  }
}

export interface AnalystConnection {
  sql: postgres.Sql
  /** The session's `application_name`, which is unique. */
  name: string
  /** Runs a step within its limits; throws StatementRefused if the statement is to blame. */
  step<T>(run: () => Promise<T>): Promise<T>
  /** The limit that was exceeded, if any. */
  overBounds(): StatementRefused | undefined
  /** Whether a step has exceeded its time limit and the grace period, after which it is cut. */
  isOverdue(): boolean
  close(): Promise<void>
}

/** Opens a connection that is cut when a step receives more bytes than the limit, or runs past its time limit and the grace period. */
export function openConnection(database: LentDatabase, limits: StepLimits): AnalystConnection {
  const { url, graceSeconds } = database
  let socket: Socket | undefined
  const name = `energy-prices analyst ${randomBytes(16).toString('hex')}`
  let cutAt = Number.POSITIVE_INFINITY
  let bytesBefore = 0
  const isOverdue = () => performance.now() > cutAt
  const overBounds = () => {
    if ((socket?.bytesRead ?? 0) - bytesBefore > limits.bytes) return new StatementRefused(tooLarge(limits))
    return isOverdue() ? new StatementRefused(tooSlow(limits)) : undefined
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
  const causeOfLoss = async (err: unknown) =>
    err instanceof postgres.PostgresError ? undefined : await database.causeOfLoss?.()
  return {
    sql,
    name,
    overBounds,
    isOverdue,
    async step(run) {
      cutAt = performance.now() + (limits.seconds + graceSeconds) * 1000
      bytesBefore = socket?.bytesRead ?? 0
      const done = await run().catch(async (err: unknown) => {
        throw overBounds() ?? statementError(err, limits) ?? (await causeOfLoss(err)) ?? err
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

/** Waits until no session of that name is left. A server ends it only after the current step of the statement. */
async function endSession(url: string, name: string): Promise<void> {
  for (;;) {
    try {
      if (!(await requestSessionEnd(url, name))) return
    } catch (err) {
      if (err instanceof postgres.PostgresError && MISSING_FUNCTION_CODES.test(err.code)) throw err
    }
    await sleep(POLL_INTERVAL_MS, undefined, { ref: false })
  }
}

/** Returns whether there was such a session. */
async function requestSessionEnd(url: string, name: string): Promise<boolean> {
  const sql = postgres(url, { ...optionsFor(url), connect_timeout: CONNECT_TIMEOUT_S })
  try {
    const [session] = await sql<{ was_there: boolean }[]>`select analytics.end_session(${name}) as was_there`
    return session?.was_there ?? false
  } finally {
    await sql.end({ timeout: 0 })
  }
}

function optionsFor(url: string) {
  const folder = decodeURIComponent(new URL(url).hostname)
  return { ...(folder.startsWith('/') && { host: folder }), max: 1, fetch_types: false, onnotice: () => {} }
}

/** SQLSTATE classes caused by the statement: feature, cardinality, data, transaction state, syntax and access, limits; and a missing parameter. */
const STATEMENT_ERROR_CLASSES = /^(?:0A|21|22|25|2F|42|54)|^53[24]00$|^08P01$/
const CANCELED = '57014'
/** No such schema or function, or no privilege on it: the roles were created by an earlier version. */
const MISSING_FUNCTION_CODES = /^(?:3F000|42883|42501)$/

function statementError(err: unknown, limits: StepLimits): StatementRefused | undefined {
  if (!(err instanceof postgres.PostgresError)) return undefined
  if (err.code === CANCELED) return new StatementRefused(tooSlow(limits))
  return STATEMENT_ERROR_CLASSES.test(err.code)
    ? new StatementRefused(`is refused by the database: ${err.message}`)
    : undefined
}

const tooSlow = ({ seconds }: StepLimits) => `takes longer than ${seconds} seconds`
const tooLarge = ({ bytes }: StepLimits) =>
  `returns more than ${bytes / 1024 / 1024} MiB; ask for fewer columns or rows`
