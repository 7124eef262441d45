/** `POST /sql`: a query on the views for analysts. An addition to the specification. */
import * as z from 'zod'
import * as field from './fields.ts'
import { attribution } from './observations.ts'

export const SQL_PATH = '/sql'
const TEXT_MAX = 20_000
const EXAMPLE = `select market_day, price_eur_mwh from prices_by_day where zone = 'nord' order by market_day desc limit 7`
const CURSOR = /^(?<rows>[1-9]\d{0,8})-(?<statement>[0-9a-f]{16})-(?<version>\d{1,15})$/
const CURSOR_EXAMPLE = '10000-9f2c01ab31f1ca07-184'

export const sqlRequest = z
  .strictObject({
    sql: z.string().min(1).max(TEXT_MAX).meta({
      description: 'One query: SELECT, WITH, VALUES or TABLE.',
      example: EXAMPLE,
    }),
  })
  .meta({ id: 'SqlRequest', example: { sql: EXAMPLE } })

/** Parses `true` or `false`; absent, it is false. */
const flag = (description: string) =>
  z
    .enum(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true')
    .meta({ description, example: 'true', override: { type: 'string', enum: ['true', 'false'], default: 'false' } })

export const sqlQuery = z.object({
  explain: flag('Answers with the plan of the query, one line a row, instead of running it.'),
  stream: flag(
    'With CSV and Arrow: all rows, up to 5 million, sent as they are found; each step within 60 seconds. An answer that fails on the way is cut off, so that the client notices.',
  ),
  cursor: field.text.optional(
    'The next page: `next_cursor` of the answer before, with the same query. The query should be ordered by columns that are unique together. Cursors end when the data change.',
    CURSOR_EXAMPLE,
  ),
})

/** Position of a page: the number of rows before it, the hash of the statement, and the data version. */
interface SqlCursor {
  rows: number
  statement: string
  version: number
}

export function writeSqlCursor({ rows, statement, version }: SqlCursor): string {
  return `${rows}-${statement}-${version}`
}

export function readSqlCursor(text: string): SqlCursor | undefined {
  const { rows, statement, version } = CURSOR.exec(text)?.groups ?? {}
  return statement === undefined ? undefined : { rows: Number(rows), statement, version: Number(version) }
}

/** Types of columns; values of any other type are returned as text. */
const SQL_TYPES = [
  'boolean',
  'integer',
  'bigint',
  'double precision',
  'numeric',
  'date',
  'timestamp with time zone',
  'text',
] as const
export type SqlType = (typeof SQL_TYPES)[number]

const value = z.union([z.number(), z.string(), z.boolean(), z.null()])

export const sqlResult = z
  .strictObject({
    columns: z
      .array(
        z
          .strictObject({ name: z.string().meta({ example: 'price_eur_mwh' }), type: z.enum(SQL_TYPES) })
          .meta({ id: 'SqlColumn' }),
      )
      .meta({ description: 'In the order of the query. A type that is not listed comes as text.' }),
    row_count: z.int().nonnegative().meta({ example: 7 }),
    truncated: field.flag('Whether there were more rows than an answer may have.', false),
    data_version: field.positive(
      'Version of the data that were read, a number that grows with every change of them; also the header `X-Data-Version`. On an installation without a database server queries read a copy of the database, made again at most once a minute.',
      184,
    ),
    next_cursor: field.text.optional(
      'Where there were more rows: the parameter `cursor` of the next page.',
      CURSOR_EXAMPLE,
    ),
    rows: z.array(z.record(z.string(), value)).meta({
      description:
        'Values by the name of their column. Instants are ISO 8601 in the time of Rome; a bigint beyond 2^53, NaN and the infinities are text.',
    }),
    attribution,
  })
  .meta({ id: 'SqlResult', description: 'What a query returned.' })

export type SqlResult = z.infer<typeof sqlResult>
