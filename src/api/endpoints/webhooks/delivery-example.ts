import type { DeliveryRecord } from '../../../store/webhook-events.ts'
import type { WebhookKind } from '../../../store/webhooks.ts'
import type { WebhookDelivery } from '../../contract/webhooks.ts'
import { EXAMPLE_ALERT, EXAMPLE_WEBHOOK, presentDelivery } from './present.ts'

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
