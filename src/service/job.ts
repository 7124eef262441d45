/** What a job of this service is: a value that names its queue, its payload, its retries and what it does. `jobs/index.ts` lists them all. */
import type { Job } from '../platform/queue/job.ts'
import type { Context } from './context.ts'

export type JobDefinition<Payload extends object = object> = Job<Payload, Context>

export function job<Payload extends object>(definition: JobDefinition<Payload>): JobDefinition<Payload> {
  return definition
}
