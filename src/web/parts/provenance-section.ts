/** The publisher of an index, its terms, its latest publication, and when it was fetched: from `/v1/status`. */

import type { ServiceStatus } from '../../api/contract/status.ts'
import type { Asset, AssetCode } from '../../market/assets.ts'
import { NATIONAL_ZONE } from '../../market/zones.ts'
import { type Html, html } from '../html.ts'
import { pricePageTexts } from '../i18n/price-page.ts'
import { termsIn, usualPublicationIn } from '../i18n/sources.ts'
import type { View } from '../view.ts'
import { isFromFile } from './price-end.ts'
import { sourceLink } from './source-link.ts'
import { dayElement } from './value.ts'

type Source = ServiceStatus['sources'][number]

export function provenanceSection({ code }: Asset, { sources }: ServiceStatus, view: View): Html {
  const texts = pricePageTexts[view.language]
  const found = sources.flatMap((source) => {
    const series = source.series.find((one) => seriesOf(code).includes(one.series))
    return series ? [facts(source, series, view)] : []
  })
  return html`<section><h2 id="provenance">${texts.provenance}</h2>
${found.length > 0 ? found : html`<p class="notice">${texts.noHistory}</p>`}
</section>`
}

/** The PUN is published as a zone, or as the mean of a day. */
function seriesOf(code: AssetCode): string[] {
  return code === 'PUN' ? [code, `zone:${NATIONAL_ZONE}`] : [code]
}

function facts(
  { id, name, url, terms, fetching, synthetic }: Source,
  series: Source['series'][number],
  view: View,
): Html {
  const texts = pricePageTexts[view.language]
  const { formats } = view
  const instant = (iso: string) => dayElement(iso, formats.instant(iso))
  const day = formats.day(series.latest_market_day)
  const isImported = !synthetic && fetching?.state !== 'on'
  const isDated = !isFromFile(series.latest_market_day, series.observed_at)
  return html`<dl class="particulars">
<dt>${texts.publisher}</dt><dd>${sourceLink(name, url, view)}</dd>
<dt>${texts.terms}</dt><dd>${termsIn(view.language, id, terms)}</dd>
<dt>${texts.usual}</dt><dd>${usualPublicationIn(view.language, series.usual_publication)}</dd>
${
  isDated &&
  html`<dt>${texts.observed}</dt><dd>${instant(series.observed_at)}</dd>
`
}<dt>${isImported ? texts.imported : texts.fetched}</dt><dd>${instant(series.fetched_at)}</dd>
<dt>${texts.complete}</dt><dd>${series.complete ? texts.whole(day) : texts.partial(day)}</dd>
</dl>`
}
