/** Every document of `docs/`, shown at `/docs/<its name>`; the list of them is `/docs`. */
import { readdirSync, readFileSync } from 'node:fs'
import { html } from './html.ts'
import { layout } from './layout.ts'
import { type Page, renderMarkdown } from './markdown.ts'

const FOLDER = new URL('./docs/', import.meta.url)

/** In the order of their names. */
export function documents(): (Page & { path: string })[] {
  const files = readdirSync(FOLDER)
    .filter((file) => file.endsWith('.md'))
    .sort()
  return files.map((file) => ({
    path: `/docs/${file.slice(0, -'.md'.length)}`,
    ...renderMarkdown(readFileSync(new URL(file, FOLDER), 'utf8')),
  }))
}

/** `others` are pages about the service that are not documents of the folder. */
export function renderDocumentList(others: readonly { path: string; title: string }[]): string {
  const links = [...documents(), ...others].map(({ path, title }) => html`<li><a href="${path}">${title}</a></li>\n`)
  return layout('Documentation', html`<ul>\n${links}</ul>`)
}
