import type { AnalystSql, QueryRows } from '../../../store/analyst-sql.ts'
import { SQL_PATH, type SqlResult, sqlRequest, sqlResult } from '../../contract/analyst-sql.ts'
import { ApiError, invalidParameter } from '../../contract/errors.ts'
import { endpoint } from '../../http/endpoint.ts'
import { EXAMPLE_BASE_URL } from '../examples.ts'
import { arrowColumns, csvRows, presentRows } from './present-rows.ts'

const FILENAME = 'query'

/** A query on the views for analysts, on the server that is for them. */
export const postSql = endpoint({
  id: 'postSql',
  method: 'post',
  path: SQL_PATH,
  tag: 'Trading',
  summary: 'Query on the views for analysts',
  description:
    'Runs one query on the views of the schema `analytics` (described at /docs/analysts) as a role that can read nothing else, within ' +
    '5 seconds, and answers its first 10,000 rows, at most 8 MiB; `truncated` and the header `X-Rows-Truncated` tell where there were ' +
    'more. Functions that only compute can be called, on values of bounded size. Whatever else is refused, and the message says what and ' +
    'where.',
  plan: 'Trading',
  status: 'live',
  comingUntil: 'It needs a server for analysts (ANALYST_DATABASE_URL), which this service does not have.',
  cache: 'none',
  isQueued: false,
  formats: ['json', 'csv', 'arrow'],
  body: sqlRequest,
  reply: sqlResult,
  example: exampleResult(),
  fails: ['not_found'],
  async handle({ body, caller, service }) {
    if (service.analystSql === undefined) throw new Error('POST /sql is answered without a server for analysts')
    return presentRows(await answerOf(service.analystSql, body.sql, caller.client), service.config.baseUrl)
  },
  headers: ({ truncated, row_count }) => (truncated ? ['X-Rows-Truncated', String(row_count)] : []),
  csv: (reply) => ({ filename: FILENAME, columns: reply.columns.map(({ name }) => name), rows: csvRows(reply) }),
  arrow: (reply) => ({ filename: FILENAME, columns: arrowColumns(reply) }),
})

async function answerOf(analystSql: AnalystSql, statement: string, key: string): Promise<QueryRows> {
  try {
    return await analystSql.run(statement, key)
  } catch (err) {
    // By their names: endpoints import no more than the types of the store.
    if (err instanceof Error && err.name === 'StatementRefused') throw invalidParameter('sql', err.message)
    if (err instanceof Error && err.name === 'TooManyStatements')
      throw new ApiError('internal_error', `${err.message}. Please try again shortly.`, {
        status: 503,
        retryAfterSeconds: 1,
        expected: true,
        cause: err,
      })
    throw err
  }
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
    },
    EXAMPLE_BASE_URL,
  )
}
