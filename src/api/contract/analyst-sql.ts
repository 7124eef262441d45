/** `POST /sql`: a query on the views for analysts. An addition to the specification. */
import * as z from 'zod'
import { attribution } from './observations.ts'

export const SQL_PATH = '/sql'
const TEXT_MAX = 20_000

export const sqlRequest = z
  .strictObject({
    sql: z.string().min(1).max(TEXT_MAX).meta({
      description: 'One query: SELECT, WITH, VALUES or TABLE.',
      example: `select market_day, price_eur_mwh from prices_by_day where zone = 'nord' order by market_day desc limit 7`,
    }),
  })
  .meta({
    id: 'SqlRequest',
    example: {
      sql: `select market_day, price_eur_mwh from prices_by_day where zone = 'nord' order by market_day desc limit 7`,
    },
  })

/** Types of columns by PostgreSQL's object ids; whatever is not here comes as text. */
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
    truncated: z
      .boolean()
      .meta({ description: 'Whether there were more rows than an answer may have.', example: false }),
    rows: z.array(z.record(z.string(), value)).meta({
      description:
        'Values by the name of their column. Instants are ISO 8601 in the time of Rome; a bigint beyond 2^53, NaN and the infinities are text.',
    }),
    attribution,
  })
  .meta({ id: 'SqlResult', description: 'What a query returned.' })

export type SqlResult = z.infer<typeof sqlResult>
