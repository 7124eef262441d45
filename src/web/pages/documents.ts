/** Every document of `docs/`, shown at `/docs/<its name>`; the list of them is `/docs`. */
import { readdirSync, readFileSync } from 'node:fs'
import { METHODOLOGY_PATH } from '../../endpoints/forecast/present.ts'
import type { Html } from '../html.ts'
import { html } from '../html.ts'
import { renderMarkdown } from '../markdown.ts'
import { page } from '../page.ts'

const FOLDER = new URL('../docs/', import.meta.url)
/** Pages about the service that are not documents of the folder. */
const OTHERS = [
  { path: METHODOLOGY_PATH, title: 'How forecasts are made, scored and kept' },
  { path: '/docs/errors', title: 'Errors' },
  { path: '/docs/sample-data', title: 'Synthetic sample data' },
]

export interface Document {
  path: string
  title: string
  main: Html
}

/** In the order of their names. */
export const documents: readonly Document[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.md'))
  .sort()
  .map((file) => ({
    path: `/docs/${file.slice(0, -'.md'.length)}`,
    ...renderMarkdown(readFileSync(new URL(file, FOLDER), 'utf8')),
  }))

export const documentPages = documents.map(({ path, title, main }) =>
  page({ path, render: () => ({ title, section: 'docs', only: 'en', main }) }),
)

export const documentListPage = page({
  path: '/docs',
  render: ({ view }) => ({
    title: 'Documentation',
    section: 'docs',
    main: html`<ul>
<li><a href="/v1/docs/">The API, operation by operation</a></li>
${[...documents, ...OTHERS].map(({ path, title }) => html`<li><a href="${view.href(path)}">${title}</a></li>\n`)}</ul>`,
  }),
})
