/**
 * Makes the webhook calls that are due, and waits for those due within a minute; the next run makes later ones. Deliveries are not queue
 * jobs but rows written with the event, so none is lost or duplicated.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { alertMail } from '../src/delivery/webhooks/alert-mail.ts'
import { deliverDue } from '../src/delivery/webhooks/deliver-due.ts'
import { deliveryImpossible, webhookCalled, webhookSuspended } from '../src/platform/events.ts'
import type { Context } from '../src/service/context.ts'
import { job } from '../src/service/job.ts'
import { failExpiredDeliveries, nextDueAt } from '../src/store/webhook-deliveries.ts'
import { sendMail } from './send-mail.ts'

const WAIT_FOR_SECONDS = 60
const POLL_MS = 1_000
/** How long running calls may take to finish at shutdown. */
const CUT_OFF_MS = 5_000

export const deliverWebhooks = job({
  queue: 'alerts.deliver',
  payload: z.object({}),
  isDeduplicated: true,
  retry: { limit: 20, backoffSeconds: 5 },
  expireSeconds: 3600,
  async run({ ctx, signal }) {
    if (ctx.secrets === undefined || ctx.alertLinks === undefined) return
    const { openWebhookClient } = await import('../src/delivery/webhooks/open-webhook-client.ts')
    await using client = openWebhookClient(ctx)
    const { smtpMailer } = await import('../src/delivery/mail/mailer.ts')
    using mailer = ctx.config.mail && smtpMailer(ctx.config.mail)
    const mail = alertMail({ mailer, links: ctx.alertLinks, clock: ctx.clock })
    const { sql } = ctx.database
    const cutOff = abortAfterGrace(signal)
    let suspended = false
    do {
      await failExpiredDeliveries(sql, ctx.clock.now())
      await deliverDue({
        sql,
        client,
        mail,
        secrets: ctx.secrets,
        clock: ctx.clock,
        random: Math.random,
        baseUrl: ctx.config.http.baseUrl,
        signal,
        cutOff,
        onCall: ({ outcome, statusCode, durationMs, cause }, { webhookId, deliveryId }) =>
          webhookCalled(ctx.log, { webhook: webhookId, delivery: deliveryId, outcome, statusCode, durationMs, cause }),
        onEffect: ({ effect }, { webhookId }) => {
          if (effect !== 'suspended') return
          suspended = true
          webhookSuspended(ctx.log, { webhook: webhookId })
        },
        onError: (cause, { deliveryId }) => deliveryImpossible(ctx.log, { delivery: deliveryId, cause }),
      })
      if (suspended) await ctx.queue.send(sendMail, {})
      suspended = false
    } while (await isDueSoon(ctx, signal))
  },
})

/** Waits a moment and returns true if something falls due within the minute. */
async function isDueSoon({ database, clock }: Context, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return false
  const at = await nextDueAt(database.sql)
  if (at === undefined || clock.now().until(at).total('seconds') > WAIT_FOR_SECONDS) return false
  await sleep(POLL_MS, undefined, { signal }).catch(() => {}) // a stop ends the wait
  return !signal.aborted
}

function abortAfterGrace(signal: AbortSignal): AbortSignal {
  const later = new AbortController()
  const abort = () => setTimeout(() => later.abort(), CUT_OFF_MS).unref()
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  return later.signal
}
