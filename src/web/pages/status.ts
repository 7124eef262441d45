import { BASE_PATH } from '../../api/contract/identity.ts'
import type { ServiceStatus } from '../../api/contract/status.ts'
import { getStatus } from '../../api/endpoints/status/get-status.ts'
import { ASSET_CODES } from '../../market/assets.ts'
import { html } from '../html.ts'
import { statusTexts } from '../i18n/status.ts'
import { page } from '../page.ts'
import { endNotice, priceEnds } from '../parts/price-end.ts'
import { completenessSection, incompleteSeries } from '../status/completeness-section.ts'
import { forecastsSection } from '../status/forecasts-section.ts'
import { incidentsSection } from '../status/incidents-section.ts'
import { sourcesSection } from '../status/sources-section.ts'

const DAYS = 30

/** `/status`: how current and complete the data are, and what is late or missing. For operators, the state of the software is at `/metrics`. */
export const statusPage = page({
  path: '/status',
  async render({ ask, service, view, now, today }) {
    const texts = statusTexts[view.language]
    const [status, days] = await Promise.all([
      ask<ServiceStatus>(getStatus),
      service.sourceStatus.completeness(today.subtract({ days: DAYS - 1 }), today),
    ])
    const synthetic = status.sources.some((source) => source.synthetic && source.series.length > 0)
    const assessment = { now, synthetic }
    const incomplete = incompleteSeries(days, assessment).map((series) => texts.series[series])
    return {
      title: texts.title,
      description: texts.lead,
      section: 'status',
      synthetic,
      main: html`<p class="lead">${texts.lead}</p>
<p class="verdict ${incomplete.length === 0 ? 'good' : 'bad'}">${incomplete.length === 0 ? texts.good : texts.bad(incomplete.join(', '))}</p>
${endNotice(await priceEnds(ASSET_CODES, service, today), view)}
${incidentsSection({ days, status, assessment }, view)}
${completenessSection(days, assessment, view)}
${sourcesSection(status, view)}
${forecastsSection(status, view)}
<p>${texts.asData} <a href="${BASE_PATH}/status"><code>${BASE_PATH}/status</code></a></p>`,
    }
  },
})
