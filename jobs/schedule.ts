/** The crontab of the service, in Europe/Rome. */
import type { ScheduledJob } from '../src/queue/job.ts'
import { maintainDatabase } from './maintain-database.ts'
import { publishSample } from './publish-sample.ts'
import { refreshAggregates } from './refresh-aggregates.ts'
import { trainForecasts } from './train-forecasts.ts'

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
  {
    queue: trainForecasts.queue,
    cron: '10 5 * * 0',
    why: 'a week of new prices, on a Sunday before anybody works; forecasts are issued by each refresh, not by the clock',
  },
  {
    queue: maintainDatabase.queue,
    cron: '20 4 * * *',
    why: 'the quiet of the night, behind the hours that a change of the clocks skips or repeats',
  },
]
