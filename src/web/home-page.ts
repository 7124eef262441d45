import { ASSETS } from '../contract/assets.ts'
import { SERVICE_NAME } from '../contract/identity.ts'
import { SOURCES } from '../sources/index.ts'
import type { SourceDefinition } from '../sources/source.ts'
import { html } from './html.ts'
import { layout } from './layout.ts'

/** `/`: what the service is, and where to go from here. */
export function renderHomePage(): string {
  const indices = Object.values(ASSETS).map(
    (
      asset,
    ) => html`<tr><td><a href="/prices/${asset.slug}">${asset.code}</a></td><td>${asset.name}</td><td>${asset.nativeUnit}</td></tr>
`,
  )
  const sources = SOURCES.map(
    (source) => html`<li><a href="${source.url}">${source.name}</a>, ${published(source)}: ${source.terms}</li>
`,
  )
  return layout(
    SERVICE_NAME,
    html`<p>Italian wholesale energy prices as a REST service: the electricity price PUN, the gas price PSV, and the indices
around them, each with its source.</p>
<ul>
<li><a href="/v1/today">/v1/today</a>: the latest price of every index</li>
<li><a href="/v1">/v1</a>: every endpoint</li>
<li><a href="/v1/docs/">API documentation</a>, with the <a href="/v1/openapi.json">OpenAPI document</a></li>
</ul>
<h2>Indices</h2>
<table>
<thead><tr><th scope="col">Code</th><th scope="col">What it is</th><th scope="col">Unit</th></tr></thead>
<tbody>
${indices}</tbody>
</table>
<h2>Sources</h2>
<p>Values come from these publishers, and every answer names its own.</p>
<ul>
${sources}</ul>`,
  )
}

/** `PUN, zones`: a publisher may stand in the list once for each of its markets. */
function published({ assets, zones }: SourceDefinition): string {
  return [...assets, ...(zones.length > 0 ? ['zones'] : [])].join(', ')
}
