/** Alerts, webhooks of changes, and deliveries as the contract shows them. Spec: "Alert". */
import { isMail } from '../../../delivery/webhooks/mail-receiver.ts'
import { callType } from '../../../delivery/webhooks/webhook-body.ts'
import { toUtcIso } from '../../../market/market-day.ts'
import type { DeliveryRecord } from '../../../store/webhook-events.ts'
import type { AlertRecord, Receiver, WebhookKind, WebhookRecord } from '../../../store/webhooks.ts'
import type { Alert } from '../../contract/alerts.ts'
import type { WebhookBody, WebhookDelivery } from '../../contract/webhooks.ts'

export function presentAlert(alert: AlertRecord): Alert {
  return {
    id: alert.id,
    asset: alert.asset,
    condition: alert.condition,
    threshold: alert.threshold,
    ...(isMail(alert.url) ? { email: true } : { webhook_url: alert.url }),
    ...(alert.granularity === 'hour' && { granularity: alert.granularity }),
    ...(alert.body === 'text' && !isMail(alert.url) && { body: alert.body }),
    ...(alert.language === 'it' && { language: alert.language }),
    ...presentState(alert),
  }
}

export function presentWebhook(webhook: WebhookRecord<'changes'>): WebhookBody {
  return {
    id: webhook.id,
    url: webhook.url,
    events: webhook.kinds,
    ...(webhook.datasets && { datasets: webhook.datasets }),
    ...(webhook.zones && { zones: webhook.zones }),
    ...presentState(webhook),
  }
}

function presentState(receiver: Receiver) {
  return {
    status: receiver.status,
    ...(receiver.verification !== 'not_required' && { verification: receiver.verification }),
    created_at: toUtcIso(receiver.createdAt),
    consecutive_failures: receiver.consecutiveFailures,
    ...(receiver.suspendedAt && { suspended_at: toUtcIso(receiver.suspendedAt) }),
    ...(receiver.suspendedBecause && { suspended_because: receiver.suspendedBecause }),
    ...(receiver.ownerNotified && { owner_notified: receiver.ownerNotified }),
  }
}

export function presentDelivery(delivery: DeliveryRecord): WebhookDelivery {
  return {
    id: delivery.id,
    webhook_id: delivery.eventId,
    type: callType(delivery),
    ...(delivery.day !== null && { date: delivery.day }),
    status: delivery.status,
    created_at: toUtcIso(delivery.createdAt),
    ...(delivery.nextAttemptAt && { next_attempt_at: toUtcIso(delivery.nextAttemptAt) }),
    ...(delivery.finishedAt && { finished_at: toUtcIso(delivery.finishedAt) }),
    attempts: delivery.attempts.map((attempt) => ({
      number: attempt.number,
      started_at: toUtcIso(Temporal.Instant.from(attempt.startedAt)),
      duration_ms: attempt.durationMs,
      outcome: attempt.outcome,
      ...(attempt.statusCode !== null && { status_code: attempt.statusCode }),
      ...(attempt.detail !== null && { detail: attempt.detail }),
    })),
  }
}

const EXAMPLE_RECEIVER: Omit<Receiver, 'id'> = {
  url: 'https://hooks.example.com/energy',
  status: 'active',
  verification: 'not_required',
  consecutiveFailures: 0,
  createdAt: Temporal.Instant.from('2026-11-21T10:00:00Z'),
  suspendedAt: null,
  suspendedBecause: null,
  ownerNotified: null,
}

/** Examples of the documentation. */
export const EXAMPLE_SECRET = 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE='
export const EXAMPLE_ALERT: AlertRecord = {
  ...EXAMPLE_RECEIVER,
  id: 'alr_5k2m9q7x1c4d8f3g',
  asset: 'pun',
  condition: 'above',
  threshold: 150,
  granularity: 'day',
  body: 'json',
  language: 'en',
}
export const EXAMPLE_WEBHOOK: WebhookRecord<'changes'> = {
  ...EXAMPLE_RECEIVER,
  id: 'whk_5k2m9q7x1c4d8f3g',
  kinds: ['day.published', 'day.corrected'],
  datasets: ['pun'],
  zones: null,
}

/** Deliveries as the documentation shows them: done, and waiting for the first attempt. */
export const EXAMPLE_DELIVERIES: Record<WebhookKind, { done: WebhookDelivery; pending: WebhookDelivery }> = {
  alert: examplesOf({ webhookId: EXAMPLE_ALERT.id, kind: 'triggered', changeKind: null }),
  changes: examplesOf({ webhookId: EXAMPLE_WEBHOOK.id, kind: 'changed', changeKind: 'day.published' }),
}

function examplesOf(event: Pick<DeliveryRecord, 'webhookId' | 'kind' | 'changeKind'>) {
  const done: DeliveryRecord = {
    ...event,
    id: 'dlv_0f8fad5bd9cb469fa16570867728950e',
    eventId: 'msg_7c9e6679742540de944be07fc1f90ae7',
    day: '2026-11-22',
    status: 'delivered',
    createdAt: Temporal.Instant.from('2026-11-21T12:01:00Z'),
    nextAttemptAt: null,
    finishedAt: Temporal.Instant.from('2026-11-21T12:01:01Z'),
    attempts: [
      {
        number: 1,
        startedAt: '2026-11-21T12:01:00Z',
        durationMs: 130,
        outcome: 'delivered',
        statusCode: 204,
        detail: null,
      },
    ],
  }
  const pending: DeliveryRecord = {
    ...done,
    status: 'pending',
    nextAttemptAt: done.createdAt,
    finishedAt: null,
    attempts: [],
  }
  return { done: presentDelivery(done), pending: presentDelivery(pending) }
}
