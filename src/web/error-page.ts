/** Error page for browsers outside `/v1`, in place of the JSON body. */
import type { Request } from 'express'
import type { ApiError } from '../api/contract/errors.ts'
import { BASE_PATH } from '../api/contract/identity.ts'
import { type Html, html, sentence } from './html.ts'
import { errorTexts } from './i18n/errors.ts'
import type { Language } from './i18n/language.ts'
import { layout } from './layout.ts'
import { NAVIGATION, navigationLabel } from './navigation.ts'
import { makeView, type View, viewOf } from './view.ts'

export function renderErrorPage(err: ApiError, req: Request): string {
  // The language switch links to the home page: the requested address is not a page.
  const view = makeView({ ...viewOf(req), address: '/' })
  const texts = errorTexts[view.language]
  const { title, explanation } = wordsFor(err, texts)
  const main = html`${explanation}
${err.status < 500 ? suggestions(view) : err.code !== 'no_data' && html`<p>${texts.tryAgain}</p>`}`
  return layout({ title, main }, view)
}

function wordsFor(err: ApiError, texts: (typeof errorTexts)[Language]): { title: string; explanation: Html } {
  if (err.status === 404) return { title: texts.notFound, explanation: html`<p>${texts.nothingHere}</p>` }
  if (err.code === 'rate_limited') {
    return { title: texts.tooMany, explanation: html`<p>${texts.waitFor(err.retryAfterSeconds ?? 1)}</p>` }
  }
  if (err.code === 'no_data') return { title: texts.storing, explanation: html`<p>${texts.storingWhy}</p>` }
  return {
    title: err.status < 500 ? texts.invalid : texts.fault,
    explanation: html`<p>${sentence(texts.reason(err))}</p>`,
  }
}

function suggestions(view: View): Html {
  const texts = errorTexts[view.language]
  const links = NAVIGATION.map(
    (entry) => html`<li><a href="${view.href(entry.path)}">${navigationLabel(entry, view.language)}</a></li>\n`,
  )
  return html`<p>${texts.tryInstead}</p>
<ul class="columns">
${links}</ul>
<p class="soft">${texts.apiHint} <a href="${BASE_PATH}">${BASE_PATH}</a>.</p>`
}
