/**
 * The connection to TimescaleDB, embedded or a server; nothing above the store knows which. Dates travel as `YYYY-MM-DD` text and
 * never as JavaScript dates, which would shift them by the machine's time zone.
 */
import { Kysely } from 'kysely'
import { PostgresJSDialect } from 'kysely-postgres-js'
import postgres from 'postgres'
import type { Schema } from './schema.generated.ts'

export type Sql = postgres.Sql<{ date: string; bigint: number; instant: Temporal.Instant }>
export type Transaction = postgres.TransactionSql<{ date: string; bigint: number; instant: Temporal.Instant }>

export interface Database extends AsyncDisposable {
  /** Reads and writes. */
  sql: Sql
  /** Reads that may come from a replica; the same as `sql` where there is none. */
  read: Sql
  /** Typed short queries, on the connections of `sql`. */
  kysely: Kysely<Schema>
  close(): Promise<void>
}

const POOL_SIZE = 8
/** For queries under way; at a stop only those of abandoned jobs are. */
const END_TIMEOUT_S = 1
const RECONNECT_FIRST_S = 0.02
const RECONNECT_MAX_S = 1

/** How many askers a database serves well: the embedded engine runs one statement at a time, while another is prepared or read. */
export const ASKERS_AT_ONCE = { engine: 2, server: POOL_SIZE } as const

export interface DatabaseAddress {
  url: string
  readUrl?: string | undefined
  poolSize?: number
  /** Told the server's warnings; by default nobody is. */
  onNotice?: ((warning: string) => void) | undefined
}

export function connectDatabase(address: DatabaseAddress): Database {
  const sql = connect(address.url, address)
  const read = address.readUrl === undefined ? sql : connect(address.readUrl, address)
  const close = async () => {
    const timeout = { timeout: END_TIMEOUT_S }
    await Promise.all([sql.end(timeout), read === sql ? undefined : read.end(timeout)])
  }
  return {
    sql,
    read,
    kysely: new Kysely<Schema>({ dialect: new PostgresJSDialect({ postgres: withScripts(sql) }) }),
    close,
    [Symbol.asyncDispose]: close,
  }
}

function connect(url: string, { poolSize = POOL_SIZE, onNotice }: DatabaseAddress): Sql {
  return postgres(url, {
    ...socketFolder(url),
    max: poolSize,
    connect_timeout: 10,
    idle_timeout: 0,
    backoff: reconnectAfter,
    // Without a listener the notices of refreshes and definitions are dropped; errors arrive as rejections.
    onnotice: ({ severity, message }) => {
      if (severity === 'WARNING') onNotice?.(`warning: ${message}`)
    },
    connection: { application_name: 'energy-prices', TimeZone: 'UTC' },
    types: {
      date: { to: 1082, from: [1082], serialize: (day: string) => day, parse: (text: string) => text },
      // Thousands of days at a time: the driver's parser of arrays looks at each character.
      dates: { to: 1182, from: [1182], serialize: (days: string[]) => `{${days.join(',')}}`, parse: arrayOf(String) },
      bigint: { to: 20, from: [20], serialize: String, parse: parseBigint },
      // The driver reads a null inside an array of numbers as NaN; a missing price must stay missing.
      float8s: {
        to: 1022,
        from: [1022],
        serialize: (values: (number | null)[]) => `{${values.map((value) => value ?? 'null').join(',')}}`,
        parse: numbers,
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

/** Seconds until the next attempt to connect; the driver's own grow to 20, for which requests would wait after an outage. */
function reconnectAfter(failures: number): number {
  return Math.min(RECONNECT_FIRST_S * 2 ** failures, RECONNECT_MAX_S) * (0.5 + Math.random() / 2)
}

/** The folder of a Unix socket stands percent-encoded in the place of the host; postgres.js wants it decoded, as an option. */
function socketFolder(url: string): { host?: string } {
  const host = decodeURIComponent(new URL(url).hostname)
  return host.startsWith('/') ? { host } : {}
}

/** Lets Kysely run whole files: a statement without parameters goes by the simple protocol, which takes several at once. */
function withScripts(sql: Sql): Sql {
  const reserve = async () => {
    const connection = await sql.reserve()
    return new Proxy(connection, {
      get(target, name, receiver) {
        if (name !== 'unsafe') return Reflect.get(target, name, receiver)
        return (...[text, parameters = [], options]: Parameters<typeof target.unsafe>) =>
          parameters.length === 0 ? target.unsafe(text).simple() : target.unsafe(text, parameters, options)
      },
    })
  }
  return new Proxy(sql, {
    get: (target, name, receiver) => (name === 'reserve' ? reserve : Reflect.get(target, name, receiver)),
  })
}

/** `{1.5,NULL}` is `[1.5, null]`: arrays of one dimension whose values are never quoted, such as dates and numbers. */
function arrayOf<T>(parse: (item: string) => T): (text: string) => (T | null)[] {
  const parseItem = (item: string) => (item === 'NULL' ? null : parse(item))
  return (text) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(parseItem))
}

/** As JSON where every number is finite and there, which takes half as long. */
function numbers(text: string): (number | null)[] {
  return /[A-Z]/.test(text) ? arrayOf(Number)(text) : JSON.parse(`[${text.slice(1, -1)}]`)
}

function parseBigint(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} does not fit a JavaScript number`)
  return value
}
