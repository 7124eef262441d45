import { readFileSync } from 'node:fs'
import { type Html, html } from '../html.ts'
import { type AnalystTexts, analystMeaning, analystTexts } from '../i18n/analysts.ts'
import type { Language } from '../i18n/language.ts'
import { page } from '../page.ts'
import { linksFor } from '../parts/document-links.ts'
import type { View } from '../view.ts'
import { documents } from './documents.ts'

const PATH = '/docs/analysts'

interface AnalystView {
  name: string
  comment: string
  columns: { name: string; type: string; comment: string }[]
}

interface AnalystFunction {
  name: string
  comment: string
  arguments: NamedType[]
  columns: NamedType[]
}

interface NamedType {
  name: string
  type: string
}

/** Descriptions from the database, translated. */
export function analystObjects(language: Language): { views: AnalystView[]; functions: AnalystFunction[] } {
  return JSON.parse(readFileSync(new URL('../analyst-views.json', import.meta.url), 'utf8'), (key, value) =>
    key === 'comment' ? analystMeaning(value, language) : value,
  )
}

/** `/docs/analysts`: every view of the schema analytics, as the database itself describes it (`npm run db:dump`), with recipes. */
export const analystsPage = page({
  path: PATH,
  render: ({ view, service }) => ({
    title: analystTexts[view.language].title,
    section: 'docs',
    main: linksFor(view, service.config.baseUrl)(content(view)),
  }),
})

function content({ language }: View): Html {
  const texts = analystTexts[language]
  const { views, functions } = analystObjects(language)
  const recipes = documents.find(({ path }) => path === PATH)?.pages[language]
  return html`<p>${texts.lead}</p>
<ul class="columns">${views.map(({ name }) => html`<li><a href="#${name}"><code>${name}</code></a></li>\n`)}</ul>
<p>${texts.functions}</p>
<ul class="columns">${functions.map(({ name }) => html`<li><a href="#${name}"><code>${name}()</code></a></li>\n`)}</ul>
${recipes && html`<p><a href="#recipes">${recipes.title}</a></p>`}
${views.map((view) => viewSection(view, texts))}
${functions.map(functionSection)}
${recipes && html`<h2 id="recipes">${recipes.title}</h2>\n${recipes.main}`}`
}

function viewSection({ name, comment, columns }: AnalystView, { column, type, meaning }: AnalystTexts): Html {
  return html`<h2 id="${name}"><code>${name}</code></h2>
<p>${comment}</p>
<div class="scroll" tabindex="0"><table><thead><tr><th scope="col">${column}</th><th scope="col">${type}</th><th scope="col">${meaning}</th></tr></thead><tbody>
${columns.map((one) => html`<tr><td><code>${one.name}</code></td><td><code>${one.type}</code></td><td>${one.comment}</td></tr>\n`)}</tbody></table></div>
`
}

function functionSection({ name, comment, arguments: given, columns }: AnalystFunction): Html {
  return html`<h2 id="${name}"><code>${name}(${given.map((one) => one.name).join(', ')})</code></h2>
<p>${comment}</p>
<pre tabindex="0"><code>${name}(${nameTypeList(given)})
→ ${nameTypeList(columns)}</code></pre>
`
}

function nameTypeList(list: readonly NamedType[]): string {
  return list.map(({ name, type }) => `${name} ${type}`).join(', ')
}
