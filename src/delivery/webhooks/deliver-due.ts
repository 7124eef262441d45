/**
 * Makes due calls: many in parallel, few per host, so that one hanging receiver never delays the others. A claimed
 * delivery is sent at least once even if this process dies: the claim expires and another process sends it, with the same `webhook-id`.
 */
import type { Clock } from '../../platform/clock.ts'
import { withRequestId } from '../../platform/request-id.ts'
import type { Sql } from '../../store/database.ts'
import {
  type AttemptEffect,
  type ClaimedDelivery,
  claimDueDeliveries,
  type RecordedAttempt,
  recordAttempts,
} from '../../store/webhook-deliveries.ts'
import { MAIL_CONNECTIONS_MAX } from '../mail/mailer.ts'
import type { AlertMail } from './alert-mail.ts'
import { alertSentence } from './alert-text.ts'
import { isMail, MAIL_HOST } from './mail-receiver.ts'
import { CONSECUTIVE_FAILURES_MAX, nextAttemptAt } from './retry-schedule.ts'
import type { SecretBox } from './secret-box.ts'
import { webhookBody } from './webhook-body.ts'
import type { CallResult, WebhookClient } from './webhook-client.ts'

const CALLS_MAX = 256
export const CALLS_PER_HOST_MAX = 32
/** Longer than a call and its recording can take. */
const CLAIM_SECONDS = 30
const POLL_MS = 1_000

interface DeliverDueOptions {
  sql: Sql
  client: WebhookClient
  mail: AlertMail
  secrets: SecretBox
  clock: Clock
  /** Base URL for links to changed values; if undefined, bodies contain no URLs. */
  baseUrl: URL | undefined
  random: () => number
  /** Stops claiming; running calls finish. */
  signal: AbortSignal
  /** Aborts running calls. */
  cutOff: AbortSignal
  /** Called after each call, under the request id of its delivery. */
  onCall(result: CallResult, delivery: ClaimedDelivery): void
  onEffect(effect: AttemptEffect, delivery: ClaimedDelivery): void
  /** Called for a delivery that failed with an internal error; it remains claimed until the claim expires. */
  onError(err: unknown, delivery: ClaimedDelivery): void
}

/** Runs until nothing more is due; returns the number of calls made. Rethrows database errors. */
export async function deliverDue(options: DeliverDueOptions): Promise<number> {
  const { sql, clock, signal } = options
  const calls = new Map<string, { host: string; done: Promise<void> }>()
  const delivered = new Map<string, ClaimedDelivery>()
  let results: RecordedAttempt[] = []
  let count = 0

  const start = (delivery: ClaimedDelivery) => {
    delivered.set(delivery.deliveryId, delivery)
    const done = withRequestId(delivery.requestId ?? delivery.deliveryId, () => attempt(delivery, options))
      .then((result) => void results.push(result))
      .catch((err) => {
        delivered.delete(delivery.deliveryId)
        options.onError(err, delivery)
      })
      .finally(() => calls.delete(delivery.deliveryId))
    calls.set(delivery.deliveryId, { host: delivery.host, done })
  }

  for (;;) {
    const due = signal.aborted ? [] : await claimMore(sql, clock, calls)
    for (const delivery of due) start(delivery)
    count += due.length
    if (results.length > 0) {
      const batch = results
      results = []
      const effects = await recordAttempts(sql, batch, { now: clock.now(), failuresMax: CONSECUTIVE_FAILURES_MAX })
      for (const effect of effects) {
        const delivery = delivered.get(effect.deliveryId)
        delivered.delete(effect.deliveryId)
        if (delivery) options.onEffect(effect, delivery)
      }
    } else if (due.length === 0) {
      if (calls.size === 0) return count
      await untilOneEnds([...calls.values()].map((call) => call.done))
    }
  }
}

/** Waits for the end of a call, but only a moment: another delivery may fall due meanwhile. */
async function untilOneEnds(calls: Promise<void>[]): Promise<void> {
  const { promise: pause, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, POLL_MS)
  await Promise.race([...calls, pause])
  clearTimeout(timer)
}

/** Claims as many deliveries as there are free slots, except for hosts that use more than half of theirs; of mail, no more than is sent at once. */
function claimMore(sql: Sql, clock: Clock, calls: Map<string, { host: string }>): Promise<ClaimedDelivery[]> | [] {
  const free = CALLS_MAX - calls.size
  if (free < CALLS_PER_HOST_MAX / 2) return []
  const perHost = Map.groupBy(calls.values(), (call) => call.host)
  const mails = perHost.get(MAIL_HOST)?.length ?? 0
  const busyHosts = [...perHost].filter(([, own]) => own.length > CALLS_PER_HOST_MAX / 2).map(([host]) => host)
  if (mails >= MAIL_CONNECTIONS_MAX) busyHosts.push(MAIL_HOST)
  const now = clock.now()
  return claimDueDeliveries(sql, {
    now,
    claimedUntil: now.add({ seconds: CLAIM_SECONDS }),
    maxCount: free,
    maxPerHost: CALLS_PER_HOST_MAX / 2,
    maxMails: MAIL_CONNECTIONS_MAX - mails,
    busyHosts,
  })
}

async function attempt(delivery: ClaimedDelivery, options: DeliverDueOptions): Promise<RecordedAttempt> {
  const { clock, random } = options
  const result = isMail(delivery.url) ? await options.mail.send(delivery) : await call(delivery, options)
  options.onCall(result, delivery)
  return {
    deliveryId: delivery.deliveryId,
    ...result,
    nextAttemptAt: nextAttemptOf(delivery, result, clock.now(), random),
  }
}

function call(delivery: ClaimedDelivery, { secrets, client, cutOff, baseUrl }: DeliverDueOptions): Promise<CallResult> {
  const open = (sealed: string) => secrets.open(sealed, delivery.webhookId)
  const current = open(delivery.secret)
  const isText = delivery.body === 'text' && delivery.kind !== 'verification'
  return client.call(
    {
      url: delivery.url,
      eventId: delivery.eventId,
      requestId: delivery.requestId ?? undefined,
      body: isText ? alertSentence(delivery) : webhookBody(delivery, baseUrl),
      contentType: isText ? 'text/plain; charset=utf-8' : undefined,
      challenge: delivery.challenge ?? undefined,
      secrets: delivery.previousSecret === null ? [current] : [current, open(delivery.previousSecret)],
    },
    cutOff,
  )
}

/** Instant of the next attempt. A receiver that answered 410 Gone is not called again, and a test is not retried. */
function nextAttemptOf(
  { kind, attempts, giveUpAt }: ClaimedDelivery,
  { outcome, retryAfterSeconds }: CallResult,
  now: Temporal.Instant,
  random: () => number,
): Temporal.Instant | undefined {
  if (outcome === 'delivered' || outcome === 'gone' || kind === 'test') return undefined
  return nextAttemptAt({ attempts: attempts + 1, now, giveUpAt, retryAfterSeconds }, random)
}
