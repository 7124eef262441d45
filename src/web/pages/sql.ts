import * as z from 'zod'
import { page } from '../page.ts'
import { SQL_EXAMPLES, SQL_PAGE_PATH, sqlContent } from '../sql/content.ts'

const EXAMPLES = Object.keys(SQL_EXAMPLES) as (keyof typeof SQL_EXAMPLES)[]

/** `/sql`: the SQL editor. `sql/routes.ts` answers its form. */
export const sqlPage = page({
  path: SQL_PAGE_PATH,
  query: z.object({ example: z.enum(EXAMPLES).default('days') }),
  keptSeconds: 3_600,
  render: ({ query, view, service }) =>
    sqlContent(view, { isOff: service.analystSql === undefined, explained: { sql: SQL_EXAMPLES[query.example] } }),
})
