/** Alerts and their deliveries as the contract shows them. Spec: "Alert". */

import type { DeliveryRecord } from '../../../store/alert-events.ts'
import type { AlertRecord } from '../../../store/alerts.ts'
import { type Alert, type AlertDelivery, CALL_TYPES } from '../../contract/alerts.ts'

export function presentAlert(alert: AlertRecord): Alert {
  return {
    id: alert.id,
    asset: alert.asset,
    condition: alert.condition,
    threshold: alert.threshold,
    webhook_url: alert.webhookUrl,
    status: alert.status,
    ...(alert.verification !== 'not_required' && { verification: alert.verification }),
    created_at: inSeconds(alert.createdAt),
    consecutive_failures: alert.consecutiveFailures,
    ...(alert.suspendedAt && { suspended_at: inSeconds(alert.suspendedAt) }),
    ...(alert.suspendedBecause && { suspended_because: alert.suspendedBecause }),
    ...(alert.ownerNotified && { owner_notified: alert.ownerNotified }),
  }
}

export function presentDelivery(delivery: DeliveryRecord): AlertDelivery {
  return {
    id: delivery.id,
    webhook_id: delivery.eventId,
    type: CALL_TYPES[delivery.kind],
    ...(delivery.day !== null && { date: delivery.day }),
    status: delivery.status,
    created_at: inSeconds(delivery.createdAt),
    ...(delivery.nextAttemptAt && { next_attempt_at: inSeconds(delivery.nextAttemptAt) }),
    ...(delivery.finishedAt && { finished_at: inSeconds(delivery.finishedAt) }),
    attempts: delivery.attempts.map((attempt) => ({
      number: attempt.number,
      started_at: inSeconds(Temporal.Instant.from(attempt.startedAt)),
      duration_ms: attempt.durationMs,
      outcome: attempt.outcome,
      ...(attempt.statusCode !== null && { status_code: attempt.statusCode }),
      ...(attempt.detail !== null && { detail: attempt.detail }),
    })),
  }
}

export function inSeconds(instant: Temporal.Instant): string {
  return instant.toString({ smallestUnit: 'second' })
}
