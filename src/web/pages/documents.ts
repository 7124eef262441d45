/** Every document of `docs/`, shown at `/docs/<its name>`, and the models' cards; `/docs` links to them. */
import { readdirSync, readFileSync } from 'node:fs'
import type { Html } from '../html.ts'
import { renderMarkdown } from '../markdown.ts'
import { modelCards } from '../model-cards.ts'
import { page } from '../page.ts'
import { linksFor } from '../parts/document-links.ts'

const FOLDER = new URL('../docs/', import.meta.url)

interface Document {
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

export const documentPages = [...documents, ...modelCards()].map(({ path, title, main }) =>
  page({
    path,
    render: ({ view, service }) => ({
      title,
      section: 'docs',
      only: 'en',
      scripts: ['copy.js'],
      main: linksFor(view, service.config.baseUrl)(main),
    }),
  }),
)
