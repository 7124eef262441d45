/** Response times of this process, and the job queues. */

import type { Latency } from '../../platform/metrics/latencies.ts'
import type { QueueDepth } from '../../platform/queue/queue.ts'
import { type Html, html } from '../html.ts'
import { statusTexts } from '../i18n/status.ts'
import { figure } from '../parts/value.ts'
import type { View } from '../view.ts'

const DEAD = '.dead'
const ENDPOINTS_SHOWN_MAX = 12

export function latencySection(latencies: readonly Latency[], view: View): Html {
  const texts = statusTexts[view.language]
  const rows = latencies
    .slice(0, ENDPOINTS_SHOWN_MAX)
    .map(
      ({ endpoint, requests, p50Ms, p95Ms, p99Ms }) =>
        html`<tr><th scope="row">${endpoint === 'none' ? texts.pages : html`<code>${endpoint}</code>`}</th><td class="number">${figure(requests, view, 0)}</td>${[p50Ms, p95Ms, p99Ms].map((ms) => html`<td class="number">${view.formats.number(ms, 1)} ms</td>`)}</tr>\n`,
    )
  if (rows.length === 0) return html`<h2>${texts.latency}</h2><p>${texts.noRequests}</p>`
  return html`<h2 id="latency">${texts.latency}</h2>
<p>${texts.latencyLead}</p>
<div class="scroll" tabindex="0" role="region" aria-labelledby="latency"><table>
<thead><tr><th scope="col">${texts.endpoint}</th>${[texts.requests, 'p50', 'p95', 'p99'].map((head) => html`<th scope="col" class="number">${head}</th>`)}</tr></thead>
<tbody>
${rows}</tbody></table></div>`
}

export function jobsSection(depths: readonly QueueDepth[], view: View): Html {
  const texts = statusTexts[view.language]
  const failed = new Map(depths.map(({ queue, waiting }) => [queue, waiting]))
  const rows = depths
    .filter(({ queue }) => !queue.endsWith(DEAD) && failed.has(queue + DEAD))
    .toSorted((a, b) => a.queue.localeCompare(b.queue))
    .map(
      ({ queue, waiting, active }) =>
        html`<tr><th scope="row"><code>${queue}</code></th>${[waiting, active, failed.get(queue + DEAD) ?? 0].map((count) => html`<td class="number">${figure(count, view, 0)}</td>`)}</tr>\n`,
    )
  if (rows.length === 0) return html`<h2>${texts.jobs}</h2><p>${texts.noJobs}</p>`
  return html`<h2 id="jobs">${texts.jobs}</h2>
<p>${texts.jobsLead}</p>
<div class="scroll" tabindex="0" role="region" aria-labelledby="jobs"><table>
<thead><tr><th scope="col">${texts.job}</th>${[texts.waiting, texts.active, texts.failed].map((head) => html`<th scope="col" class="number">${head}</th>`)}</tr></thead>
<tbody>
${rows}</tbody></table></div>`
}
