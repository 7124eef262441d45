/**
 * Connections to TimescaleDB, embedded or on a server. Dates travel as `YYYY-MM-DD` text and never as JavaScript dates, which would shift
 * them by the machine's time zone.
 */
import postgres from 'postgres'

type Day = string | Temporal.PlainDate
/** Parameters that the driver accepts besides its own. */
type ParameterTypes = { date: Day; bigint: number; instant: Temporal.Instant }

export type Sql = postgres.Sql<ParameterTypes>
export type Transaction = postgres.TransactionSql<ParameterTypes>

export const POOL_SIZE = 8
/** Timeout for queries still running at shutdown; only abandoned work leaves any. */
const END_TIMEOUT_S = 1
const CONNECT_TIMEOUT_S = 10
/** The embedded engine accepts a connection only after its current statement, such as the first refresh of a long history. */
const SOCKET_CONNECT_TIMEOUT_S = 60
const RECONNECT_FIRST_S = 0.02
const RECONNECT_MAX_S = 1

export interface ConnectOptions {
  poolSize?: number
  /** Called with the server's warnings; by default they are dropped. */
  onNotice?: ((warning: string) => void) | undefined
}

/** Opens connections on first use; the caller ends them. */
export function connectSql(url: string, { poolSize = POOL_SIZE, onNotice }: ConnectOptions = {}): Sql {
  const socket = socketFolder(url)
  return postgres(url, {
    ...socket,
    max: poolSize,
    connect_timeout: socket.host === undefined ? CONNECT_TIMEOUT_S : SOCKET_CONNECT_TIMEOUT_S,
    idle_timeout: 0,
    backoff: reconnectDelaySeconds,
    // Only warnings are passed on; the notices of refreshes and definitions are dropped, and errors arrive as rejections.
    onnotice: ({ severity, message }) => {
      if (severity === 'WARNING') onNotice?.(`warning: ${message}`)
    },
    connection: { application_name: 'energy-prices', TimeZone: 'UTC' },
    types: {
      date: { to: 1082, from: [1082], serialize: (day: Day) => day.toString(), parse: (text: string): Day => text },
      // Arrays can have thousands of days, and the driver's own parser examines each character.
      dates: {
        to: 1182,
        from: [1182],
        serialize: (days: (Day | null)[]) => `{${days.join(',')}}`,
        parse: arrayOf<Day>(String),
      },
      bigint: { to: 20, from: [20], serialize: String, parse: parseBigint },
      // The driver reads a null inside an array of numbers as NaN; a missing price must stay missing.
      float8s: {
        to: 1022,
        from: [1022],
        serialize: (values: (number | null)[]) => `{${values.map((value) => value ?? 'null').join(',')}}`,
        parse: parseNumbers,
      },
      instant: {
        to: 1184,
        from: [1184],
        serialize: (instant: Temporal.Instant | string) => instant.toString(),
        parse: (text: string) => Temporal.Instant.from(text.replace(' ', 'T')),
      },
    },
  })
}

export function endSql(sql: Sql): Promise<void> {
  return sql.end({ timeout: END_TIMEOUT_S })
}

/** Returns seconds until the next attempt to connect. The driver's own backoff grows to 20 s, for which requests would wait after an outage. */
function reconnectDelaySeconds(failures: number): number {
  return Math.min(RECONNECT_FIRST_S * 2 ** failures, RECONNECT_MAX_S) * (0.5 + Math.random() / 2)
}

/** A URL has the folder of a Unix socket percent-encoded in place of the host; postgres.js takes it decoded, as an option. */
function socketFolder(url: string): { host?: string } {
  const host = decodeURIComponent(new URL(url).hostname)
  return host.startsWith('/') ? { host } : {}
}

/** Parses `{1.5,NULL}` to `[1.5, null]`: one-dimensional arrays of values that are never quoted, such as dates and numbers. */
function arrayOf<T>(parse: (item: string) => T): (text: string) => (T | null)[] {
  const parseItem = (item: string) => (item === 'NULL' ? null : parse(item))
  return (text) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(parseItem))
}

/** Parses as JSON, which takes half as long, unless a number is missing or infinite. */
function parseNumbers(text: string): (number | null)[] {
  return /[A-Z]/.test(text) ? arrayOf(Number)(text) : JSON.parse(`[${text.slice(1, -1)}]`)
}

function parseBigint(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} does not fit a JavaScript number`)
  return value
}
