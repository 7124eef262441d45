import { readFileSync } from 'node:fs'
import { type Html, html } from '../html.ts'
import { page } from '../page.ts'

interface View {
  name: string
  comment: string
  columns: { name: string; type: string; comment: string }[]
}

/** `/docs/analysts`: every view of the schema analytics, as the database itself describes it (`npm run db:dump`). */
export const analystsPage = page({
  path: '/docs/analysts',
  render: () => ({ title: 'SQL for analysts', section: 'docs', only: 'en', main: content() }),
})

function content(): Html {
  const file = readFileSync(new URL('../analyst-views.json', import.meta.url), 'utf8')
  const { views } = JSON.parse(file) as { views: View[] }
  return html`<p>Analysts query these views of the schema <code>analytics</code>: on the replica as the role <code>analyst</code>, by
<code>POST /v1/sql</code> (Trading), or with <code>npm run sql</code> on a copy of the embedded database. Names and columns stay;
columns are only ever added. Queries on hours and intervals are fast where they name a zone and a span of <code>starts_at</code>.</p>
<ul>${views.map(({ name }) => html`<li><a href="#${name}"><code>${name}</code></a></li>`)}</ul>
${views.map(viewSection)}`
}

function viewSection({ name, comment, columns }: View) {
  return html`<h2 id="${name}"><code>${name}</code></h2>
<p>${comment}</p>
<table><thead><tr><th>Column</th><th>Type</th><th>Meaning</th></tr></thead><tbody>
${columns.map((column) => html`<tr><td><code>${column.name}</code></td><td>${column.type}</td><td>${column.comment}</td></tr>\n`)}</tbody></table>
`
}
