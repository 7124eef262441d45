/** Every job of the service. A queue that is not here has no handler. */
import type { JobDefinition } from '../src/queue/job.ts'
import { computeOfferIndices } from './compute-offer-indices.ts'
import { deliverWebhooks } from './deliver-webhooks.ts'
import { detectCrossings } from './detect-crossings.ts'
import { maintainDatabase } from './maintain-database.ts'
import { publishSample } from './publish-sample.ts'
import { refreshAggregates } from './refresh-aggregates.ts'
import { sendMail } from './send-mail.ts'

export const JOBS = [
  refreshAggregates,
  publishSample,
  computeOfferIndices,
  detectCrossings,
  deliverWebhooks,
  sendMail,
  maintainDatabase,
] as const satisfies readonly JobDefinition[]
