import { createHash } from 'node:crypto'
import { counted } from '../../../market/counted.ts'
import type { AnalystSql, QueryRows } from '../../../store/analyst-sql.ts'
import { OVERRUNS_MAX, overrunsOf } from '../../access/rate-limiter.ts'
import {
  readSqlCursor,
  SQL_PATH,
  type SqlResult,
  type SqlType,
  sqlQuery,
  sqlRequest,
  sqlResult,
  writeSqlCursor,
} from '../../contract/analyst-sql.ts'
import { ApiError, invalidParameter } from '../../contract/errors.ts'
import type { ArrowTable } from '../../http/arrow.ts'
import type { Caller } from '../../http/caller.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { Service } from '../../http/service.ts'
import { EXAMPLE_BASE_URL } from '../examples.ts'
import { attributionText } from '../source-credits.ts'

type Value = SqlResult['rows'][number][string]

/** Object ids of PostgreSQL's types (pg_type.dat). */
const TYPES: Record<number, SqlType> = {
  16: 'boolean',
  21: 'integer',
  23: 'integer',
  20: 'bigint',
  700: 'double precision',
  701: 'double precision',
  1700: 'numeric',
  1082: 'date',
  1184: 'timestamp with time zone',
}
const INSTANT = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)([+-]\d\d)(:\d\d)?(:\d\d)?$/

const FILENAME = 'query'

/** A query on the views for analysts, on their dedicated server or on a copy of the embedded database. */
export const postSql = endpoint({
  id: 'postSql',
  method: 'post',
  path: SQL_PATH,
  tag: 'Trading',
  summary: 'Run a SQL query',
  description:
    'Runs one query on the views and functions of the schema `analytics` (documented at /docs/analysts) with a role that can read nothing else, for at most ' +
    '5 seconds. Returns the first 10,000 rows, up to 8 MiB; `truncated` and the header `X-Rows-Truncated` report that there were more, `data_version` and ' +
    '`X-Data-Version` the version of the data. `cursor` pages through the rows; there is no `Link` header, because each page needs the same body. `stream` sends all rows as CSV or Arrow, `explain` returns the plan. ' +
    'Functions that only compute are allowed, on values of bounded size. Anything else is refused with its position.',
  plan: 'Trading',
  comingUntil:
    'With DATABASE_URL it needs a server for analysts as well (ANALYST_DATABASE_URL), which this service does not have.',
  cache: 'none',
  isQueued: false,
  formats: ['json', 'csv', 'arrow'],
  query: sqlQuery,
  body: sqlRequest,
  reply: sqlResult,
  example: exampleResult(),
  fails: ['not_found'],
  async handle({ query, body, caller, service }) {
    if (query.stream) throw invalidParameter('stream', 'needs format=csv or format=arrow')
    const { explain } = query
    const before = cursorOf(query.cursor, body.sql)
    const skip = before?.rows ?? 0
    await refuseAfterOverruns(caller, service)
    const found = await sqlOf(service).run(body.sql, caller.client, { explain, skip }).catch(rethrowAsApiError)
    if (before !== undefined && before.version !== found.dataVersion)
      throw invalidParameter('cursor', 'is of data that have changed since; begin with the first page')
    const reply = presentRows(found, service.config.baseUrl)
    if (!reply.truncated) return reply
    const next = { rows: skip + reply.row_count, statement: statementHash(body.sql), version: found.dataVersion }
    return { ...reply, next_cursor: writeSqlCursor(next) }
  },
  parts({ query, body, caller, service }) {
    if (!query.stream) return undefined
    if (query.explain || query.cursor !== undefined)
      throw invalidParameter('stream', 'sends the whole answer, without cursor and explain')
    return streamedReplies(body.sql, caller, service)
  },
  headerNames: ['X-Data-Version', 'X-Rows-Truncated', 'X-Next-Cursor'],
  headers: ({ data_version, truncated, row_count, next_cursor = '' }) => [
    ...['X-Data-Version', String(data_version)],
    ...(truncated ? ['X-Rows-Truncated', String(row_count), 'X-Next-Cursor', next_cursor] : []),
  ],
  table: (reply) => ({ filename: FILENAME, columns: reply.columns.map(({ name }) => name), rows: reply.rows }),
  arrow: (reply) => ({ filename: FILENAME, columns: arrowColumns(reply) }),
})

/** Repeated overruns are refused: a query that the server cannot cancel occupies its slot and a CPU long after the response. */
async function refuseAfterOverruns({ client }: Caller, { access }: Service): Promise<void> {
  const { remaining, resetSeconds } = await access.hourly.peek(overrunsOf(client), OVERRUNS_MAX)
  if (remaining > 0) return
  const message = `Two queries of this key ran on after their time limit within an hour. Try again in ${counted(resetSeconds, 'second')}, with smaller ones.`
  throw new ApiError('rate_limited', message, { retryAfterSeconds: resetSeconds })
}

function sqlOf({ analystSql }: Service): AnalystSql {
  if (analystSql === undefined) throw new Error('POST /sql is answered without a database for analysts')
  return analystSql
}

