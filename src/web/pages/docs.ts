import { BASE_PATH } from '../../api/contract/identity.ts'
import { METHODOLOGY_PATH } from '../../api/endpoints/forecast/present.ts'
import { endpoints } from '../../api/endpoints/index.ts'
import { getNowAndNext } from '../../api/endpoints/pun/get-now-and-next.ts'
import { getToday } from '../../api/endpoints/today/get-today.ts'
import { CACHE_TIMES, type Endpoint, endpointStatus } from '../../api/http/endpoint.ts'
import { type Html, html } from '../html.ts'
import { docsTexts } from '../i18n/docs.ts'
import { summaryOf } from '../i18n/endpoints.ts'
import { page } from '../page.ts'
import type { View } from '../view.ts'
import { documents } from './documents.ts'

type PageName = keyof (typeof docsTexts)['en']['pages']

/** Pages about the service that are not documents of the folder; those are at `/docs/<name>`. */
const OTHER_ADDRESSES: Partial<Record<PageName, string>> = {
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
  understand: [
    'trading',
    'methodology',
    'methodology-trading',
    'offer-indices',
    'reference',
    'growing',
    'sample-data',
    'changes',
  ],
}

/** `/docs`: the index of the documentation. */
export const docsPage = page({
  path: '/docs',
  render({ view, service }) {
    const texts = docsTexts[view.language]
    const { baseUrl, comingEndpoints } = service.config
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
)}
<h2 id="endpoints">${texts.endpoints}</h2>
${endpointTable(
  endpoints.filter((one) => endpointStatus(one, comingEndpoints) === 'live'),
  view,
)}
<p>${texts.specification} <a href="${BASE_PATH}"><code>${BASE_PATH}</code></a>, <a href="${BASE_PATH}/openapi.json"><code>${BASE_PATH}/openapi.json</code></a></p>`,
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

function endpointTable(list: readonly Endpoint[], view: View): Html {
  const texts = docsTexts[view.language]
  const rows = list.map((endpoint) => {
    const { method, path, plan, formats, cache } = endpoint
    return html`<tr><th scope="row"><code>${method.toUpperCase()} ${path}</code> <span>${summaryOf(endpoint, view.language)}</span></th><td>${plan}</td><td>${formats.join(', ')}</td><td>${keptFor(CACHE_TIMES[cache], view)}</td></tr>\n`
  })
  const heads = [texts.path, texts.plan, texts.formats, texts.kept]
  return html`<div class="scroll" tabindex="0" role="region" aria-labelledby="endpoints"><table class="endpoints">
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>
${rows}</tbody></table></div>`
}

function keptFor(seconds: number, view: View): string {
  const texts = docsTexts[view.language]
  if (seconds === 0) return texts.notKept
  return seconds < 3_600 ? texts.minutes(seconds / 60) : texts.hours(seconds / 3_600)
}
