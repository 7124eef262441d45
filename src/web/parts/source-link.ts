import { sampleSource } from '../../publishers/sample/index.ts'
import { type Html, html } from '../html.ts'
import type { View } from '../view.ts'

/**
 * The name of a source, leading to its publisher. The synthetic one's page is ours: it is linked as our others are, in the reader's
 * language and under the name by which the service was reached.
 */
export function sourceLink(name: string, url: string, view: View): Html {
  const [first] = name.split('; ') // whose address it is
  return html`<a href="${first === sampleSource.name ? view.href(sampleSource.url) : url}">${name}</a>`
}
