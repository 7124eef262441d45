import { readFileSync } from 'node:fs'
import { html } from '../html.ts'
import { changeTexts } from '../i18n/changes.ts'
import { renderMarkdown } from '../markdown.ts'
import { page } from '../page.ts'
import { linksFor } from '../parts/document-links.ts'

const changelog = renderMarkdown(readFileSync(new URL('../../../CHANGELOG.md', import.meta.url), 'utf8'))

/** `/docs/changes`: the changelog of the project. */
export const changesPage = page({
  path: '/docs/changes',
  render({ view, service }) {
    const { title } = changeTexts[view.language]
    const links = linksFor(view, service.config.baseUrl)
    return { title, section: 'docs', main: html`<div lang="en">${links(changelog.main)}</div>` }
  },
})
