/** The queue of `issueForecasts`, apart from the job: trainings, which the job requests, send to it when they have ended. */
import { z } from 'zod'
import type { QueueDefinition } from '../../src/platform/queue/job.ts'

export const ISSUE_QUEUE = {
  queue: 'forecast.issue',
  payload: z.object({}),
  oneWaiting: true,
  retry: { limit: 5, backoffSeconds: 30 },
  expireSeconds: 600,
} satisfies QueueDefinition
