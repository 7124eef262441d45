/**
 * Evaluates the alerts on every day published, or corrected while current, since the last run. Crossing, event and delivery are
 * written in one transaction; a second run finds nothing new. Every refresh of the aggregates queues it.
 */
import { z } from 'zod'
import { DELIVERY_HOURS } from '../src/delivery/webhooks/retry-schedule.ts'
import { alertsFired } from '../src/platform/events.ts'
import { currentRequestId } from '../src/platform/request-id.ts'
import { job } from '../src/service/job.ts'
import { detectCrossings as detect } from '../src/store/alerts.ts'
import { deliverWebhooks } from './deliver-webhooks.ts'

export const detectCrossings = job({
  queue: 'alerts.detect',
  payload: z.object({}),
  isDeduplicated: true,
  retry: { limit: 5, backoffSeconds: 5 },
  expireSeconds: 300,
  async run({ ctx }) {
    const now = ctx.clock.now()
    const giveUpAt = now.add({ hours: DELIVERY_HOURS })
    const evaluated = await detect(ctx.database.sql, { now, giveUpAt, requestId: currentRequestId() })
    const fired = evaluated.filter((day) => day.fired > 0)
    for (const { asset, day, fired: count } of fired) alertsFired(ctx.log, { asset, day, count })
    if (fired.length > 0) await ctx.queue.send(deliverWebhooks, {})
  },
})
