/** The crontab of the service, in Europe/Rome. */
import type { ScheduledJob } from '../src/queue/job.ts'
import { publishSample } from './publish-sample.ts'
import { refreshAggregates } from './refresh-aggregates.ts'

export const SCHEDULE: readonly ScheduledJob[] = [
  {
    queue: publishSample.queue,
    cron: '* * * * *',
    why: 'the sample publisher follows the process clock, which CLOCK may set; a minute with nothing due costs one read',
  },
  {
    queue: refreshAggregates.queue,
    cron: '*/15 * * * *',
    why: 'a safety net: every ingest asks for a refresh itself',
  },
]
