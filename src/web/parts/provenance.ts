import { sampleSource } from '../../publishers/sample/index.ts'
import { type Html, html } from '../html.ts'
import { sourceNameIn } from '../i18n/sources.ts'
import type { View } from '../view.ts'

/** Whether the `source` of a response says that its values are synthetic. */
export function isSynthetic(source: string | undefined): boolean {
  return source?.split('; ').includes(sampleSource.name) ?? false
}

/**
 * The name of a source, linked to its publisher. The page of the synthetic source belongs to this service, so its link keeps the language
 * of the reader and the host name by which the service was reached.
 */
export function sourceLink(name: string, url: string, view: View): Html {
  const [first] = name.split('; ') // `url` is that of the first
  return html`<a href="${first === sampleSource.name ? view.href(sampleSource.url) : url}">${sourceNameIn(view.language, name)}</a>`
}
