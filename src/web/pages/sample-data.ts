import { type Html, html } from '../html.ts'
import { page } from '../page.ts'

/** `/docs/sample-data`, the address that the synthetic source gives as its own. */
export const sampleDataPage = page({
  path: '/docs/sample-data',
  render: () => ({ title: 'Synthetic sample data', section: 'docs', only: 'en', main: content() }),
})

function content(): Html {
  return html`<p>A deployment that has no source configured and no data of its own can serve sample data, so that every endpoint
can be tried. The values are <strong>synthetic</strong>: they are computed from the date alone, follow plausible daily, weekly and
yearly patterns, and belong to no market.</p>
<p>Wherever such a value appears, <code>source</code> and <code>attribution</code> say that it is synthetic. Sample values are
never mixed with a publisher's: with the first price or offer of a publisher that is stored, all of them are removed at once, with
everything made from them: indices of offers, forecasts and their track record, bulk files. Whatever has no data then
returns <code>no_data</code>. Alerts remain; events triggered by sample values do not. <a href="/v1/status">/v1/status</a> says since
when: <code>sample_data_ended_at</code>.</p>`
}
