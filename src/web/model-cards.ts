/** The cards of the forecast models, `models/<folder>/card.md`, shown at `/docs/models/<folder>`. Read as text: no model is loaded. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { type Page, renderMarkdown } from './markdown.ts'

const FOLDER = new URL('../../models/', import.meta.url)

/** In the order of their folders. */
export function modelCards(): (Page & { path: string })[] {
  const folders = readdirSync(FOLDER).sort()
  return folders
    .map((name) => ({ name, card: new URL(`${name}/card.md`, FOLDER) }))
    .filter(({ card }) => existsSync(card))
    .map(({ name, card }) => ({ path: `/docs/models/${name}`, ...renderMarkdown(readFileSync(card, 'utf8')) }))
}
