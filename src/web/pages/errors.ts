import { ERROR_CODES, ERRORS } from '../../api/contract/errors.ts'
import { type Html, html, sentence } from '../html.ts'
import { errorCodeTexts } from '../i18n/error-codes.ts'
import type { Language } from '../i18n/language.ts'
import { page } from '../page.ts'

/** `/docs/errors`, the target of the `docs` field of every error; rendered from the contract's table. */
export const errorsPage = page({
  path: '/docs/errors',
  render: ({ view: { language } }) => ({
    title: errorCodeTexts[language].title,
    section: 'docs',
    main: content(language),
  }),
})

function content(language: Language): Html {
  const { lead, meanings } = errorCodeTexts[language]
  const paragraphs = ERROR_CODES.map(
    (code) => html`<h2 id="${code}"><code>${code}</code>, HTTP ${ERRORS[code].status}</h2>
<p>${sentence(meanings[code])}</p>
`,
  )
  return html`<p>${sentence(lead)}</p>
${paragraphs}`
}
