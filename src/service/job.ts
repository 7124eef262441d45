/** A job of this service: a value with its queue, payload, retries and function. `jobs/index.ts` lists them all. */
import type { Job } from '../platform/queue/job.ts'
import type { Context } from './context.ts'

export type JobDefinition<Payload extends object = object> = Job<Payload, Context>

export function job<Payload extends object>(definition: JobDefinition<Payload>): JobDefinition<Payload> {
  return definition
}
