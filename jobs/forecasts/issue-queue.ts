/** The queue of `issueForecasts`, in a file of its own: trainings, which that job requests, send to it when they end. */
import { z } from 'zod'
import type { QueueDefinition } from '../../src/platform/queue/job.ts'

export const ISSUE_QUEUE = {
  queue: 'forecast.issue',
  payload: z.object({}),
  isDeduplicated: true,
  retry: { limit: 5, backoffSeconds: 30 },
  expireSeconds: 600,
} satisfies QueueDefinition
