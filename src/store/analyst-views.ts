/** Views and functions for analysts as their documentation shows them, generated from the comments in the database (`src/web/analyst-views.json`). */
import path from 'node:path'
import type { Catalogue } from './catalogue.ts'

export const ANALYST_VIEWS_FILE = path.join(import.meta.dirname, '../web/analyst-views.json')

const SCHEMA = 'analytics.'

export function analystViews({ relations, functions }: Catalogue): string {
  const views = relations
    .filter(({ name }) => name.startsWith(SCHEMA))
    .map(({ name, comment, columns }) => ({
      name: name.slice(SCHEMA.length),
      comment,
      columns: columns.map((column) => ({ name: column.name, type: column.type, comment: column.comment })),
    }))
  const questions = functions
    .filter(({ signature }) => signature.startsWith(SCHEMA))
    .map(({ signature, arguments: given, result, comment }) => ({
      name: signature.slice(SCHEMA.length, signature.indexOf('(')),
      comment,
      arguments: namesAndTypes(given),
      columns: namesAndTypes(result.slice('TABLE('.length, -1)),
    }))
  return `${JSON.stringify({ 'generated-by': 'npm run db:dump', views, functions: questions }, null, 2)}\n`
}

/** Parses `zone text, first_day date`. */
function namesAndTypes(list: string): { name: string; type: string }[] {
  return list.split(', ').map((one) => {
    const [name = '', ...type] = one.split(' ')
    return { name, type: type.join(' ') }
  })
}
