/** A job as the queue sees it: name, payload, retries and function. `src/service/job.ts` is the type of this service's jobs. */
import type { z } from 'zod'

interface JobRun<Payload, Ctx> {
  payload: Payload
  ctx: Ctx
  /** Aborts when the service stops or the job has taken too long. */
  signal: AbortSignal
}

export interface QueueDefinition<Payload extends object = object> {
  /** `<subject>.<verb>`, for example `aggregates.refresh`. */
  queue: string
  /** Ids and days, never documents: a job loads its own data. */
  payload: z.ZodType<Payload>
  /** At most one is queued; further requests are merged with it. */
  isDeduplicated: boolean
  /** If `isDeduplicated` applies per subject: the subject of a payload, such as `2026-03-29`. */
  dedupeKey?(payload: Payload): string
  /** Poll interval, if not every second; jobs that this process enqueues start at once anyway. */
  pollSeconds?: number
  retry: { limit: number; backoffSeconds: number }
  expireSeconds: number
  /** Heartbeat timeout: on a server a worker silent for this long is considered dead, and another starts the job again. */
  heartbeatSeconds?: number
}

export interface Job<Payload extends object, Ctx> extends QueueDefinition<Payload> {
  /** Safe to run twice with the same payload. */
  run(run: JobRun<Payload, Ctx>): Promise<void>
}

/** When a job runs on schedule: a line of `jobs/schedule.ts`. */
export interface ScheduledJob {
  queue: string
  /** Five fields of cron, in Europe/Rome. */
  cron: string
  why: string
}
