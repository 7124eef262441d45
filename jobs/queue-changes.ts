/**
 * Writes deliveries of changes to the webhooks that subscribe to them. The cursor is stored in the same transaction, so that each change is
 * queued once for each webhook. Every refresh of the aggregates queues this job, since prices are reported once the aggregates have them.
 */
import { z } from 'zod'
import { DELIVERY_HOURS } from '../src/delivery/webhooks/retry-schedule.ts'
import { currentRequestId } from '../src/platform/request-id.ts'
import { job } from '../src/service/job.ts'
import { queueChanges as queue } from '../src/store/webhook-events.ts'
import { deliverWebhooks } from './deliver-webhooks.ts'

const CHANGES_AT_ONCE = 1_000

export const queueChanges = job({
  queue: 'webhooks.queue',
  payload: z.object({}),
  isDeduplicated: true,
  retry: { limit: 5, backoffSeconds: 5 },
  expireSeconds: 300,
  async run({ ctx, signal }) {
    let written = 0
    let read: number
    do {
      const now = ctx.clock.now()
      const giveUpAt = now.add({ hours: DELIVERY_HOURS })
      const queued = await queue(ctx.database.sql, {
        now,
        giveUpAt,
        maxChanges: CHANGES_AT_ONCE,
        requestId: currentRequestId(),
      })
      read = queued.changes
      written += queued.deliveries
    } while (read === CHANGES_AT_ONCE && !signal.aborted)
    if (written > 0) await ctx.queue.send(deliverWebhooks, {})
  },
})