async function* streamedReplies(statement: string, caller: Caller, service: Service): AsyncGenerator<SqlResult> {
  await refuseAfterOverruns(caller, service)
  const parts: AsyncGenerator<QueryRows> = sqlOf(service).stream(statement, caller.client)
  try {
    for await (const part of parts) yield presentRows(part, service.config.baseUrl)
  } catch (err) {
    rethrowAsApiError(err)
  }
}

/** A cursor of another statement, or of data that have changed since, would skip or repeat rows. */
function cursorOf(cursor: string | undefined, statement: string): ReturnType<typeof readSqlCursor> {
  if (cursor === undefined) return undefined
  const read = readSqlCursor(cursor)
  if (read === undefined) throw invalidParameter('cursor', 'must be the next_cursor of an answer')
  if (read.statement !== statementHash(statement)) throw invalidParameter('cursor', 'is of another query')
  return read
}

function statementHash(statement: string): string {
  return createHash('sha256').update(statement).digest('hex').slice(0, 16)
}

/** Matches errors by name, because endpoints import only types from the store. */
function rethrowAsApiError(err: unknown): never {
  if (err instanceof Error && err.name === 'StatementRefused') throw invalidParameter('sql', err.message)
  if (err instanceof Error && err.name === 'TooManyStatements')
    throw new ApiError('internal_error', `${err.message}. Please try again shortly.`, {
      status: 503,
      retryAfterSeconds: 1,
      expected: true,
      cause: err,
    })
  if (err instanceof Error && err.name === 'DiskFull')
    throw new ApiError('internal_error', 'There is no room on the disk for the copy of the data that queries read.', {
      status: 503,
      retryAfterSeconds: 60,
      cause: err,
    })
  throw err
}

function exampleResult(): SqlResult {
  return presentRows(
    {
      columns: [
        { name: 'market_day', type: 1082 },
        { name: 'price_eur_mwh', type: 701 },
      ],
      rows: [
        ['2026-11-21', '118.43'],
        ['2026-11-20', '112.07'],
      ],
      truncated: false,
      dataVersion: 184,
    },
    EXAMPLE_BASE_URL,
  )
}

/** Rows of a query as JSON, CSV and Arrow. */
function presentRows({ columns, rows, truncated, dataVersion }: QueryRows, baseUrl: URL): SqlResult {
  const names = columns.map(({ name }) => name)
  const duplicate = names.find((name, i) => names.indexOf(name) !== i)
  if (duplicate !== undefined)
    throw invalidParameter('sql', `returns two columns named ${duplicate}; rename one of them with AS`)
  const typed = columns.map(({ name, type }) => ({ name, type: TYPES[type] ?? ('text' as const) }))
  return {
    columns: typed,
    row_count: rows.length,
    truncated,
    data_version: dataVersion,
    rows: rows.map((row) =>
      Object.fromEntries(typed.map(({ name, type }, i) => [name, jsonValue(row[i] ?? null, type)])),
    ),
    attribution: `Sources as in the column source of the views, via ${attributionText([], baseUrl)}`,
  }
}

function arrowColumns({ columns, rows }: SqlResult): ArrowTable['columns'] {
  return columns.map(({ name, type }): ArrowTable['columns'][number] => {
    const values = rows.map((row) => row[name] ?? null)
    const each = <T>(convert: (value: NonNullable<Value>) => T) =>
      values.map((value) => (value === null ? null : convert(value)))
    switch (type) {
      case 'boolean':
        return { name, type: 'boolean', values: each((value) => value === true) }
      case 'integer':
        return { name, type: 'integer', values: each(Number) }
      case 'bigint':
        return { name, type: 'bigint', values: each((value) => BigInt(value as string | number)) }
      case 'double precision':
      case 'numeric':
        return { name, type: 'number', values: each(Number) }
      case 'date':
        return { name, type: 'date', values: each((value) => milliseconds(name, `${value}T00:00Z`)) }
      case 'timestamp with time zone':
        return { name, type: 'instant', values: each((value) => milliseconds(name, String(value))) }
      default:
        return { name, type: 'text', values: each(String) }
    }
  })
}

function jsonValue(text: string | null, type: SqlType): Value {
  if (text === null) return null
  switch (type) {
    case 'boolean':
      return text === 't'
    case 'integer':
      return Number(text)
    case 'bigint':
      return Number.isSafeInteger(Number(text)) ? Number(text) : text
    case 'double precision':
    case 'numeric':
      return Number.isFinite(Number(text)) ? Number(text) : text
    case 'timestamp with time zone':
      return text.replace(
        INSTANT,
        (_, day, time, hours, minutes = ':00', seconds = '') => `${day}T${time}${hours}${minutes}${seconds}`,
      )
    default:
      return text
  }
}

/** Arrow cannot represent infinite dates and years BC. */
function milliseconds(column: string, instant: string): number {
  try {
    return Temporal.Instant.from(instant).epochMilliseconds
  } catch {
    throw invalidParameter('sql', `returns a date in ${column} that Arrow cannot hold; ask for another format`)
  }
}
