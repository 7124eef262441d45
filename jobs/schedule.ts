/**
 * The crontab of the service, in Europe/Rome. When each publisher is polled, and from when it is late, is defined in its own value
 * (`src/publishers/`) and follows the process's clock.
 */
import type { ScheduledJob } from '../src/platform/queue/job.ts'
import { deliverWebhooks } from './deliver-webhooks.ts'
import { detectCrossings } from './detect-crossings.ts'
import { maintainDatabase } from './maintain-database.ts'
import { planExports } from './plan-exports.ts'
import { publishSample } from './publish-sample.ts'
import { queueChanges } from './queue-changes.ts'
import { refreshAggregates } from './refresh-aggregates.ts'
import { sendMail } from './send-mail.ts'
import { trainForecasts } from './train-forecasts.ts'
import { watchSources } from './watch-sources.ts'

export const SCHEDULE: readonly ScheduledJob[] = [
  {
    queue: publishSample.queue,
    cron: '* * * * *',
    why: 'the sample publisher follows the process clock, which CLOCK may set; a minute with nothing due costs one read',
  },
  {
    queue: watchSources.queue,
    cron: '* * * * *',
    why: 'publications are due by the minute of the process clock; a minute with nothing due costs a read per source',
  },
  {
    queue: refreshAggregates.queue,
    cron: '*/15 * * * *',
    why: 'a safety net: every ingest queues a refresh',
  },
  {
    queue: detectCrossings.queue,
    cron: '* * * * *',
    why: 'a day becomes current at midnight, without a publication; every refresh of the aggregates queues it too',
  },
  {
    queue: queueChanges.queue,
    cron: '* * * * *',
    why: 'forecasts, files, late publishers and keys change without a refresh of the aggregates; a minute without changes costs one read',
  },
  {
    queue: deliverWebhooks.queue,
    cron: '* * * * *',
    why: 'retries fall due at any time; a minute with none costs one read',
  },
  {
    queue: sendMail.queue,
    cron: '* * * * *',
    why: 'a message whose server did not answer is tried again',
  },
  {
    queue: trainForecasts.queue,
    cron: '10 5 * * 0',
    why: 'a week of new prices, on a Sunday before anybody works; forecasts are issued by each refresh, not by the clock',
  },
  {
    queue: planExports.queue,
    cron: '* * * * *',
    why: 'bulk files are due at 04:40 of the process clock, and again an hour after a failure; a minute with none due costs four reads',
  },
  {
    queue: maintainDatabase.queue,
    cron: '20 4 * * *',
    why: 'at night, after the hours that a daylight-saving change skips or repeats',
  },
]
