/** Every document, shown at its path; `/docs` links to them. */
import { BULK_DOCS_PATH } from '../../api/contract/bulk.ts'
import { schemaOrgDatasets } from '../../api/endpoints/bulk/schema-org.ts'
import { documentFiles } from '../document-files.ts'
import { Html, html } from '../html.ts'
import { purposeOf } from '../i18n/docs.ts'
import type { Language } from '../i18n/language.ts'
import { type Page, renderMarkdown } from '../markdown.ts'
import { page } from '../page.ts'
import { linksFor } from '../parts/document-links.ts'

export const documents: readonly { path: string; pages: Record<Language, Page> }[] = documentFiles().map(
  ({ path, texts }) => ({ path, pages: { en: renderMarkdown(texts.en), it: renderMarkdown(texts.it) } }),
)

export const documentPages = documents.map(({ path, pages }) =>
  page({
    path,
    render({ view, service }) {
      const { title, main } = pages[view.language]
      const { baseUrl } = service.config
      const description = purposeOf(path, view.language)
      return {
        title,
        ...(description !== undefined && { description }),
        section: 'docs',
        main: html`${linksFor(view, baseUrl)(main)}${path === BULK_DOCS_PATH && jsonLd(schemaOrgDatasets(baseUrl))}`,
      }
    },
  }),
)

/** Structured data for search engines. `<` is escaped, so that no value can close the script element. */
function jsonLd(data: object): Html {
  return new Html(`<script type="application/ld+json">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>\n`)
}
