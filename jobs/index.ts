/** Every job of the service. A queue that is not here has no handler. */

import type { JobDefinition } from '../src/service/job.ts'
import { catchUpSource } from './catch-up-source.ts'
import { computeOfferIndices } from './compute-offer-indices.ts'
import { deliverWebhooks } from './deliver-webhooks.ts'
import { detectCrossings } from './detect-crossings.ts'
import { fetchPublication } from './fetch-publication.ts'
import { issueForecasts } from './issue-forecasts.ts'
import { maintainDatabase } from './maintain-database.ts'
import { makeFile, makeFilesByYear, makeOrderedFile } from './make-files.ts'
import { planExports } from './plan-exports.ts'
import { publishSample } from './publish-sample.ts'
import { queueChanges } from './queue-changes.ts'
import { refreshAggregates } from './refresh-aggregates.ts'
import { sendMail } from './send-mail.ts'
import { trainForecasts, trainHours } from './train-forecasts.ts'
import { watchSources } from './watch-sources.ts'

export const JOBS = [
  refreshAggregates,
  publishSample,
  watchSources,
  computeOfferIndices,
  issueForecasts,
  trainForecasts,
  trainHours,
  detectCrossings,
  queueChanges,
  deliverWebhooks,
  sendMail,
  planExports,
  makeFile,
  makeFilesByYear,
  makeOrderedFile,
  maintainDatabase,
] as const satisfies readonly JobDefinition[]

/** Jobs of a publisher that is fetched from. */
export function jobsOfSource(source: string): JobDefinition[] {
  return [fetchPublication(source) as unknown as JobDefinition, catchUpSource(source)]
}
