import { ERROR_CODES, ERRORS } from '../../api/contract/errors.ts'
import { type Html, html, sentence } from '../html.ts'
import { page } from '../page.ts'

/** `/docs/errors`, where the `docs` field of every error points: made from the contract's table. */
export const errorsPage = page({
  path: '/docs/errors',
  render: () => ({ title: 'Errors', section: 'docs', only: 'en', main: content() }),
})

function content(): Html {
  const paragraphs = ERROR_CODES.map(
    (code) => html`<h2 id="${code}"><code>${code}</code>, HTTP ${ERRORS[code].status}</h2>
<p>${sentence(ERRORS[code].meaning)}</p>
`,
  )
  return html`<p>Every error is JSON, even if CSV was requested, and carries <code>error</code> (the code below) and
<code>message</code>; <code>param</code> and <code>required_tier</code> where they apply. Report the header
<code>X-Request-Id</code> when something looks wrong.</p>
${paragraphs}`
}
