/** Every job of the service. A queue that is not here has no handler. */
import type { JobDefinition } from '../src/queue/job.ts'
import { issueForecasts } from './issue-forecasts.ts'
import { maintainDatabase } from './maintain-database.ts'
import { publishSample } from './publish-sample.ts'
import { refreshAggregates } from './refresh-aggregates.ts'
import { trainForecasts } from './train-forecasts.ts'

export const JOBS = [
  refreshAggregates,
  publishSample,
  issueForecasts,
  trainForecasts,
  maintainDatabase,
] as const satisfies readonly JobDefinition[]
