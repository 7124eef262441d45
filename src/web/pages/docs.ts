import { BASE_PATH } from '../../api/contract/identity.ts'
import { METHODOLOGY_PATH } from '../../api/endpoints/forecast/present.ts'
import { getNowAndNext } from '../../api/endpoints/pun/get-now-and-next.ts'
import { getToday } from '../../api/endpoints/today/get-today.ts'
import { type Html, html } from '../html.ts'
import { docsTexts } from '../i18n/docs.ts'
import { page } from '../page.ts'
import type { View } from '../view.ts'
import { documents } from './documents.ts'

type PageName = keyof (typeof docsTexts)['en']['pages']

/** Paths of pages that are not files of `docs/`; those files are at `/docs/<name>`. */
const OTHER_ADDRESSES: Partial<Record<PageName, string>> = {
  reference: '/docs/reference',
  api: `${BASE_PATH}/docs/`,
  'developer-key': '/developer-key',
  widgets: '/widgets',
  methodology: METHODOLOGY_PATH,
  plans: '/plans',
  usage: '/usage',
  trading: '/trading',
  limits: '/docs/limits',
  errors: '/docs/errors',
  sql: '/sql',
  'sample-data': '/docs/sample-data',
}

const GROUPS: Record<keyof (typeof docsTexts)['en']['groups'], readonly PageName[]> = {
  start: ['quick-start', 'authentication', 'developer-key', 'plans', 'limits', 'usage'],
  use: [
    'clients',
    'recipes',
    'reference',
    'api',
    'errors',
    'answers',
    'in-step',
    'webhooks',
    'bands',
    'integrations',
    'spreadsheets',
    'fundamentals',
    'bulk',
    'lake',
    'analysts',
    'sql',
    'widgets',
  ],
  understand: ['trading', 'methodology', 'methodology-trading', 'offer-indices', 'growing', 'sample-data', 'changes'],
}

/** `/docs`: the index of the documentation. */
export const docsPage = page({
  path: '/docs',
  render({ view, service }) {
    const texts = docsTexts[view.language]
    const { baseUrl } = service.config
    return {
      title: texts.title,
      section: 'docs',
      main: html`<p class="lead">${texts.lead}</p>
<pre tabindex="0"><code>curl ${baseUrl.origin}${BASE_PATH}${getToday.path}</code></pre>
<p>${texts.now}</p>
<pre tabindex="0"><code>curl ${baseUrl.origin}${BASE_PATH}${getNowAndNext.path}</code></pre>
${Object.entries(GROUPS).map(
  ([group, names]) => html`<h2>${texts.groups[group as keyof typeof GROUPS]}</h2>
<ul class="cards docs">
${names.map((name) => entry(name, view))}</ul>
`,
)}`,
    }
  },
})

/** Empty if the document does not exist. */
function entry(name: PageName, view: View): Html {
  const [title = '', purpose = ''] = docsTexts[view.language].pages[name]
  const address = OTHER_ADDRESSES[name] ?? documents.find(({ path }) => path === `/docs/${name}`)?.path
  if (address === undefined) return html``
  const href = address.startsWith(`${BASE_PATH}/`) ? address : view.href(address)
  return html`<li class="card"><a href="${href}">${title}</a><p class="soft small">${purpose}</p></li>\n`
}
