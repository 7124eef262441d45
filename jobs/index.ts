/** Every job of the service. A queue that is not here has no handler. */
import type { JobDefinition } from '../src/queue/job.ts'
import { publishSample } from './publish-sample.ts'
import { refreshAggregates } from './refresh-aggregates.ts'

export const JOBS = [refreshAggregates, publishSample] as const satisfies readonly JobDefinition[]
