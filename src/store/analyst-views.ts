/** The views for analysts as their documentation shows them, generated from the comments in the database (`src/web/analyst-views.json`). */
import path from 'node:path'
import type { Catalogue } from './catalogue.ts'

export const ANALYST_VIEWS_FILE = path.join(import.meta.dirname, '../web/analyst-views.json')

const SCHEMA = 'analytics.'

export function analystViews({ relations }: Catalogue): string {
  const views = relations
    .filter(({ name }) => name.startsWith(SCHEMA))
    .map(({ name, comment, columns }) => ({
      name: name.slice(SCHEMA.length),
      comment,
      columns: columns.map((column) => ({ name: column.name, type: column.type, comment: column.comment })),
    }))
  return `${JSON.stringify({ 'generated-by': 'npm run db:dump', views }, null, 2)}\n`
}
