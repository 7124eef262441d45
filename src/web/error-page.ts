import type { ApiError } from '../contract/errors.ts'
import { html } from './html.ts'
import { layout } from './layout.ts'

/** What a browser sees outside `/v1` where a program would get the JSON body. */
export function renderErrorPage(err: ApiError): string {
  const title = err.status === 404 ? 'Not found' : 'Something went wrong'
  return layout(title, html`<p>${err.message}</p>`)
}
