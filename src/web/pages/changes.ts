import { readdirSync, readFileSync } from 'node:fs'
import { type Html, html } from '../html.ts'
import { changeTexts } from '../i18n/changes.ts'
import { renderMarkdown } from '../markdown.ts'
import { page } from '../page.ts'
import { linksFor } from '../parts/document-links.ts'
import { dayElement } from '../parts/value.ts'

const FOLDER = new URL('../docs/changes/', import.meta.url)
const FILE = /^(\d{4}-\d{2}-\d{2})-(.+)\.md$/

interface Change {
  day: string
  /** What the address of the note ends in. */
  slug: string
  title: string
  main: Html
}

/** The notes of the folder, the latest day first. */
export const changes: readonly Change[] = readdirSync(FOLDER)
  .map((file) => {
    const [, day, slug] = FILE.exec(file) ?? []
    if (day === undefined || slug === undefined) throw new Error(`docs/changes/${file} is not named <date>-<slug>.md`)
    return { day, slug, ...renderMarkdown(readFileSync(new URL(file, FOLDER), 'utf8')) }
  })
  .sort((a, b) => b.day.localeCompare(a.day) || a.slug.localeCompare(b.slug))

/** `/docs/changes`: what users of the service should know of each release. */
export const changesPage = page({
  path: '/docs/changes',
  render({ view, service }) {
    const texts = changeTexts[view.language]
    const links = linksFor(view, service.config.baseUrl)
    const byDay = [...Map.groupBy(changes, ({ day }) => day)]
    return {
      title: texts.title,
      section: 'docs',
      main: html`<p class="lead">${texts.lead}</p>
${byDay.map(
  ([day, notes]) => html`<h2>${dayElement(day, view.formats.day(day))}</h2>
${notes.map(({ slug, title, main }) => html`<h3 id="${slug}" lang="en">${title}</h3>\n<div lang="en">${links(main)}</div>\n`)}`,
)}`,
    }
  },
})
