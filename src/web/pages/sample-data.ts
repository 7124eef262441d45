import { html, sentence } from '../html.ts'
import { sampleDataTexts } from '../i18n/sample-data.ts'
import { page } from '../page.ts'

/** `/docs/sample-data`, the `url` of the synthetic source. */
export const sampleDataPage = page({
  path: '/docs/sample-data',
  render({ view: { language } }) {
    const { title, paragraphs, ended } = sampleDataTexts[language]
    return {
      title,
      section: 'docs',
      main: html`${paragraphs.map((text) => html`<p>${sentence(text)}</p>\n`)}
<p>${ended} <a href="/v1/status">/v1/status</a>: <code>sample_data_ended_at</code>.</p>`,
    }
  },
})
