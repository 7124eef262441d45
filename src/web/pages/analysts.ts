import { readFileSync } from 'node:fs'
import { type Html, html } from '../html.ts'
import { page } from '../page.ts'
import { linksFor } from '../parts/document-links.ts'
import { documents } from './documents.ts'

const PATH = '/docs/analysts'

interface AnalystView {
  name: string
  comment: string
  columns: { name: string; type: string; comment: string }[]
}

/** `/docs/analysts`: every view of the schema analytics, as the database itself describes it (`npm run db:dump`), with recipes. */
export const analystsPage = page({
  path: PATH,
  render: ({ view, service }) => ({
    title: 'SQL for analysts',
    section: 'docs',
    only: 'en',
    scripts: ['copy.js'],
    main: linksFor(view, service.config.baseUrl)(content()),
  }),
})

function content(): Html {
  const file = readFileSync(new URL('../analyst-views.json', import.meta.url), 'utf8')
  const { views } = JSON.parse(file) as { views: AnalystView[] }
  const recipes = documents.find(({ path }) => path === PATH)
  return html`<p>Analysts query these views of the schema <code>analytics</code>: on the replica as the role <code>analyst</code>, by
<code>POST /v1/sql</code> (Trading), or with <code>npm run sql</code> on a copy of the embedded database. Names and columns stay;
columns are only ever added. Queries on hours and intervals are fast where they name a zone and a span of <code>starts_at</code>.</p>
<ul class="columns">${views.map(({ name }) => html`<li><a href="#${name}"><code>${name}</code></a></li>\n`)}</ul>
${recipes && html`<p><a href="#recipes">${recipes.title}</a></p>`}
${views.map(viewSection)}
${recipes && html`<h2 id="recipes">${recipes.title}</h2>\n${recipes.main}`}`
}

function viewSection({ name, comment, columns }: AnalystView): Html {
  return html`<h2 id="${name}"><code>${name}</code></h2>
<p>${comment}</p>
<div class="scroll" tabindex="0"><table><thead><tr><th scope="col">Column</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead><tbody>
${columns.map((column) => html`<tr><td><code>${column.name}</code></td><td>${column.type}</td><td>${column.comment}</td></tr>\n`)}</tbody></table></div>
`
}
