/** Every document of `docs/`, shown at `/docs/<its name>`, and the models' cards; `/docs` links to them. `docs/it/` has the translations. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { BULK_DOCS_PATH } from '../../api/contract/bulk.ts'
import { schemaOrgDatasets } from '../../api/endpoints/bulk/schema-org.ts'
import { Html, html } from '../html.ts'
import { renderMarkdown } from '../markdown.ts'
import { modelCards } from '../model-cards.ts'
import { page } from '../page.ts'
import { linksFor } from '../parts/document-links.ts'

const FOLDER = new URL('../docs/', import.meta.url)

interface Document {
  path: string
  title: string
  readonly main: Html
  /** Undefined if the document is in English only. */
  italian?: Pick<Document, 'title' | 'main'> | undefined
}

/** In the order of their names. */
export const documents: readonly Document[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.md'))
  .sort()
  .map((file) =>
    Object.assign(read(file), {
      path: `/docs/${file.slice(0, -'.md'.length)}`,
      italian: existsSync(new URL(`it/${file}`, FOLDER)) ? read(`it/${file}`) : undefined,
    }),
  )

export const documentPages = [...documents, ...modelCards()].map((document: Document) =>
  page({
    path: document.path,
    render({ view, service }) {
      const italian = view.language === 'it' ? document.italian : undefined
      const { title, main } = italian ?? document
      const { baseUrl } = service.config
      return {
        title,
        section: 'docs',
        ...(italian === undefined && { only: 'en' }),
        scripts: ['copy.js'],
        main: html`${linksFor(view, baseUrl)(main)}${document.path === BULK_DOCS_PATH && jsonLd(schemaOrgDatasets(baseUrl))}`,
      }
    },
  }),
)

/** Data for search engines; nothing in it can end the element. */
function jsonLd(data: object): Html {
  return new Html(`<script type="application/ld+json">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>\n`)
}

function read(file: string) {
  return renderMarkdown(readFileSync(new URL(file, FOLDER), 'utf8'))
}
