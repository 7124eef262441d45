/**
 * The cards of the forecast models, `models/<folder>/card.md`, shown at `/docs/models/<folder>`; those of hours, `models/hourly/<folder>/card.md`, at
 * `/docs/models/hourly-<folder>`. Read as text: no model is loaded.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { type Page, renderMarkdown } from './markdown.ts'

const FOLDER = new URL('../../models/', import.meta.url)

export function modelCards(): (Page & { path: string })[] {
  return modelCardFiles().map(({ path, file }) => Object.assign(renderMarkdown(readFileSync(file, 'utf8')), { path }))
}

/** In the order of their folders. */
export function modelCardFiles(): { path: string; file: URL }[] {
  return ['', 'hourly/'].flatMap((parent) =>
    readdirSync(new URL(parent, FOLDER))
      .sort()
      .map((name) => ({ name: `${parent}${name}`, card: new URL(`${parent}${name}/card.md`, FOLDER) }))
      .filter(({ card }) => existsSync(card))
      .map(({ name, card }) => ({ path: `/docs/models/${name.replace('/', '-')}`, file: card })),
  )
}
